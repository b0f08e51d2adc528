public import AnvilHTTP

/// Sends a token that is renewed when it is rejected, to the origins that a caller names and to no other.
///
///     let bearer = BearerAuthentication(refresher, origins: [origin])
///     let service = TransportService(session: session, interceptors: [RedirectInterceptor(), bearer])
///
/// A 401 has the token renewed by ``TokenRefresher``, once for all the requests that it hits, and the request sent
/// again. A 401 for a request that went out with an older token than there is has it sent again with the newer one,
/// without renewing anything. A request that meets a 401 with a token that was renewed for it gets that 401, and so
/// does one whose body can be sent only once: the next request then renews the token. A request with an `Authorization`
/// of its own is left alone.
public struct BearerAuthentication: Interceptor {
  private let refresher: TokenRefresher
  /// `nil` for the server of the gateway that a request comes from.
  private let origins: Set<HTTP.Origin>?

  /// An interceptor that sends the refresher's token to `origins`.
  public init(_ refresher: TokenRefresher, origins: Set<HTTP.Origin>) {
    self.refresher = refresher
    self.origins = origins
  }

  /// An interceptor that sends the refresher's token to the server of the gateway that a request comes from.
  init(home refresher: TokenRefresher) {
    self.refresher = refresher
    origins = nil
  }

  /// Sends `request` with the token, after a refresh where that is needed or on its way.
  ///
  /// Cancelling the task ends the wait for a token, and not the refresh, which others may wait for.
  ///
  /// - Throws: `authenticationFailed` when there is no token to be had, with the refresh's error as `underlyingError`;
  ///   `tooManyRedirects` at the limit that redirects and challenges share; what the next session throws.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = HTTP.Origin(request.url), origins?.contains(origin) ?? (origin == options.home),
      !refresher.isRefreshing,
      !request.headers.contains(.authorization)
    else { return try await next.send(request, options: options) }
    var options = options
    let followUps = options.followUps ?? FollowUpLimit()
    options.followUps = followUps

    var grant = try await refresher.grant()
    var attempts: [HTTP.History.Attempt] = []
    while true {
      var sent = request
      sent.headers[.authorization] = .authorizationBearer(token: grant.token.value)
      var response: TransportResponse
      do throws(TransportError) {
        response = try await next.send(sent, options: options)
      } catch {
        throw error.following(attempts: attempts)
      }
      let earlier = attempts
      attempts += response.head.history.attempts
      response.head.history.prepend(attempts: earlier)
      guard response.head.code == 401, HTTP.Origin(response.head.url) == origin, !grant.wasAwaited else {
        return response
      }
      guard request.body.isReplayable || request.body.isEmpty else {
        refresher.reject(grant)
        return response
      }
      await response.discard()
      do throws(TransportError) {
        grant = try await refresher.grant(insteadOf: grant)
      } catch {
        throw error.following(attempts: attempts)
      }
      guard followUps.take() else { throw followUps.exceeded.following(attempts: attempts) }
      options.eventHandler?(.authenticating(scheme: "Bearer"))
    }
  }
}
