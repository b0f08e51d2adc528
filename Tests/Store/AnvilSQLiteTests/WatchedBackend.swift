import AnvilSQLite
import AnvilStore
import AnvilStoreTesting

/// A database file that reports its connections to a test. Cancelling does not interrupt their statements, as if it
/// happened between two of them.
struct WatchedBackend: StoreBackend {
  let path: String
  var busyTimeout: Duration = .seconds(30)
  /// Called when a connection was opened, by the task that needs it.
  var didConnect: @Sendable () -> Void = {}
  /// Called before a statement that gives no rows, by the task that runs it. The statement does not run if an error is thrown.
  var willRun: @Sendable (String) throws(StoreError) -> Void = { _ in }

  var description: String { "watched SQLite" }
  var writerCount: Int { 1 }
  var readerCount: Int { 1 }

  func connector() -> @Sendable () throws(StoreError) -> any StoreConnection {
    { () throws(StoreError) in
      let connection = try SQLiteConnection(.file(path), configuration: .init(busyTimeout: busyTimeout))
      didConnect()
      return WatchedConnection(connection, willRun: willRun, interrupt: {})
    }
  }

  static func cancelCurrentTask() {
    // Safety: the task is the one that calls this.
    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
  }
}
