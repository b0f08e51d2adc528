internal import AnvilBase
internal import Synchronization

/// A pool of sessions. Each session is used by one task at a time, and waiting tasks receive sessions in the order of their requests.
/// Sessions are created on demand, up to a limit.
final class SessionPool: Sendable {
  fileprivate struct State {
    var idle: [StoreSession] = []
    var count = 0
    var waiting = WaitingQueue<UInt64, CheckedContinuation<StoreSession, any Error>>()
    var nextID: UInt64 = 0
    var isClosed = false
    /// The callers of `close` that wait for the pool to end.
    var closing: [CheckedContinuation<Void, Never>] = []
  }

  private let limit: Int
  private let makeSession: @Sendable () throws(StoreError) -> StoreSession
  private let state = Mutex(State())

  init(limit: Int, makeSession: @escaping @Sendable () throws(StoreError) -> StoreSession) {
    self.limit = max(limit, 1)
    self.makeSession = makeSession
  }

  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Rejects new work, waits for running work, and ends all sessions.
  func close() async {
    let waiting = state.withLock { state in
      state.isClosed = true
      return state.waiting.removeAll()
    }
    for waiter in waiting { waiter.resume(throwing: StoreError(code: .closed)) }
    while true {
      let session = await idleSession()
      guard let session else { return }
      await session.disconnect()
      state.withLock { state in
        state.count -= 1
        state.wakeClosing()
      }
    }
  }

  /// Waits for an idle session and returns it. Returns `nil` if the pool has no more sessions.
  private func idleSession() async -> StoreSession? {
    while true {
      let (session, isEmpty) = state.withLock { ($0.idle.popLast(), $0.count == 0) }
      if session != nil || isEmpty { return session }
      await withCheckedContinuation { continuation in
        let isSettled = state.withLock { state in
          guard state.idle.isEmpty, state.count > 0 else { return true }
          state.closing.append(continuation)
          return false
        }
        if isSettled { continuation.resume() }
      }
    }
  }

  private enum Admission {
    case session(StoreSession)
    case new
    case wait(id: UInt64)
  }

  /// Waits for a session and returns it for exclusive use until it is given back.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits; ``StoreError/Code/closed``.
  func take() async throws -> StoreSession {
    let admission = try state.withLock { state throws -> Admission in
      guard !state.isClosed else { throw StoreError(code: .closed) }
      if let session = state.idle.popLast() { return .session(session) }
      if state.count < limit {
        state.count += 1
        return .new
      }
      state.nextID &+= 1
      return .wait(id: state.nextID)
    }
    switch admission {
    case .session(let session): return session
    case .wait(let id): return try await wait(id)
    case .new:
      do throws(StoreError) {
        return try makeSession()
      } catch {
        // Without another session, nothing would wake the waiting tasks.
        let waiting = state.withLock { state in
          state.count -= 1
          state.wakeClosing()
          return state.count == 0 ? state.waiting.removeAll() : []
        }
        for waiter in waiting { waiter.resume(throwing: error) }
        throw error
      }
    }
  }

  /// Returns a session as ``take()`` does; `nil` if the call would have to wait.
  func takeIfIdle() async throws -> StoreSession? {
    let wouldWait = state.withLock { state in
      !state.isClosed && state.idle.isEmpty && state.count >= limit
    }
    return wouldWait ? nil : try await take()
  }

  private func wait(_ id: UInt64) async throws -> StoreSession {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<StoreSession, any Error>? in
          if state.isClosed { return .failure(StoreError(code: .closed)) }
          // A session may have been given back, or this task cancelled, since the decision to wait.
          if Task.isCancelled { return .failure(CancellationError()) }
          if let session = state.idle.popLast() { return .success(session) }
          state.waiting.append(continuation, id: id)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiting.remove(id) }
      waiter?.resume(throwing: CancellationError())
    }
  }

  func giveBack(_ session: StoreSession) {
    let next = state.withLock { state -> CheckedContinuation<StoreSession, any Error>? in
      if let waiter = state.waiting.popFirst() { return waiter }
      state.idle.append(session)
      state.wakeClosing()
      return nil
    }
    next?.resume(returning: session)
  }
}

extension SessionPool.State {
  fileprivate mutating func wakeClosing() {
    for continuation in closing { continuation.resume() }
    closing = []
  }
}
