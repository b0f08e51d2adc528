internal import AnvilBase
internal import AnvilStore
internal import CPostgres
internal import Synchronization

/// Owns a `PGconn *`.
///
/// After a statement is sent, all of its results must be received before the next statement is sent.
///
/// Safety: the pointer is valid from `init` to `deinit`. The class is not Sendable, so that only one thread at a time
/// uses it. ``interruption`` is used by other threads and does not use the pointer.
@safe
final class PostgresHandle {
  let pointer: OpaquePointer
  let interruption: PostgresInterruption
  let maximumLength: Int
  private var wasInTransaction = false
  /// True if the running statement may have more results.
  private(set) var isBusy = false
  /// A counter that increases when the transaction may have been rolled back to a savepoint. Such a rollback may close cursors.
  private(set) var rollbackCount: UInt64 = 0
  /// A counter that has a different value in each transaction. It increases when a statement ends outside of a transaction.
  private(set) var transactionCount: UInt64 = 0
  private var isLost = false

  init(_ connectionString: String, _ configuration: PostgresConnection.Configuration) throws(StoreError) {
    // The version of the loaded library may differ from that of the header.
    let library = PQlibVersion()
    guard library >= ANVIL_POSTGRES_MINIMUM_LIBRARY_VERSION else {
      throw StoreError(code: .unsupported, reason: "libpq 14 or newer is required, but the version is \(library)")
    }
    unsafe pointer = try unsafe Self.connect(connectionString, configuration)
    interruption = unsafe PostgresInterruption(pointer)
    maximumLength = min(max(configuration.maximumLength, 1), 1_000_000_000)
    let version = unsafe PQserverVersion(pointer)
    guard version >= ANVIL_POSTGRES_MINIMUM_SERVER_VERSION else {
      throw StoreError(
        code: .unsupported, reason: "PostgreSQL 12 or newer is required, but the version of the server is \(version)")
    }
  }

  deinit {
    // Safety: the last use of the pointer.
    unsafe PQfinish(pointer)
  }

  /// True if the connection was open when it was last used.
  var isOpen: Bool { unsafe !isLost && PQstatus(pointer) == CONNECTION_OK }

  /// The identifier of the server's process that was received when the connection was opened.
  var processID: Int32 { unsafe PQbackendPID(pointer) }

  var isInTransaction: Bool {
    switch unsafe PQtransactionStatus(pointer) {
    case PQTRANS_INTRANS, PQTRANS_INERROR: true
    case PQTRANS_ACTIVE: wasInTransaction
    default: false
    }
  }

  /// True if the open transaction has failed and can only be rolled back.
  var isInFailedTransaction: Bool { unsafe PQtransactionStatus(pointer) == PQTRANS_INERROR }

  func prepare(_ sql: String, as name: String) throws(StoreError) -> PostgresStatement {
    guard !sql.utf8.contains(0) else {
      throw StoreError(code: .invalidStatement, sql: sql, reason: "it contains a NUL character")
    }
    guard sql.utf8.count <= maximumLength else {
      throw StoreError(code: .tooLarge, reason: "the statement has \(sql.utf8.count) bytes")
    }
    try start(sql) { unsafe PQsendPrepare(pointer, name, sql, 0, nil) }
    try finish(sql)
    try start(sql) { unsafe PQsendDescribePrepared(pointer, name) }
    let description = try finish(sql)
    return PostgresStatement(
      sql: sql, name: name, parameterTypes: description?.parameterTypes ?? [], columns: description?.columns ?? [])
  }

  /// Sends the statement with its values. The caller has to receive all results.
  ///
  /// - Parameter isStreamed: True to receive each row as a separate result, as soon as it arrives.
  func send(
    _ statement: PostgresStatement, _ parameters: PostgresParameters, isStreamed: Bool
  ) throws(StoreError) {
    try start(statement.sql) {
      // Safety: the library has copied the values when it returns.
      unsafe parameters.withArrays { count, values, lengths, formats in
        guard !statement.isNamed else {
          return unsafe PQsendQueryPrepared(
            pointer, statement.name, count, values, lengths, formats, statement.isBinary ? 1 : 0)
        }
        return unsafe statement.parameterTypes.map(\.oid).withUnsafeBufferPointer { types in
          unsafe PQsendQueryParams(
            pointer, statement.sql, count, types.baseAddress, values, lengths, formats, statement.isBinary ? 1 : 0)
        }
      }
    }
    // Without this mode the rows arrive as one result, which is also correct.
    if isStreamed { unsafe PQsetSingleRowMode(pointer) }
  }

  /// Sends statements without values, as one message. The caller has to receive all results.
  func send(_ sql: String) throws(StoreError) {
    try start(sql) { unsafe PQsendQuery(pointer, sql) }
  }

  /// Runs internal statements without values, and returns the result of the last one.
  @discardableResult
  func runInternally(_ sql: String) throws(StoreError) -> PostgresResult? {
    try send(sql)
    return try finish(sql)
  }

  /// Sends an internal statement without values. Its rows arrive as one result. Errors name `statement`.
  func send(_ sql: String, isBinary: Bool, for statement: PostgresStatement) throws(StoreError) {
    try start(statement.sql) { unsafe PQsendQueryParams(pointer, sql, 0, nil, nil, nil, nil, isBinary ? 1 : 0) }
  }

  /// Waits for the next result. Returns `nil` when the statement has ended and the next one can be sent.
  ///
  /// If the server does not answer within ``patience`` after an interruption, the connection is lost, and the result is a failure.
  func nextResult() -> PostgresResult? {
    guard isBusy else { return nil }
    guard waitForResult() else {
      (isBusy, isLost) = (false, true)
      interruption.abandon()
      return unsafe PQmakeEmptyPGresult(pointer, PGRES_FATAL_ERROR).map { unsafe PostgresResult($0) }
    }
    guard let result = unsafe PQgetResult(pointer) else {
      end()
      return nil
    }
    return unsafe PostgresResult(result)
  }

  /// The time in which a server has to end an interrupted statement. A server that was stopped, or behind a connection that passes nothing
  /// on, never does, and the system notices neither.
  private static let patience = Duration.seconds(5)

  /// Returns `false` if the server does not end an interrupted statement.
  private func waitForResult() -> Bool {
    var deadline: Deadline?
    while unsafe PQisBusy(pointer) != 0 {
      // Reads what the library for TLS has buffered, which the socket does not show. The next call reports an error.
      guard unsafe PQconsumeInput(pointer) != 0 else { return true }
      guard unsafe PQisBusy(pointer) != 0 else { return true }
      if interruption.isPending, deadline == nil { deadline = Deadline(after: Self.patience) }
      if deadline?.hasPassed == true { return false }
      waitForInput(until: Deadline(after: .milliseconds(500)))
    }
    return true
  }

  /// Returns the next result if it has already arrived. Returns `nil` if it has not, or if the statement has ended.
  func nextResultWithoutWaiting() -> PostgresResult? {
    guard isBusy, unsafe PQconsumeInput(pointer) != 0, unsafe PQisBusy(pointer) == 0 else { return nil }
    return nextResult()
  }

  typealias Notification = (process: Int32, payload: String)

  func waitForInput(until deadline: Deadline) {
    var descriptor = pollfd(fd: unsafe PQsocket(pointer), events: Int16(POLLIN), revents: 0)
    // Safety: one descriptor is passed.
    _ = unsafe poll(&descriptor, 1, deadline.pollTimeout)
  }

  func notifications() throws(StoreError) -> [Notification] {
    guard unsafe PQconsumeInput(pointer) != 0, unsafe PQstatus(pointer) == CONNECTION_OK else {
      throw lost(StoreError(code: .connectionLost), "LISTEN")
    }
    var notifications: [Notification] = []
    while let notification = unsafe PQnotifies(pointer) {
      // Safety: the library allocated the notification, which is freed once.
      unsafe notifications.append((notification.pointee.be_pid, String(cString: notification.pointee.extra)))
      unsafe PQfreemem(notification)
    }
    return notifications
  }

  /// Receives all remaining results and returns the last one. Throws the first failure.
  @discardableResult
  func finish(_ sql: String) throws(StoreError) -> PostgresResult? {
    var last: PostgresResult?
    var failure: StoreError?
    while let result = nextResult() {
      if let error = error(of: result, sql) { failure = failure ?? error }
      last = result
    }
    if let failure { throw failure }
    return last
  }

  /// Returns the error of a failed result, or `nil` for other results.
  func error(of result: PostgresResult, _ sql: String) -> StoreError? {
    switch result.status {
    case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK, PGRES_COMMAND_OK: return nil
    case PGRES_EMPTY_QUERY: return StoreError(code: .invalidStatement, sql: sql, reason: "it is empty")
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      endCopy()
      return StoreError(code: .invalidStatement, sql: sql, reason: "COPY is not supported")
    default:
      let error = result.error(sql)
      guard unsafe isLost || error.code == .connectionLost || PQstatus(pointer) != CONNECTION_OK else { return error }
      return lost(error, sql)
    }
  }

  private func start(_ sql: String, _ send: () -> Int32) throws(StoreError) {
    guard !isLost else { throw lost(StoreError(code: .connectionLost), sql) }
    wasInTransaction = isInTransaction
    interruption.begin()
    isBusy = true
    guard send() != 0 else {
      end()
      let message = unsafe PQerrorMessage(pointer).map { unsafe String(cString: $0) } ?? ""
      let error = StoreError(
        code: .other, sql: sql, backendMessage: message.split(separator: "\n").first.map(String.init))
      throw unsafe PQstatus(pointer) == CONNECTION_OK ? error : lost(error, sql)
    }
  }

  private func end() {
    isBusy = false
    if !interruption.end(waiting: Self.patience) { isLost = true }
    if unsafe PQtransactionStatus(pointer) != PQTRANS_INTRANS, !isInFailedTransaction { transactionCount &+= 1 }
  }

  func noteRollback() {
    rollbackCount &+= 1
  }

  @inline(never)
  private func lost(_ error: StoreError, _ sql: String) -> StoreError {
    isLost = true
    return StoreError(
      code: .connectionLost, sql: sql, backendMessage: error.backendMessage, backendCode: error.backendCode)
  }

  /// Ends a COPY in either direction. If the COPY fails, the next result is the error.
  private func endCopy() {
    unsafe PQputCopyEnd(pointer, "not supported")
    var row: UnsafeMutablePointer<CChar>?
    while unsafe PQgetCopyData(pointer, &row, 0) > 0 {
      // Safety: the library allocated the row for the caller.
      unsafe PQfreemem(row)
    }
  }
}

/// Interrupts the running statement of a connection, from any thread. It has no effect after the connection was closed.
///
/// A request is sent on a separate connection to the server, which may block. Therefore it is sent by a new thread. The server ignores a
/// request if it has not started the statement yet, so the request is repeated until the statement ends. The next statement begins only
/// after all requests have ended, because a late request would interrupt it.
///
/// Safety: `PQcancel` may be called on any thread with the result of `PQgetCancel`. `deinit` frees that result, when no
/// call is running.
final class PostgresInterruption: Sendable {
  /// Swift code does not dereference it. `@unchecked Sendable`: the library only reads the memory that it points to.
  @safe
  private struct Target: @unchecked Sendable {
    var pointer: OpaquePointer?
  }

  private struct State {
    var running: UInt64?
    var count: UInt64 = 0
    var isInterrupting = false
  }

  private let target: Target
  private let state = Mutex(State())
  /// Locked while a request is sent to the server.
  private let requestLock = Mutex(())
  private let wasInterrupted = Atomic(false)

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

  /// Marks the end of the statement, and waits until all requests to the server have ended. Returns `false` if one has not after `time`: it
  /// may interrupt a later statement of the connection.
  func end(waiting time: Duration) -> Bool {
    let isInterrupting = state.withLock { state in
      state.running = nil
      return state.isInterrupting
    }
    guard isInterrupting else { return true }
    let deadline = Deadline(after: time)
    while requestLock.withLockIfAvailable({ _ in }) == nil {
      guard !deadline.hasPassed else { return false }
      usleep(1_000)
    }
    return true
  }

  /// Marks the end of the statement of a connection that is given up. A request may still be running.
  func abandon() {
    state.withLock { $0.running = nil }
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
