package import AnvilBase

/// The time limit of an attempt.
extension Deadline {
  package func timedOut(in phase: TransportError.Phase) -> TransportError {
    TransportError(code: .timedOut, phase: phase, elapsed: elapsed)
  }

  /// Does not wait for an operation that does not react to cancellation.
  package func limit<Value: Sendable>(
    phase: TransportError.Phase, _ operation: @escaping @Sendable () async -> Result<Value, TransportError>
  ) async throws(TransportError) -> Value {
    let (results, first) = AsyncStream<Result<Value, TransportError>>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let work = Task { first.yield(await operation()) }
    let timer = end.map { end in
      Task {
        guard (try? await Task.sleep(until: end, tolerance: .zero)) != nil else { return }
        first.yield(.failure(timedOut(in: phase)))
      }
    }
    defer {
      work.cancel()
      timer?.cancel()
    }
    for await result in results { return try result.get() }
    // The stream has ended without a result, because the task was cancelled.
    throw TransportError(code: .cancelled, phase: phase)
  }
}

extension Result {
  /// Creates the result of `body`.
  package init(catching body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
