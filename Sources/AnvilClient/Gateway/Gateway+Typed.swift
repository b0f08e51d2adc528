internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Typed requests through a gateway.
extension Gateway {
  /// Executes a request that says what comes back and how it may fail.
  ///
  ///     let user = try await gateway.execute(Request<User, APIError>(url: path))       // path: users/1
  ///
  /// A URL without a scheme is a path under ``baseURL``, with the base URL's query before its own. The gateway's headers
  /// are added on the base URL's own server only; its preparation and recovery strategies hold. What the request's policy
  /// leaves unset is the gateway's, and the sensitive header fields of both hold. Formats, timeout and body are the
  /// request's; middleware, which may throw anything, does not see it.
  ///
  /// - Throws: the request's `Failure` and nothing else.
  public func execute<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Response {
    var request = request
    request.policy = request.policy.inheriting(from: policy)
    if request.url.scheme == nil {
      do throws(GatewayTarget.Invalid) {
        request.url = try GatewayTarget.reference(request.url.relativeString).url(under: baseURL, query: [:])
      } catch {
        let invalid = TransportError(code: .invalidRequest, reason: error.description, underlyingError: error)
        throw request.failureTransformer(TransportFailure(error: invalid, request: request.httpRequest))
      }
    }
    if HTTP.Origin(request.url) == HTTP.Origin(baseURL) { request.headers = headers.merging(request.headers) }
    return try await backend.execute(request)
  }
}
