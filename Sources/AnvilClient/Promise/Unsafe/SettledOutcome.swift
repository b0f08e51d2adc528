/// The outcome of a promise as an object.
///
/// The lock of a promise holds it as an object of any class: for a value of a generic type, each access to the lock made the runtime look
/// up four types.
@safe
final class SettledOutcome<Value: Sendable>: Sendable {
  private let outcome: Result<Value, any Error>

  init(_ outcome: Result<Value, any Error>) {
    self.outcome = outcome
  }

  /// Returns the outcome that `object` is, which the state of a promise of the same type of value created.
  static func outcome(in object: AnyObject) -> Result<Value, any Error> {
    // Safety: a `PromiseState` stores only objects of this class with its own type of value. Debug builds check it.
    unsafe unsafeDowncast(object, to: SettledOutcome.self).outcome
  }
}
