package import AnvilHTTP

/// Steps that follow a value. Each returns a new promise. If this promise fails, the new one fails with the same error and the closure is
/// not run.
extension Promise {
  /// Returns a promise of the value that `transform` returns.
  ///
  /// Use it for quick work: the closure runs in the task that settles this promise, and delays the dependants that the task notifies after
  /// it.
  ///
  /// - Parameter transform: A closure whose error becomes the new promise's failure.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Value) throws -> New) -> Promise<New> {
    Promise<New>(state: state.derive { outcome in outcome.mapped { value, _ in try transform(value) } })
  }

  /// Returns a promise of the value that `body` returns. `body` runs in a new task.
  ///
  ///     gateway.request("users", id).execute().decode(as: User.self).then { @MainActor user in
  ///       label.text = user.login
  ///     }.catch { error in
  ///       show(error)
  ///     }
  ///
  /// - Parameter body: A closure whose error becomes the new promise's failure. Cancelling the new promise cancels the closure's task.
  public func then<New: Sendable>(_ body: @escaping @Sendable (Value) async throws -> New) -> Promise<New> {
    derive { value, _ in .outcome(await SettledOutcome { try await body(value) }) }
  }

  /// Returns a promise that is settled with the outcome of the promise that `body` returns.
  ///
  ///     token.then { token in gateway.request("users", token.userID).execute() }
  ///
  /// - Parameter body: A closure whose error becomes the new promise's failure. If the new promise is cancelled, it stops depending on the
  ///   promise that the closure returned.
  public func then<New: Sendable>(_ body: @escaping @Sendable (Value) async throws -> Promise<New>) -> Promise<New> {
    derive { value, _ in
      do { return .promise(try await body(value).holder) } catch { return .outcome(.failure(error)) }
    }
  }

  /// Returns a promise of the value that `body` returns. `body` runs on `actor` in a new task.
  ///
  ///     promise.then(on: cache) { cache, user in cache.insert(user) }
  public func then<Context: Actor, New: Sendable>(
    on actor: Context, _ body: @escaping @Sendable (isolated Context, Value) async throws -> New
  ) -> Promise<New> {
    then { value in try await body(actor, value) }
  }

  /// Returns a promise with the conclusion of `work`, which also receives the outcome of the exchange that the value is the response of.
  func derive<New: Sendable>(
    _ work: @escaping @Sendable (Value, AttemptOutcome?) async -> PromiseState.Conclusion
  ) -> Promise<New> {
    Promise<New>(
      state: state.derive { outcome in
        do {
          let value = try outcome.get(Value.self)
          return .work { await work(value, outcome.attempt) }
        } catch {
          return .outcome(.failure(error))
        }
      })
  }
}

/// Steps that process a message and report the result to the observers of its exchange.
extension Promise where Value: HTTP.Message {
  /// Creates a promise of the response of `call`, which starts at once in a new task.
  init(exchange call: consuming GatewayCall) where Value == HTTP.Response {
    self.init(state: PromiseState())
    state.run(call)
  }

  /// Returns a promise of the value that `store` returns. Like `then(_:)`, with the outcome to which `store` reports.
  package func thenMessage<New: Sendable>(
    _ store: @escaping @Sendable (Value, AttemptOutcome?) async throws -> New
  ) -> Promise<New> {
    derive { value, attempt in .outcome(await SettledOutcome { try await store(value, attempt) }) }
  }

  /// Returns a promise of the message that `wrap` makes from the message of this promise, and which belongs to the same exchange.
  package func wrapped<New: HTTP.Message>(_ wrap: @escaping @Sendable (Value) -> New) -> Promise<New> {
    Promise<New>(
      state: state.derive { outcome in
        do {
          let message = wrap(try outcome.get(Value.self))
          return .outcome(SettledOutcome(value: message, reportingTo: outcome.attempt))
        } catch {
          return .outcome(.failure(error))
        }
      })
  }
}
