/// Changes requests before they are sent: adds a token, a signature, a date.
///
/// ``BackendService`` applies its strategies in order before every attempt, each time to the request as the caller or a
/// recovery strategy made it, so that nothing is added twice.
public protocol PreparationStrategy: Sendable {
  /// `request`, ready to be sent.
  ///
  /// - Throws: the request's own failure, made with `Failure(transportFailure:)`, when it cannot be made ready.
  func prepare<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Request<Response, Failure>
}
