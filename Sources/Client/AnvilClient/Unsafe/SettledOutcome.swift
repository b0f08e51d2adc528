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

  /// Returns the outcome of calling `transform` with the value and with the outcome of its exchange. A failure is returned unchanged.
  func mapped<Value: Sendable, New: Sendable>(
    _ transform: (Value, AttemptOutcome?) throws -> New
  ) -> Dependant.StepResult {
    do {
      return .outcome(SettledOutcome(value: try transform(get(Value.self), attempt)))
    } catch {
      return .outcome(.failure(error))
    }
  }
}

/// A task that is suspended until a promise is settled.
///
/// An object that checks the use of a continuation would take 900 of the 40,000 instructions of a promise.
@safe
struct WaitingTask: Sendable {
  private let continuation: UnsafeContinuation<SettledOutcome, Never>

  /// Suspends the current task until ``resume(with:)`` is called. `body` receives the task, and must have it resumed exactly once.
  @inline(__always)
  static func wait(_ body: (WaitingTask) -> Void) async -> SettledOutcome {
    // Safety: the only caller is `PromiseState.awaitOutcome`. It resumes the task itself, or adds it to the dependants, from which it is
    // removed under a lock, exactly once, before it is resumed.
    unsafe await withUnsafeContinuation { body(unsafe WaitingTask(continuation: $0)) }
  }

  func resume(with outcome: SettledOutcome) {
    // Safety: see `wait(_:)`.
    unsafe continuation.resume(returning: outcome)
  }
}
