/// What comes after a failure, or in any case.
extension Promise {
  /// A promise of the value, or of what `body` gives in its place.
  ///
  /// - Parameter body: run in a task of its own when this promise fails; what it throws is the new promise's failure. Not
  ///   run when the new promise is cancelled first.
  public func recover(_ body: @escaping @Sendable (any Error) async throws -> Value) -> Promise<Value> {
    rescue { error in .outcome(await Result { try await body(error) }) }
  }

  /// A promise of the value, or of what the promise that `body` makes of the error comes to.
  @_disfavoredOverload  // else a closure that only throws, to translate an error, would be ambiguous
  public func recover(_ body: @escaping @Sendable (any Error) async throws -> Promise<Value>) -> Promise<Value> {
    rescue { error in
      do { return .promise(try await body(error)) } catch { return .outcome(.failure(error)) }
    }
  }

  /// Runs `body` when there is no value, and passes the failure on.
  ///
  /// Also when the new promise is cancelled before this one is settled: with `CancellationError`. `body` itself is not
  /// cancelled.
  ///
  /// - Returns: a promise that is settled as this one, once `body` has run.
  @discardableResult
  public func `catch`(_ body: @escaping @Sendable (any Error) async -> Void) -> Promise<Value> {
    observe { outcome in if case .failure(let error) = outcome { await body(error) } }
  }

  /// Runs `body` when this promise is settled, however that is, and passes the outcome on.
  ///
  /// Also when the new promise is cancelled before this one is settled. `body` itself is not cancelled: it can clean up.
  ///
  /// - Returns: a promise that is settled as this one, once `body` has run.
  @discardableResult
  public func finally(_ body: @escaping @Sendable () async -> Void) -> Promise<Value> {
    observe { _ in await body() }
  }

  private func rescue(
    _ body: @escaping @Sendable (any Error) async -> PromiseState<Value>.Conclusion
  ) -> Promise<Value> {
    derive { outcome, derived, settling in
      guard !derived.isSettled else { return }
      switch outcome {
      case .success: derived.settle(outcome, &settling)
      case .failure(let error): derived.run { await body(error) }
      }
    }
  }

  /// Runs `body` once in any case, in a task that nobody cancels: it may have to clean up.
  private func observe(_ body: @escaping @Sendable (Result<Value, any Error>) async -> Void) -> Promise<Value> {
    derive {
      Task(executorPreference: PreferredExecutor.current) { await body(.failure(CancellationError())) }
    } _: { outcome, derived, _ in
      Task(executorPreference: PreferredExecutor.current) {
        await body(outcome)
        Settling.perform { derived.settle(outcome, &$0) }
      }
    }
  }
}
