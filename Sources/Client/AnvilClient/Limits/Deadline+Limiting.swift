package import AnvilBase
internal import Synchronization

/// The time limit of an attempt.
extension Deadline {
  package func timedOut(in phase: TransportError.Phase) -> TransportError {
    TransportError(code: .timedOut, phase: phase, elapsed: elapsed)
  }

  /// Does not wait for an operation that does not react to cancellation.
  package func limit<Value: Sendable>(
    phase: TransportError.Phase, _ operation: @escaping @Sendable () async -> Result<Value, TransportError>
  ) async throws(TransportError) -> Value {
    let first = First<Value>()
    let work = Task { first.settle(await operation()) }
    let timer = end.map { end in
      Task {
        guard (try? await Task.sleep(until: end, tolerance: .zero)) != nil else { return }
        first.settle(.failure(timedOut(in: phase)))
      }
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { first.wait($0) }
    } onCancel: {
      first.settle(.failure(TransportError(code: .cancelled, phase: phase)))
    }
    work.cancel()
    timer?.cancel()
    return try result.get()
  }
}

/// The first of several results, for a single waiting task.
private final class First<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, TransportError>

  private struct State {
    var result: Outcome?
    var waiting: CheckedContinuation<Outcome, Never>?
  }

  private let state = Mutex(State())

  func wait(_ continuation: CheckedContinuation<Result<Value, TransportError>, Never>) {
    let result = state.withLock { state -> Outcome? in
      if state.result == nil { state.waiting = continuation }
      return state.result
    }
    if let result { continuation.resume(returning: result) }
  }

  func settle(_ result: Result<Value, TransportError>) {
    let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.result == nil else { return nil }
      state.result = result
      return state.waiting.take()
    }
    waiting?.resume(returning: result)
  }
}
