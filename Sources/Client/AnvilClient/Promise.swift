public import AnvilBase
internal import AnvilBodies
public import AnvilHTTP

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
/// `{ @MainActor user in … }`, runs on its actor. Priority and task-local values are those of the task that settles the promise: the promise's
/// work, which has those of the task that created the promise, or a task that cancels the promise. They are those of the caller if the promise
/// was already settled. The same applies to the preferred task executor, on systems that report it (Linux, and Apple's systems from 26.4).
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
    state.release()
  }
}

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
      state: state.derive { outcome in
        guard case .failure(let error) = outcome else { return .outcome(outcome) }
        return .work { await body(error) }
      })
  }

  private func observe(_ body: @escaping Dependant.Observation) -> Promise<Value> {
    Promise(state: state.derive { .observer($0, body) })
  }
}

/// Combinations of several promises. The combined promise depends on all of them from the beginning. It stops depending on those that no
/// longer affect its outcome.
extension Promise {
  /// Returns a promise of all values, in the order of `promises`. It fails with the first failure, and then stops
  /// waiting for the other promises.
  ///
  /// The result for an empty array is an empty array.
  public static func all<Element: Sendable>(_ promises: [Promise<Element>]) -> Promise<[Element]>
  where Value == [Element] {
    let held = promises.map { $0.map(\.self) }
    return Promise<[Element]> {
      try await withThrowingTaskGroup(of: (Int, Element).self) { group in
        for (index, promise) in held.enumerated() {
          group.addTask { (index, try await promise.value) }
        }
        var values = [Element?](repeating: nil, count: held.count)
        for try await (index, value) in group { values[index] = value }
        return values.compactMap(\.self)
      }
    }
  }

  /// Returns a promise of all values as a tuple. It fails with the first failure, and then stops waiting for the other
  /// promises.
  ///
  ///     let (user, repositories) = try await Promise.all(user, repositories).value
  public static func all<each Element: Sendable>(_ promise: repeat Promise<each Element>) -> Promise<Value>
  where Value == (repeat each Element) {
    var kept: [Promise<Void>] = []
    for promise in repeat each promise { kept.append(promise.map { _ in }) }
    return Promise<[Void]>.all(kept).then { _ in
      (repeat try await (each promise).value)
    }
  }

  /// Returns a promise with the outcome of the promise that is settled first. It then stops waiting for the others.
  ///
  /// The result for an empty array fails.
  public static func race(_ promises: [Promise<Value>]) -> Promise<Value> {
    let held = promises.map(\.dependant)
    let race = Promise(state: PromiseState())
    race.state.run {
      await withTaskGroup(of: SettledOutcome.self) { group in
        for promise in held {
          group.addTask { await promise.state.awaitOutcome() }
        }
        defer { group.cancelAll() }
        return .outcome(await group.next() ?? .failure(EmptyRaceError()))
      }
    }
    return race
  }

  /// A promise with the same outcome, which depends on this one.
  private var dependant: Promise {
    Promise(state: state.derive { .follower($0) })
  }
}

package struct EmptyRaceError: Error, Hashable, CustomStringConvertible {
  package init() {}

  package var description: String { "a race needs at least one promise" }
}

/// Decoding the bodies of responses and requests.
///
/// Each function reads the body in `format`. With `nil`, it uses the body's format, which is that of the gateway or the one set on the
/// request.
///
/// A promise of a response's model fails with a ``DecodingFailure`` that has the response, the path and the reason. It fails with a
/// ``TransportFailure`` of code `noData` when the response has no body and an empty body does not decode. A promise of a request's model
/// fails with the error that the format throws; a value that is not encoded yet is encoded first. Both fail with
/// `HTTP.BodyError.notCollected` for a file or a stream, and with this promise's error when this promise fails.
extension Promise where Value: HTTP.Message {
  /// Returns a promise of a `type` that is decoded from the message's body. If the body wraps the value in an object, `container` is the
  /// type of that object.
  public func decode<Model: Decodable & Sendable>(
    as type: Model.Type, container: (any (DecodableContainer<Model> & SendableMetatype).Type)? = nil,
    with format: (any DecodingFormat)? = nil
  ) -> Promise<Model> {
    Promise<Model>(
      state: state.derive { outcome in
        outcome.mapped { (message: Value, attempt) in
          if attempt == nil, container == nil, let response = message.asResponse {
            return try response.model(as: type, by: format)
          }
          guard let container else {
            return try message.decoded(as: type, by: format, reportingTo: attempt) { try $0.decode(as: type) }
          }
          return try message.decoded(as: container, by: format, reportingTo: attempt) {
            try $0.decode(as: container).element
          }
        }
      })
  }

  /// Returns a promise of the model that `factory` decodes from the message's body. Use `factory.array` for a list of models.
  public func decode<Factory: DecodingFactory & Sendable>(
    using factory: Factory, with format: (any DecodingFormat)? = nil
  ) -> Promise<Factory.Model> where Factory.Model: Sendable {
    Promise<Factory.Model>(
      state: state.derive { outcome in
        outcome.mapped { (message: Value, attempt) in
          try message.decoded(using: factory, by: format, reportingTo: attempt)
        }
      })
  }

  /// Returns a promise of `value`, updated from the message's body. An object is updated in place.
  public func update<Model: DecoderUpdatable & Sendable>(
    _ value: Model, with format: (any DecodingFormat)? = nil
  ) -> Promise<Model> {
    Promise<Model>(
      state: state.derive { outcome in
        outcome.mapped { (message: Value, attempt) in
          try message.decoded(as: ModelPlaceholder.self, name: "\(Model.self)", by: format, reportingTo: attempt) {
            try $0.update(value)
          }
        }
      })
  }
}

extension HTTP.Response {
  /// Returns the model in the body, without copies of the body, which take 1,800 of the 40,000 instructions of a promise.
  fileprivate func model<Model: Decodable & SendableMetatype>(
    as type: Model.Type, by format: (any DecodingFormat)?
  ) throws -> Model {
    // An error of the caller, not of the message.
    guard body.isInMemoryOnceEncoded else { throw HTTP.BodyError.notCollected }
    do throws(CallFailure) {
      return try decoded(
        as: type, by: format ?? body.ownDecodingFormat ?? HTTP.Body.defaultDecodingFormat, reportingTo: nil)
    } catch {
      throw error.failure
    }
  }
}

extension HTTP.Message {
  /// - Throws: The errors of a promise's `decode(using:with:)`, except for errors that `isPassed` accepts: they are thrown unchanged.
  package func decoded<Factory: DecodingFactory>(
    using factory: Factory, by format: (any DecodingFormat)? = nil, reportingTo outcome: AttemptOutcome?,
    passing isPassed: (any Error) -> Bool = { _ in false }
  ) throws -> Factory.Model {
    try decoded(
      as: ModelPlaceholder.self, name: "\(Factory.Model.self)", by: format, reportingTo: outcome, passing: isPassed
    ) {
      try $0.decode(using: factory)
    }
  }

  /// Returns the result of `decode`, which reads the body in `format` if it is given, and reports it to `outcome`.
  ///
  /// - Throws: For a response, the failure that names the response and the `requested` type, or an error of `decode` that `isPassed`
  ///   accepts. For a request, the error that `decode` throws.
  func decoded<Model, Requested: Decodable & SendableMetatype>(
    as requested: Requested.Type, name: @autoclosure () -> String = "\(Requested.self)",
    by format: (any DecodingFormat)? = nil, reportingTo outcome: AttemptOutcome? = nil,
    passing isPassed: (any Error) -> Bool = { _ in false }, _ decode: (HTTP.Body) throws -> Model
  ) throws -> Model {
    // An error of the caller, not of the message.
    guard body.isInMemoryOnceEncoded else { throw HTTP.BodyError.notCollected }
    let body = body.decoded(by: format)
    guard let response = asResponse else { return try decode(body) }
    func decodeResponse(_ body: HTTP.Body) throws -> Model {
      var passed: (any Error)?
      do throws(CallFailure) {
        return try response.model(as: requested, name: name(), by: body.decodingFormat) {
          do {
            return try decode(body)
          } catch {
            if isPassed(error) { passed = error }
            throw error
          }
        }
      } catch {
        throw passed ?? error.failure
      }
    }
    return try outcome?.receive(decoding: body, decodeResponse) ?? decodeResponse(body)
  }
}

/// A placeholder for a model that is created by a factory or updated, which need not be `Decodable`. Errors that name a `Decodable` type
/// name it instead of the model.
enum ModelPlaceholder: Decodable {
  init(from decoder: any Decoder) throws {
    let description = "this placeholder for a model cannot be decoded"
    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: description))
  }
}
