/// A value that can be attempted again after a failure, a limited number of times.
public protocol Recoverable {
  /// The number of repeated attempts so far.
  var recoveryAttemptCount: Int { get set }
  /// The maximum number of repeated attempts; `nil` for no limit.
  var maxRecoveryAttempts: Int? { get }
}

extension Recoverable {
  /// A Boolean value that indicates whether another attempt is allowed.
  public var isRecoverable: Bool {
    maxRecoveryAttempts.map { recoveryAttemptCount < $0 } ?? (recoveryAttemptCount < .max)
  }

  /// Returns a copy that counts one more attempt, or `nil` when no attempts are left.
  public func updatedForNextAttempt() -> Self? {
    guard isRecoverable else { return nil }
    var next = self
    next.recoveryAttemptCount += 1
    return next
  }
}
