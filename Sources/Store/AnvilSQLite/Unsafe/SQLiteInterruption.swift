internal import CSQLite
internal import Synchronization

/// Interrupts a connection from any thread. It has no effect after the connection was closed.
///
/// Safety: `sqlite3_interrupt` may be called on any thread while the connection is open. The connection is closed only
/// after `end` has returned and the pointer was removed.
final class SQLiteInterruption: Sendable {
  /// A pointer that is protected by the lock. `@unchecked Sendable`: only one thread at a time uses it.
  @safe
  private struct Connection: @unchecked Sendable {
    var pointer: OpaquePointer?
  }

  private let connection: Mutex<Connection>
  private let wasInterrupted = Atomic(false)

  init(_ pointer: OpaquePointer) {
    connection = unsafe Mutex(Connection(pointer: pointer))
  }

  func interrupt() {
    wasInterrupted.store(true, ordering: .relaxed)
    connection.withLock { connection in
      if let pointer = unsafe connection.pointer { unsafe sqlite3_interrupt(pointer) }
    }
  }

  /// Removes the connection. Call this before it is closed.
  func end() {
    connection.withLock { unsafe $0.pointer = nil }
  }

  /// Marks the start of a statement. Earlier interruptions do not affect the statement.
  func begin() {
    if wasInterrupted.load(ordering: .relaxed) { wasInterrupted.store(false, ordering: .relaxed) }
  }

  /// True if this statement was interrupted. SQLite itself does not check this while it waits for a lock.
  var isPending: Bool { wasInterrupted.load(ordering: .relaxed) }
}
