internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One fetch, and those who wait for it: it goes on for as long as one of them is interested. Rule K10.
///
/// One of those who wait is given the response as it comes. All others are given `Shared`, which is made when it has come, or have
/// to fetch for themselves where there is nothing to share.
final class SharedFetch<Shared: Sendable>: Sendable {
  /// What a wait ends in.
  enum Ending: Sendable {
    /// The response, for this one alone.
    case response(TransportResponse)
    /// What came of it, for everyone.
    case shared(Shared)
    case failed(TransportError)
    /// There is nothing to share.
    case alone
  }

  private typealias Wait = CheckedContinuation<Ending, Never>

  private struct State {
    var waits: [Int: Wait] = [:]
    var lastID = 0
    /// How many wait, are about to, or read the response.
    var interest = 0
    /// A response whose reader has not come to wait yet.
    var response: TransportResponse?
    /// What latecomers are given.
    var ending: Ending?
    var isClosed = false
    var isObsolete = false
    var isStarted = false
    var task: Task<Void, Never>?
  }

  let key: CacheKey
  let identity: FetchIdentity
  /// Whether the fetch goes on whoever is interested.
  let isBackground: Bool
  private let state = Mutex(State())

  init(key: CacheKey, identity: FetchIdentity, isBackground: Bool) {
    self.key = key
    self.identity = identity
    self.isBackground = isBackground
  }

  /// Whether the target was changed since the fetch began: what it brings is not stored then.
  var isObsolete: Bool { state.withLock(\.isObsolete) }

  func makeObsolete() {
    state.withLock { $0.isObsolete = true }
  }

  /// Whether the fetch began; one whose only caller was cancelled before never does.
  var isStarted: Bool { state.withLock(\.isStarted) }

  /// How many wait, are about to, or read the response.
  var interest: Int { state.withLock(\.interest) }

  /// Announces one more who is going to ``wait(_:)``; `false` when it is too late to.
  func join() -> Bool {
    state.withLock { state in
      guard !state.isClosed, !state.isObsolete else { return false }
      state.interest += 1
      return true
    }
  }

  /// Runs `fetch` in a task of its own. Only the first call counts.
  func start(_ fetch: @escaping @Sendable (SharedFetch) async -> Void) {
    state.withLock { state in
      guard !state.isStarted, state.interest > 0 || isBackground else { return }
      state.isStarted = true
      state.task = Task { await fetch(self) }
    }
  }

  /// Waits for what comes of the fetch, which `fetch` is unless it has begun. Cancelling the task ends this wait and no
  /// other.
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
    // Who was given the response is interested until its body has gone.
    if case .response = ending { return ending }
    leave()
    return ending
  }

  /// Hands the response to the first who waits; where nobody does, it is let go of.
  func handOver(_ response: TransportResponse) {
    let wait = state.withLock { state -> Wait? in
      guard let first = state.waits.keys.min() else {
        if state.interest > 0 { state.response = response }
        return nil
      }
      return state.waits.removeValue(forKey: first)
    }
    wait?.resume(returning: .response(response))
  }

  /// Ends the wait of all who wait, and of who has joined and is going to, unless it has ended before.
  func end(_ ending: Ending) {
    let waits = state.withLock { state in
      state.isClosed = true
      state.ending = state.ending ?? ending
      defer { state.waits = [:] }
      return Array(state.waits.values)
    }
    for wait in waits { wait.resume(returning: ending) }
  }

  /// Says that one of those who joined is interested no more. With the last the fetch ends.
  func leave() {
    let (task, response) = state.withLock { state -> (Task<Void, Never>?, TransportResponse?) in
      state.interest -= 1
      guard state.interest <= 0, !isBackground else { return (nil, nil) }
      state.isClosed = true
      return (state.task.take(), state.response.take())
    }
    // Let go of here and not under the lock.
    _ = consume response
    task?.cancel()
  }
}

extension SharedFetch {
  /// Hands the response over whose body is `body`, passes that on as it comes, and gives it to `whole` when it has come whole.
  ///
  /// Nothing of a body of more than `limit` bytes is shared, and nothing at all where `isShared` is false: nobody else waits for the
  /// body then.
  func deliver(
    _ head: HTTP.Response, _ body: TransportBody, isShared: Bool = true, upTo limit: Int, whole: (Data) async -> Void
  ) async {
    let gate = BackPressureGate()
    // Nothing here may keep the body from being abandoned.
    let (passedOn, writer) = TransportBody.makeStream(
      onAbandon: {
        gate.end()
        self.leave()
      }, onFlow: { gate.set($0) })
    handOver(TransportResponse(head: head, body: consume passedOn))
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
