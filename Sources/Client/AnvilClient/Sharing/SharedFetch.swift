internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A fetch with several callers, which continues while at least one of them is interested. Rule K10.
///
/// One caller receives the response as it arrives. All others receive `Shared`, which is created when the response is complete. If the
/// response cannot be shared, they have to fetch it themselves.
final class SharedFetch<Shared: Sendable>: Sendable {
  /// The result of a wait.
  enum Ending: Sendable {
    /// The response, for this caller only.
    case response(TransportResponse)
    /// The shared result, for every caller.
    case shared(Shared)
    case failed(TransportError)
    /// There is no result to share, and the caller has to fetch it itself.
    case alone
  }

  private typealias Wait = CheckedContinuation<Ending, Never>

  private struct State {
    var waits: [Int: Wait] = [:]
    var lastID = 0
    /// The number of current and pending callers, including the reader of the response.
    var callerCount = 0
    /// A response whose reader has joined but not called ``wait(_:)`` yet.
    var response: TransportResponse?
    /// The result for callers that call ``wait(_:)`` later.
    var ending: Ending?
    var isClosed = false
    var isObsolete = false
    var isStarted = false
    var task: Task<Void, Never>?
  }

  let key: CacheKey
  let identity: FetchIdentity
  /// A Boolean value that indicates whether the fetch continues without interested callers.
  let isBackground: Bool
  private let state = Mutex(State())

  init(key: CacheKey, identity: FetchIdentity, isBackground: Bool) {
    self.key = key
    self.identity = identity
    self.isBackground = isBackground
  }

  /// A Boolean value that indicates whether the target was changed after the fetch began. The response is then not
  /// stored.
  var isObsolete: Bool { state.withLock(\.isObsolete) }

  func makeObsolete() {
    state.withLock { $0.isObsolete = true }
  }

  /// A Boolean value that indicates whether all callers were cancelled before the fetch began. It cannot be joined
  /// then, and never begins.
  var isAbandoned: Bool { state.withLock { $0.isClosed && !$0.isStarted } }

  /// The number of current and pending callers, including the reader of the response.
  var callerCount: Int { state.withLock(\.callerCount) }

  /// Registers a caller that will call ``wait(_:)``. Returns `false` when the fetch can no longer be joined.
  func join() -> Bool {
    state.withLock { state in
      guard !state.isClosed, !state.isObsolete else { return false }
      state.callerCount += 1
      return true
    }
  }

  /// Runs `fetch` in a new task. Only the first call has an effect.
  func start(_ fetch: @escaping @Sendable (SharedFetch) async -> Void) {
    state.withLock { state in
      guard !state.isStarted, state.callerCount > 0 || isBackground else { return }
      state.isStarted = true
      state.task = Task { await fetch(self) }
    }
  }

  /// Waits for the result of the fetch, which is started with `fetch` unless it has begun. Cancelling the task ends this wait, and also the
  /// fetch if no other caller is left.
  func wait(_ fetch: @escaping @Sendable (SharedFetch) async -> Void) async -> Ending {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let ending = await withTaskCancellationHandler {
      await withCheckedContinuation { (wait: Wait) in
        let ending = state.withLock { state -> Ending? in
          if Task.isCancelled { return .failed(TransportError(code: .cancelled)) }
          if let response = state.response.take() { return .response(response) }
          if let ending = state.ending { return ending }
          state.waits[id] = wait
          return nil
        }
        if let ending {
          wait.resume(returning: ending)
        } else {
          start(fetch)
        }
      }
    } onCancel: {
      guard let wait = state.withLock({ $0.waits.removeValue(forKey: id) }) else { return }
      wait.resume(returning: .failed(TransportError(code: .cancelled)))
    }
    // The caller that received the response stays interested until its body is released.
    if case .response = ending { return ending }
    leave()
    return ending
  }

  /// Passes the response to the first waiting caller, or stores it for a pending one. Without callers, the response is released.
  func deliverToFirstCaller(_ response: TransportResponse) {
    let wait = state.withLock { state -> Wait? in
      guard let first = state.waits.keys.min() else {
        if state.callerCount > 0 { state.response = response }
        return nil
      }
      return state.waits.removeValue(forKey: first)
    }
    wait?.resume(returning: .response(response))
  }

  /// Ends all current and pending waits with `ending`. Only the first call has an effect.
  func end(_ ending: Ending) {
    let waits = state.withLock { state in
      state.isClosed = true
      state.ending = state.ending ?? ending
      defer { state.waits = [:] }
      return Array(state.waits.values)
    }
    for wait in waits { wait.resume(returning: ending) }
  }

  /// Removes the interest of one caller. The fetch is cancelled when no caller remains, unless it runs in the background.
  func leave() {
    let (task, response) = state.withLock { state -> (Task<Void, Never>?, TransportResponse?) in
      state.callerCount -= 1
      guard state.callerCount <= 0, !isBackground else { return (nil, nil) }
      state.isClosed = true
      return (state.task.take(), state.response.take())
    }
    // The response is released outside the lock.
    _ = consume response
    task?.cancel()
  }
}

extension SharedFetch {
  /// Delivers a response with `body` to one caller as it arrives, and passes the body to `whole` when it is complete.
  ///
  /// The outcome of the delivered response is passed to `outcomeHandlers`. A body of more than `limit` bytes is not shared. No body is shared if `isShared` is false: other callers then stop waiting.
  func deliver(
    _ head: HTTP.Response, _ body: TransportBody, _ outcomeHandlers: [AttemptOutcome.Handler], isShared: Bool = true,
    upTo limit: Int, whole: (Data) async -> Void
  ) async {
    let gate = BackPressureGate()
    // This function must not keep a reference to the body, so that it can be abandoned.
    let (passedOn, writer) = TransportBody.makeStream(
      onAbandon: {
        gate.end()
        self.leave()
      }, onFlow: { gate.set($0) })
    deliverToFirstCaller(
      TransportResponse(head: head, body: consume passedOn, outcomeHandlers: outcomeHandlers))
    if !isShared { end(.alone) }
    var collected: Data? = Data()
    do throws(TransportError) {
      for try await chunk in body {
        if let count = collected?.count, chunk.count > limit - count {
          collected = nil
          end(.alone)
          if isBackground { return }
        }
        collected?.append(chunk)
        writer.yield(chunk)
        if collected == nil { await gate.wait() }
      }
    } catch {
      writer.finish(error)
      return end(.failed(error))
    }
    defer { writer.finish() }
    guard let collected, head.announcedLength.map({ $0 == collected.count }) ?? true else { return }
    await whole(collected)
  }
}
