/// A strategy that recovers from failures: for example, it refreshes a token, waits or prompts the user, and then has the request sent
/// again.
///
///     struct Reauthorize: RecoveryStrategy {
///       func attemptRecovery<R, F>(
///         from error: F, executing request: Request<R, F>
///       ) async -> RecoveryDisposition<R, F> {
///         guard case .clientError(.unauthorized) = request.lastFailure?.error.code else { return .notAttempted }
///         guard let token = await tokens.refreshed() else { return .failure(error) }
///         return .retry(request.addingHeaders([.authorization: .authorizationBearer(token: token)]))
///       }
///     }
///
/// After a failure, ``BackendService`` consults its strategies in order until one returns something other than
/// ``RecoveryDisposition/notAttempted``. It does not consult them if the request was cancelled, or has no attempts or no time left. The
/// service counts the attempts, so a strategy cannot cause an endless loop.
public protocol RecoveryStrategy: Sendable {
  /// Returns the action to take after `request` failed with `error`.
  ///
  /// - Parameters:
  ///   - error: the failure in the caller's type.
  ///   - request: the request as the caller or an earlier recovery created it, before preparation, with its attempts counted.
  ///     ``Request/lastFailure`` is the transport's failure.
  func attemptRecovery<Response, Failure>(
    from error: Failure, executing request: Request<Response, Failure>
  ) async -> RecoveryDisposition<Response, Failure>
}

/// The decision of a ``RecoveryStrategy``.
public enum RecoveryDisposition<Response: Sendable, Failure: TransportFailureRepresentable>: Sendable {
  /// The strategy does not handle this kind of failure: consult the next one.
  case notAttempted
  /// Send this request next.
  case retry(Request<Response, Failure>)
  /// Give up with this error; no other strategy is consulted.
  case failure(Failure)
}
