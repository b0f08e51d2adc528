package import AnvilHTTP

/// Sends a token to the given origins, and to no others, and refreshes it when it is rejected, as ``Authentication/bearer(_:origins:)``
/// describes. Redirects and renewed tokens count towards the same limit.
package struct BearerAuthentication: Interceptor {
  private let refresher: TokenRefresher
  /// The origins; `nil` for the server of the gateway that a request comes from.
  private let origins: Set<HTTP.Origin>?

  /// Creates an interceptor that sends the refresher's token to `origins`.
  package init(_ refresher: TokenRefresher, origins: Set<HTTP.Origin>) {
    self.refresher = refresher
    self.origins = origins
  }

  /// Creates an interceptor that sends the refresher's token to the server of the gateway that a request comes from.
  init(home refresher: TokenRefresher) {
    self.refresher = refresher
    origins = nil
  }

  /// Sends `request` with the token. Waits for a refresh first if one is needed or in progress.
  ///
  /// Cancelling the task ends the wait for a token, but not the refresh, which other requests may wait for.
  ///
  /// - Throws: `authenticationFailed` if no token is available; its `underlyingError` is the error of the refresh, if one failed. If the
  ///   refresh failed because a server could not be reached, the error has the code of that failure, such as `noConnection`.
  ///   `cancelled` if the task is cancelled while it waits for a token. `tooManyRedirects` if the common limit for redirects and challenges
  ///   is exceeded. The errors of the next session.
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
      guard request.body.isReplayable || request.body.isEmpty else {
        refresher.reject(grant)
        return response
      }
      await response.discard()
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
