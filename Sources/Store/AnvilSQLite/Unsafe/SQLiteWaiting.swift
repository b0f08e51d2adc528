internal import AnvilBase
internal import CSQLite

/// Waits for a locked database until the connection's timeout has passed or the statement is interrupted.
final class SQLiteWaiting {
  private let timeout: Duration
  private let interruption: SQLiteInterruption
  private var deadline = Deadline(after: .zero)

  init(timeout: Duration, interruption: SQLiteInterruption) {
    self.timeout = timeout
    self.interruption = interruption
  }

  /// Pauses when the database is locked. This is SQLite's busy handler: a result other than 0 makes SQLite try again.
  static func wait(_ context: UnsafeMutableRawPointer?, _ attempt: Int32) -> Int32 {
    guard let context = unsafe context else { return 0 }
    // Safety: the context is an object of this class. The handle whose connection makes this call retains it.
    return unsafe Unmanaged<SQLiteWaiting>.fromOpaque(context).takeUnretainedValue().wait(attempt) ? 1 : 0
  }

  private func wait(_ attempt: Int32) -> Bool {
    if attempt == 0 { deadline = Deadline(after: timeout) }
    guard !isOver, !deadline.hasPassed else { return false }
    // The first pauses are short, because most transactions are. Later pauses let the lock's holder finish.
    sqlite3_sleep(min(1 << min(max(attempt, 0), 5), 25))
    return !isOver
  }

  /// True if the statement should stop waiting. The task is checked as well, because a cancellation just before the statement begins
  /// interrupts nothing.
  var isOver: Bool { interruption.isPending || Task.isCancelled }
}
