/// The outcome of a promise without the type of its value.
///
/// The state of a promise and the steps between promises are not generic. In a generic version, the runtime looked up twenty types for a
/// promise and its derived one, which took an eighth of a request's instructions.
@safe
enum SettledOutcome: Sendable {
  /// The value, in an object whose type states the type of the value, and the outcome of the exchange that the value is the response of.
  case value(any AnyObject & Sendable, AttemptOutcome?)
  case failure(any Error)

  private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  init<Value: Sendable>(value: Value, reportingTo outcome: AttemptOutcome? = nil) {
    self = .value(Box(value), outcome)
  }

  init<Value: Sendable>(_ result: Result<Value, any Error>) {
    switch result {
    case .success(let value): self.init(value: value)
    case .failure(let error): self = .failure(error)
    }
  }

  init<Value: Sendable>(catching operation: () async throws -> Value) async {
    do {
      self.init(value: try await operation())
    } catch {
      self = .failure(error)
    }
  }

  /// Returns the value, which is of the type of the promise, or throws the failure.
  func get<Value: Sendable>(_ type: Value.Type) throws -> Value {
    switch self {
    // Safety: a `Promise<Value>` settles its state only with values of its own type. Debug builds check it.
    case .value(let box, _): unsafe unsafeDowncast(box, to: Box<Value>.self).value
    case .failure(let error): throw error
    }
  }

  func result<Value: Sendable>() -> Result<Value, any Error> {
    Result { try get(Value.self) }
  }

  /// The outcome of the exchange that the value is the response of; `nil` for other values and without observers.
  var attempt: AttemptOutcome? {
    if case .value(_, let attempt) = self { attempt } else { nil }
  }

  /// Returns the outcome of calling `transform` with the value. A failure is returned unchanged.
  func map<Value: Sendable, New: Sendable>(_ transform: (Value) throws -> New) -> SettledOutcome {
    do {
      return SettledOutcome(value: try transform(get(Value.self)))
    } catch {
      return .failure(error)
    }
  }
}
