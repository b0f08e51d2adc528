/// Steps that follow a value. Each returns a new promise. If this promise fails, the new one fails with the same error and the closure is
/// not run.
extension Promise {
  /// Returns a promise of the value that `transform` returns.
  ///
  /// Use it for quick work: the closure runs in the task that settles this promise, before that task notifies the other dependants.
  ///
  /// - Parameter transform: A closure whose error becomes the new promise's failure.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Value) throws -> New) -> Promise<New> {
    derive { outcome, derived, settling in
      guard !derived.isSettled else { return }
      derived.settle(outcome.flatMap { value in Result { try transform(value) } }, &settling)
    }
  }

  /// Returns a promise of the value that `body` returns. `body` runs in a new task.
  ///
  ///     gateway.request("users", id).execute().decode(as: User.self).then { @MainActor user in
  ///       label.text = user.login
  ///     }
  ///
  /// - Parameter body: A closure whose error becomes the new promise's failure. Cancelling the new promise cancels the closure's task.
  @discardableResult
  public func then<New: Sendable>(_ body: @escaping @Sendable (Value) async throws -> New) -> Promise<New> {
    derive(running: body) { .outcome($0) }
  }

  /// Returns a promise that is settled with the outcome of the promise that `body` returns.
  ///
  ///     token.then { token in gateway.request("users", token.userID).execute() }
  ///
  /// - Parameter body: A closure whose error becomes the new promise's failure. If the new promise is cancelled, it stops depending on the
  ///   promise that the closure returned.
  @discardableResult
  public func then<New: Sendable>(_ body: @escaping @Sendable (Value) async throws -> Promise<New>) -> Promise<New> {
    derive(running: body) { result in
      switch result {
      case .success(let promise): .promise(promise)
      case .failure(let error): .outcome(.failure(error))
      }
    }
  }

  /// Returns a promise of the value that `body` returns. `body` runs on `actor` in a new task.
  ///
  ///     promise.then(on: cache) { cache, user in cache.insert(user) }
  @discardableResult
  public func then<Context: Actor, New: Sendable>(
    on actor: Context, _ body: @escaping @Sendable (isolated Context, Value) async throws -> New
  ) -> Promise<New> {
    then { value in try await body(actor, value) }
  }

  /// Returns a promise with the conclusion of `body`, which runs in a task when this promise has a value.
  private func derive<Product: Sendable, New: Sendable>(
    running body: @escaping @Sendable (Value) async throws -> Product,
    _ conclude: @escaping @Sendable (Result<Product, any Error>) -> PromiseState<New>.Conclusion
  ) -> Promise<New> {
    derive { outcome, derived, settling in
      guard !derived.isSettled else { return }
      switch outcome {
      case .success(let value): derived.run { conclude(await Result { try await body(value) }) }
      case .failure(let error): derived.settle(.failure(error), &settling)
      }
    }
  }

  /// Returns a promise that depends on this one until it is settled. `step` receives this promise's outcome.
  ///
  /// - Parameter onCancel: A closure that is called if the new promise is cancelled before this one is settled.
  func derive<New: Sendable>(
    onCancel: @escaping @Sendable () -> Void = {},
    _ step: @escaping @Sendable (Result<Value, any Error>, PromiseState<New>, inout Settling) -> Void
  ) -> Promise<New> {
    let id = DependantID()
    let derived = PromiseState<New> { [state] settling in
      if state.leave(id, &settling) != nil { onCancel() }
    }
    state.join(id) { [state] settling in
      if let outcome = state.outcome { step(outcome, derived, &settling) }
    }
    return Promise<New>(state: derived)
  }
}
