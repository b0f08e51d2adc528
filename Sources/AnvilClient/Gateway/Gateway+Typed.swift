internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Typed requests that are executed by a gateway.
extension Gateway {
  /// Executes a request whose types define its response and its failure.
  ///
  ///     let user = try await gateway.execute(Request<User, APIError>(url: path))       // path: users/1
  ///
  /// A URL without a scheme is a path under ``baseURL``, whose query precedes the URL's. The gateway's headers are added only for the
  /// base URL's server. The gateway's timeout, policy, cache policy, formats, recovery attempts and handlers apply where the request
  /// leaves them unset. The sensitive header fields of both apply.
  ///
  /// - Throws: the request's `Failure` only.
  public func execute<Response, Failure>(
    _ request: Request<Response, Failure>
  ) async throws(Failure) -> Response {
    var request = request
    request.untyped.inherit($settings)
    request.untyped.home = base.origin
    if request.url.scheme == nil {
      do throws(GatewayTarget.Invalid) {
        let target = try GatewayTarget.reference(request.url.relativeString).uri(under: base, query: [:])
        request.untyped.setTarget(target, at: base.origin)
      } catch {
        throw request.failureTransformer(request.httpRequest.invalid(error))
      }
    } else if HTTP.Origin(request.url) == base.origin {
      request.untyped.setTarget(.url(request.url), at: base.origin)
    }
    if request.untyped.isAtHome { request.headers = headers.merging(request.headers) }
    return try await backend.perform(request)
  }
}
