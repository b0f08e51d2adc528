/// Tries to save a request that failed: refreshes a token, waits, asks the user, and has it sent again.
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
/// ``BackendService`` asks its strategies in order until one does not answer
/// ``RecoveryDisposition/notAttempted``, after every failure anew, as long as the request has attempts left. It counts
/// them itself: a strategy cannot loop for ever by forgetting to.
public protocol RecoveryStrategy: Sendable {
  /// What is to happen after `request` failed with `error`.
  ///
  /// - Parameters:
  ///   - error: the failure in the caller's type.
  ///   - request: the request as the caller made it, before preparation, with its attempts counted. Its ``Request/lastFailure`` tells
  ///     what happened.
  func attemptRecovery<Response, Failure>(
    from error: Failure, executing request: Request<Response, Failure>
  ) async -> RecoveryDisposition<Response, Failure>
}

/// What a ``RecoveryStrategy`` decides.
public enum RecoveryDisposition<Response: Sendable, Failure: TransportFailureRepresentable>: Sendable {
  /// Not this strategy's kind of failure: ask the next one.
  case notAttempted
  /// Send this request next.
  case retry(Request<Response, Failure>)
  /// Give up, with this error; no other strategy is asked.
  case failure(Failure)
}
