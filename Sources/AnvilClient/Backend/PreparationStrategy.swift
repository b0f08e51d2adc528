/// A strategy that changes requests before they are sent, for example adds a token, a signature or a date.
///
/// ``BackendService`` applies its strategies in order before every attempt. The first strategy is given the request as the caller or a
/// recovery strategy created it, without the changes for earlier attempts, so that nothing is added twice.
///
/// A body that is a model is encoded when it is sent, and its `data` is `nil` until then. A strategy that needs the bytes, for a digest
/// or a signature, encodes the body and sends the encoded one:
///
///     guard let body = try? request.body.encoded(), let data = body.data else { return request }
///     return request.usingBody(body).addingHeaders(["X-Digest": digest(of: data)])
public protocol PreparationStrategy: Sendable {
  /// Returns `request` with the changes that it needs before it is sent.
  ///
  /// - Throws: the request's failure, created with `Failure(transportFailure:)`, when it cannot be prepared.
  func prepare<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Request<Response, Failure>
}
