internal import AnvilHTTP

/// Sends a request again after a pause when the failure may pass by itself.
///
/// That is a status of 408, 425, 429, 500, 502, 503 or 504, a server that could not be reached or a connection lost before
/// the response; and only for methods that can be sent twice without harm (RFC 9110 §9.2.2). How often is the request's
/// `maxRecoveryAttempts`.
public struct BackoffRecoveryStrategy: RecoveryStrategy {
  private let backoff: any BackoffStrategy
  private let clock: any Clock<Duration>
  private let isTransient: @Sendable (TransportError.Code) -> Bool

  /// A strategy that waits as `backoff` says.
  ///
  /// - Parameters:
  ///   - clock: what the pause is measured by.
  ///   - isTransient: which failures may pass by themselves.
  public init(
    backoff: any BackoffStrategy = ExponentialBackoff(),
    clock: any Clock<Duration> = ContinuousClock(),
    isTransient: @escaping @Sendable (TransportError.Code) -> Bool = { Self.isTransient($0) }
  ) {
    self.backoff = backoff
    self.clock = clock
    self.isTransient = isTransient
  }

  /// Whether a failure of this kind may pass by itself, as this type's description lists.
  public static func isTransient(_ code: TransportError.Code) -> Bool {
    switch code {
    case .clientError(.requestTimeout), .clientError(.tooEarly), .clientError(.tooManyRequests): true
    case .serverError(.internalServerError), .serverError(.badGateway), .serverError(.serviceUnavailable),
      .serverError(.gatewayTimeout):
      true
    case .noConnection, .connectionLost: true
    default: false
    }
  }

  /// Waits and has `request` sent again. Cancelling the task ends the pause at once.
  public func attemptRecovery<Response, Failure>(
    from error: Failure, executing request: Request<Response, Failure>
  ) async -> RecoveryDisposition<Response, Failure> {
    guard request.method.isIdempotent, let code = error.transportError?.code, isTransient(code) else {
      return .notAttempted
    }
    guard let next = request.updatedForNextAttempt() else { return .failure(error) }
    do {
      try await clock.sleep(for: backoff.delay(beforeAttempt: next.recoveryAttemptCount))
      return .retry(next)
    } catch {
      return .notAttempted
    }
  }
}
