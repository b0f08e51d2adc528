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
  /// are added on the base URL's own server only. What the request leaves unset is the gateway's: timeout, policy, cache policy,
  /// formats, recovery attempts, handlers. The sensitive header fields of both hold.
  ///
  /// - Throws: the request's `Failure` and nothing else.
  public func execute<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Response {
    var request = request
    request.untyped.inherit($settings)
    request.untyped.home = base.origin
    if request.url.scheme == nil {
      do throws(GatewayTarget.Invalid) {
        request.url = try GatewayTarget.reference(request.url.relativeString).url(under: base, query: [:])
      } catch {
        throw request.failureTransformer(request.httpRequest.invalid(error))
      }
    }
    if HTTP.Origin(request.url) == base.origin { request.headers = headers.merging(request.headers) }
    return try await backend.perform(request)
  }
}
