/// The result of an operation that has already started.
///
///     let user = gateway.request("users", 1).execute().decode(as: User.self)
///     print(try await user.value.login)
///
/// Promises are hot: the work starts when the promise is created, even if no task awaits it, and continues if the promise is not stored. A
/// promise is settled once, with a value or an error. Copies refer to the same promise.
///
/// ### Deriving promises
///
/// ``map(_:)`` and `then(_:)` derive a promise of the next result, and `recover(_:)` handles a failure. ``catch(_:)`` and ``finally(_:)``
/// observe the outcome. A failure passes through every step that does not handle it.
///
/// ### Cancelling
///
/// ``cancel()`` settles the promise at once with `CancellationError` and cancels its work. A derived promise that is cancelled stops
/// depending on the promise it was derived from, and so does a task that is cancelled while it awaits ``value``. If a promise had dependants
/// and the last of them leaves, its work is cancelled unless a copy of the promise is stored. Work that other dependants await continues, and so does
/// the work of a promise that you keep in a property for later use. Every step counts as a dependant, including steps that only observe.
///
/// ### Where closures run
///
/// Each closure runs in a task, never inside the call that creates, settles or cancels a promise. An isolated `async` closure,
/// `{ @MainActor user in … }`, runs on its actor. Priority and task-local values are those of the task that created the promise, or those
/// of the caller if the promise was already settled. The same applies to the preferred task executor, on systems that report it (Linux, and
/// Apple's systems from 26.4).
public struct Promise<Value: Sendable>: Sendable {
  let holder: PromiseHolder

  var state: PromiseState { holder.state }

  /// Creates a promise with a state that is settled with a `Value` or an error.
  init(state: PromiseState) {
    holder = PromiseHolder(state: state)
  }

  /// Creates a promise of the result of `operation`, which starts at once in a new task.
  ///
  /// Cancelling the promise cancels that task.
  public init(_ operation: @escaping @Sendable () async throws -> Value) {
    self.init(state: PromiseState())
    state.run { .outcome(await SettledOutcome(catching: operation)) }
  }

  /// Creates a promise that is already settled with `result`.
  public init(result: Result<Value, any Error>) {
    self.init(state: PromiseState(outcome: SettledOutcome(result)))
  }

  /// The value of the promise. Reading it suspends until the promise is settled.
  ///
  /// If the waiting task is cancelled, it stops waiting. The promise's work is then cancelled unless it has other dependants or a copy of
  /// the promise is stored.
  ///
  /// - Throws: The promise's error, or `CancellationError` if the promise or the waiting task was cancelled.
  public var value: Value {
    get async throws { try await state.awaitOutcome().get(Value.self) }
  }

  /// The value or the error. Reading it suspends like ``value``.
  public var result: Result<Value, any Error> {
    get async { await state.awaitOutcome().result() }
  }

  /// Cancels the work and settles the promise with `CancellationError`. Does nothing if the promise is settled.
  ///
  /// Promises derived from this one fail with the same error. This promise stops depending on the promise it was derived from.
  public func cancel() {
    Settling.perform { state.cancel(&$0) }
  }
}

/// An object that all copies of a promise share. When it is released, no copy remains that could request the value.
final class PromiseHolder: Sendable {
  let state: PromiseState

  init(state: PromiseState) {
    self.state = state
  }

  deinit {
    Settling.perform { state.release(&$0) }
  }
}
