internal import AnvilBase
internal import AnvilStore
internal import CPostgres
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Interrupts the running statement of a connection, from any thread. It has no effect after the connection was closed.
///
/// A request is sent on a separate connection to the server, which may block. Therefore it is sent by a new thread. The server ignores a
/// request if it has not started the statement yet, so the request is repeated until the statement ends. The next statement begins only
/// after all requests have ended, because a late request would interrupt it.
///
/// Safety: `PQcancel` may be called on any thread with the result of `PQgetCancel`. `deinit` frees that result, when no
/// call is running.
final class PostgresInterruption: Sendable {
  /// A pointer that Swift code does not dereference. `@unchecked Sendable`: the library only reads the memory that it
  /// points to.
  @safe
  private struct Target: @unchecked Sendable {
    var pointer: OpaquePointer?
  }

  private struct State {
    /// The number of the running statement, or `nil` between statements.
    var running: UInt64?
    var count: UInt64 = 0
    /// True if a thread is interrupting the running statement.
    var isInterrupting = false
  }

  private let target: Target
  private let state = Mutex(State())
  /// Locked while a request is sent to the server.
  private let requestLock = Mutex(())
  private let wasInterrupted = Atomic(false)

  /// Creates an object that can interrupt the statements of an open connection.
  init(_ connection: OpaquePointer) {
    target = unsafe Target(pointer: PQgetCancel(connection))
  }

  deinit {
    // Safety: the last use of the pointer.
    unsafe PQfreeCancel(target.pointer)
  }

  func interrupt() {
    wasInterrupted.store(true, ordering: .relaxed)
    let statement: UInt64? = state.withLock { state in
      guard let running = state.running, !state.isInterrupting else { return nil }
      state.isInterrupting = true
      return running
    }
    guard let statement else { return }
    let thread = OwnedThread.start(stackSize: 256 << 10) { self.repeatRequests(toEnd: statement) }
    // Without a thread the statement runs on; the next interruption tries again.
    guard let thread else { return state.withLock { $0.isInterrupting = false } }
    thread.detach()
  }

  /// Marks the start of a statement. Earlier interruptions do not affect the statement.
  func begin() {
    if wasInterrupted.load(ordering: .relaxed) { wasInterrupted.store(false, ordering: .relaxed) }
    state.withLock { state in
      state.count &+= 1
      state.running = state.count
      state.isInterrupting = false
    }
  }

  /// Marks the end of the statement, and waits until all requests to the server have ended.
  func end() {
    let isInterrupting = state.withLock { state in
      state.running = nil
      return state.isInterrupting
    }
    if isInterrupting { requestLock.withLock { _ in } }
  }

  /// True if there was an interruption since the last statement began.
  var isPending: Bool { wasInterrupted.load(ordering: .relaxed) }

  /// Sends one request to end the running statement. The calling thread may block.
  func sendRequest() {
    requestLock.withLock { _ in request() }
  }

  private func repeatRequests(toEnd statement: UInt64) {
    var pause: UInt32 = 5_000
    while isRunning(statement) {
      requestLock.withLock { _ in
        if isRunning(statement) { request() }
      }
      usleep(pause)
      pause = min(pause * 2, 500_000)
    }
  }

  private func isRunning(_ statement: UInt64) -> Bool {
    state.withLock { $0.running == statement }
  }

  private func request() {
    // The message is not used: without a request the statement continues.
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
      _ = unsafe PQcancel(target.pointer, message.baseAddress, Int32(message.count))
    }
  }
}
