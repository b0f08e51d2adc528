/// What comes after a value. Each makes a new promise, which fails as this one does without running the closure.
extension Promise {
  /// A promise of what `transform` makes of the value.
  ///
  /// For quick work: it runs in the task that keeps this promise, before that task's other dependants are told.
  ///
  /// - Parameter transform: what it throws is the new promise's failure.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Value) throws -> New) -> Promise<New> {
    derive { outcome, derived, settling in
      guard !derived.isSettled else { return }
      derived.settle(outcome.flatMap { value in Result { try transform(value) } }, &settling)
    }
  }

  /// A promise of what `body` makes of the value, in a task of its own.
  ///
  ///     gateway.request("users", id).execute().decode(as: User.self).then { @MainActor user in
  ///       label.text = user.login
  ///     }
  ///
  /// - Parameter body: what it throws is the new promise's failure; cancelling the new promise cancels its task.
  @discardableResult
  public func then<New: Sendable>(_ body: @escaping @Sendable (Value) async throws -> New) -> Promise<New> {
    derive(running: body) { .outcome($0) }
  }

  /// A promise of what the promise that `body` makes of the value comes to.
  ///
  ///     token.then { token in gateway.request("users", token.userID).execute() }
  ///
  /// - Parameter body: what it throws is the new promise's failure. Cancelling the new promise leaves the one it made.
  @discardableResult
  public func then<New: Sendable>(_ body: @escaping @Sendable (Value) async throws -> Promise<New>) -> Promise<New> {
    derive(running: body) { result in
      switch result {
      case .success(let promise): .promise(promise)
      case .failure(let error): .outcome(.failure(error))
      }
    }
  }

  /// A promise of what `body` makes of the value on `actor`, in a task of its own.
  ///
  ///     promise.then(on: cache) { cache, user in cache.insert(user) }
  @discardableResult
  public func then<Context: Actor, New: Sendable>(
    on actor: Context, _ body: @escaping @Sendable (isolated Context, Value) async throws -> New
  ) -> Promise<New> {
    then { value in try await body(actor, value) }
  }

  /// A promise of what `body` ends in, which is run in a task once there is a value.
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

  /// A promise that depends on this one until it is settled, and is then handed this one's outcome.
  ///
  /// - Parameter onCancel: called when the new promise is cancelled before this one is settled.
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
