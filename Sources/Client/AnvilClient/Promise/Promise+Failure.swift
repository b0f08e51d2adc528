/// Steps that follow a failure, or any outcome.
extension Promise {
  /// Returns a promise of this promise's value or, if this promise fails, of the value that `body` returns.
  ///
  /// - Parameter body: A closure that runs in a new task when this promise fails. Its error becomes the new promise's failure. It is not
  ///   run if the new promise is cancelled first.
  public func recover(_ body: @escaping @Sendable (any Error) async throws -> Value) -> Promise<Value> {
    rescue { error in .outcome(await SettledOutcome { try await body(error) }) }
  }

  /// Returns a promise of this promise's value. If this promise fails, the new one has the outcome of the promise that `body` returns.
  @_disfavoredOverload  // else a closure that only throws, to translate an error, would be ambiguous
  public func recover(_ body: @escaping @Sendable (any Error) async throws -> Promise<Value>) -> Promise<Value> {
    rescue { error in
      do { return .promise(try await body(error).holder) } catch { return .outcome(.failure(error)) }
    }
  }

  /// Runs `body` if the promise fails, and passes the failure on.
  ///
  /// `body` also runs, with `CancellationError`, if the new promise is cancelled before this one is settled. `body` itself is not
  /// cancelled.
  ///
  /// - Returns: A promise with the same outcome, settled when `body` has run.
  @discardableResult
  public func `catch`(_ body: @escaping @Sendable (any Error) async -> Void) -> Promise<Value> {
    observe { outcome in if case .failure(let error) = outcome { await body(error) } }
  }

  /// Runs `body` when this promise is settled with any outcome, and passes the outcome on.
  ///
  /// `body` also runs if the new promise is cancelled before this one is settled. `body` itself is not cancelled, so it can clean up.
  ///
  /// - Returns: A promise with the same outcome, settled when `body` has run.
  public func finally(_ body: @escaping @Sendable () async -> Void) -> Promise<Value> {
    observe { _ in await body() }
  }

  private func rescue(
    _ body: @escaping @Sendable (any Error) async -> PromiseState.Conclusion
  ) -> Promise<Value> {
    Promise(
      state: state.derive { outcome, derived, settling in
        guard !derived.isSettled else { return }
        switch outcome {
        case .value: derived.settle(outcome, &settling)
        case .failure(let error): derived.run { await body(error) }
        }
      })
  }

  /// Runs `body` once with any outcome, in a task that is never cancelled, because `body` may have to clean up.
  private func observe(_ body: @escaping @Sendable (SettledOutcome) async -> Void) -> Promise<Value> {
    Promise(
      state: state.derive {
        Task.inheritingExecutor { await body(.failure(CancellationError())) }
      } _: { outcome, derived, _ in
        Task.inheritingExecutor {
          await body(outcome)
          Settling.perform { derived.settle(outcome, &$0) }
        }
      })
  }
}
