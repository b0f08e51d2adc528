/// Changes requests before they are sent: adds a token, a signature, a date.
///
/// ``BackendService`` applies its strategies in order before every attempt, each time to the request as the caller or a
/// recovery strategy made it, so that nothing is added twice.
///
/// A body that is a model is encoded when it is sent, and its `data` is `nil` until then. A strategy that needs the bytes, for a digest
/// or a signature, encodes it and sends what it has read:
///
///     guard let body = try? request.body.encoded(), let data = body.data else { return request }
///     return request.usingBody(body).addingHeaders(["X-Digest": digest(of: data)])
public protocol PreparationStrategy: Sendable {
  /// `request`, ready to be sent.
  ///
  /// - Throws: the request's own failure, made with `Failure(transportFailure:)`, when it cannot be made ready.
  func prepare<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Request<Response, Failure>
}
