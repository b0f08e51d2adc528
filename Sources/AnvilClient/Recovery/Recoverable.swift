/// Something that can be attempted again after it failed, a counted number of times.
public protocol Recoverable {
  /// How many times it has been attempted again.
  var recoveryAttemptCount: Int { get set }
  /// How many times it may be; `nil` for no limit.
  var maxRecoveryAttempts: Int? { get }
}

extension Recoverable {
  /// Whether it may be attempted again.
  public var isRecoverable: Bool {
    maxRecoveryAttempts.map { recoveryAttemptCount < $0 } ?? (recoveryAttemptCount < .max)
  }

  /// The same, counted as one attempt further; `nil` when there are no attempts left.
  public func updatedForNextAttempt() -> Self? {
    guard isRecoverable else { return nil }
    var next = self
    next.recoveryAttemptCount += 1
    return next
  }
}
