public import AnvilHTTP

/// A way in which a client authenticates its requests; see ``ClientConfiguration/authentication``.
///
/// A request that already has an `Authorization` is not changed. Each redirected request is authenticated for its own origin. Redirects and
/// answers to challenges count towards the same limit: beyond it, a request fails with `TransportError.Code.tooManyRedirects`.
public struct Authentication: Sendable {
  /// Returns the interceptor that authenticates requests to the server at an origin. For `nil`, it authenticates requests to the server of the
  /// gateway that creates them.
  let interceptor: @Sendable (HTTP.Origin?) -> any Interceptor

  /// Authenticates with `credential` at the server of the gateway that creates the request. The credential is not sent with requests that a
  /// ``BackendService`` executes without a gateway. Use ``credentials(_:proxy:)`` if the URL of a gateway is input of the program.
  public static func credential(_ credential: Credential) -> Authentication {
    Authentication { origin in
      origin.map { AuthenticationInterceptor(credentials: [$0: credential]) }
        ?? AuthenticationInterceptor(home: credential)
    }
  }

  /// Authenticates with one credential per origin, and with one for a proxy.
  ///
  ///     guard let origin = HTTP.Origin(url) else { … }
  ///     configuration.authentication = [.credentials([origin: try .password(username: "smith", password: password)])]
  ///
  /// The strongest challenge of a 401 that the credential supports is answered: Digest with SHA-512-256, with SHA-256, with MD5, then Basic.
  /// The scheme is remembered and used for later requests to that origin, for Digest with an incremented nonce count. If a credential is
  /// rejected, it is not sent again and the 401 is the response. The 401 is also the response if the body can be sent only once.
  ///
  /// For a server that offers only `qop=auth-int`, the hash of the request's body is sent. A file is read once more for the hash. If the body
  /// can be read only once, the request fails with `TransportError.Code.authenticationFailed`.
  ///
  /// - Parameters:
  ///   - credentials: The credential for each origin. It is not sent to any other scheme, host or port.
  ///   - proxy: The credential for a proxy's 407 to a plain HTTP request. A 407 over https comes from the server and is not answered.
  ///     Nothing is sent before the first 407. Use it only with a session that does not send `Proxy-Authorization` to servers, such as
  ///     `CurlSession`. The credentials of a proxy for https belong in the configuration of that session.
  public static func credentials(_ credentials: [HTTP.Origin: Credential], proxy: Credential? = nil) -> Authentication {
    Authentication { _ in AuthenticationInterceptor(credentials: credentials, proxy: proxy) }
  }

  /// Authenticates with the token of `refresher`, which is refreshed when a server rejects it.
  ///
  /// After a 401, ``TokenRefresher`` refreshes the token once for all affected requests, and the requests are sent again. If a newer token is
  /// already available, the request is sent again with it and nothing is refreshed. If the server rejects a token that was refreshed after
  /// a 401 of the same request, the request returns that 401. A request whose body can be sent only once also returns its 401, and the
  /// next request then refreshes the token.
  ///
  /// - Parameter origins: the servers that the token is sent to. `nil` for the server of the gateway that creates the request.
  public static func bearer(_ refresher: TokenRefresher, origins: Set<HTTP.Origin>? = nil) -> Authentication {
    Authentication { origin in
      BearerAuthentication(refresher, origins: origins ?? origin.map { [$0] })
    }
  }
}

/// Sends a token to the given origins, and to no others, and refreshes it when it is rejected, as ``Authentication/bearer(_:origins:)``
/// describes. Redirects and renewed tokens count towards the same limit.
package struct BearerAuthentication: Interceptor {
  private let refresher: TokenRefresher
  /// The origins; `nil` for the server of the gateway that a request comes from.
  private let origins: Set<HTTP.Origin>?

  package init(_ refresher: TokenRefresher, origins: Set<HTTP.Origin>?) {
    self.refresher = refresher
    self.origins = origins
  }

  /// Sends `request` with the token. Waits for a refresh first if one is needed or in progress; see ``TokenRefresher``.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = request.origin, origins?.contains(origin) ?? (origin == options.home),
      !refresher.isRefreshing,
      !request.headers.contains(.authorization)
    else { return try await next.send(request, options: options) }
    var options = options
    let followUps = options.followUps ?? FollowUpLimit()
    options.followUps = followUps

    var grant = try await refresher.grant(for: options)
    var attempts: [HTTP.History.Attempt] = []
    // A token that was fetched before the first attempt may have been revoked since, so it does not count.
    var wasRenewed = false
    while true {
      var sent = request
      sent.headers[.authorization] = .authorizationBearer(token: grant.token.value)
      var response = try await next.send(sent, options: options, following: &attempts)
      guard response.head.code == 401, HTTP.Origin(response.head.url) == origin, !wasRenewed else {
        return response
      }
      guard request.body.isReplayable else {
        refresher.reject(grant)
        return response
      }
      await response.discard(options)
      do throws(TransportError) {
        grant = try await refresher.grant(for: options, insteadOf: grant)
        wasRenewed = grant.wasAwaited
      } catch {
        throw error.following(attempts: attempts)
      }
      guard followUps.take() else { throw followUps.exceeded.following(attempts: attempts) }
      options.eventHandler?(.authenticating(scheme: "Bearer"))
    }
  }
}
