/// A value that is on its way: work that has begun, and what can be made of its result.
///
///     let user = gateway.request("users", 1).execute().decode(as: User.self)
///     print(try await user.value.login)
///
/// Hot: the work begins when the promise is made, whether or not anybody waits, and a promise that nobody keeps still does
/// its work. A promise is settled once, with a value or an error; copies are the same promise.
///
/// ### What is made of it
///
/// ``map(_:)`` and `then(_:)` make a promise of what comes next, `recover(_:)` saves a failure, ``catch(_:)`` and
/// ``finally(_:)`` look on. A failure passes every step that does not handle it.
///
/// ### Cancelling
///
/// ``cancel()`` settles the promise at once with `CancellationError` and cancels its work. A promise that was made of
/// another one also leaves that one, and so does a task that is cancelled while it waits for ``value``. The work behind a
/// promise is cancelled when the last who depended on it has left and nobody holds the promise: what others wait for goes
/// on, and so does what you keep in a property for whoever asks next. Every step counts as one who depends, those that only
/// look on, too.
///
/// ### Where closures run
///
/// Each in a task, never inside the call that makes, settles or cancels a promise. An `async` closure that is isolated,
/// `{ @MainActor user in … }`, runs on its actor. Priority and task-local values are those of the task that the promise was
/// made in, for a promise that was settled before those of the caller. So is the task executor that it prefers, where the
/// system can tell (Linux, Apple's from 26.4 on).
public struct Promise<Value: Sendable>: Sendable {
  private let holder: Holder

  var state: PromiseState<Value> { holder.state }

  init(state: PromiseState<Value>) {
    holder = Holder(state: state)
  }

  /// A promise of what `operation` gives, which begins at once in a task of its own.
  ///
  /// Cancelling the promise cancels that task.
  public init(_ operation: @escaping @Sendable () async throws -> Value) {
    self.init(state: PromiseState())
    state.run { .outcome(await Result(catching: operation)) }
  }

  /// A promise that is settled from the beginning.
  public init(result: Result<Value, any Error>) {
    self.init(state: PromiseState(outcome: result))
  }

  /// The value, waited for.
  ///
  /// When the waiting task is cancelled it stops waiting, and the promise's work is cancelled unless others depend on it or
  /// hold the promise.
  ///
  /// - Throws: why there is none; `CancellationError` when the promise or the waiting task was cancelled.
  public var value: Value {
    get async throws { try await state.awaitOutcome().get() }
  }

  /// The value or why there is none, waited for like ``value``.
  public var result: Result<Value, any Error> {
    get async { await state.awaitOutcome() }
  }

  /// Cancels the work and settles the promise with `CancellationError`; does nothing once it is settled.
  ///
  /// Promises made of this one fail with it; the one that this was made of is left.
  public func cancel() {
    Settling.perform { state.cancel(&$0) }
  }
}

extension Promise {
  /// What all copies of a promise have in common: when it goes, nobody is left to ask.
  private final class Holder: Sendable {
    let state: PromiseState<Value>

    init(state: PromiseState<Value>) {
      self.state = state
    }

    deinit {
      Settling.perform { state.release(&$0) }
    }
  }
}

extension Result where Failure == any Error {
  init(catching operation: () async throws -> Success) async {
    do {
      self = .success(try await operation())
    } catch {
      self = .failure(error)
    }
  }
}
