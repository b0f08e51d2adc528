public import AnvilHTTP

/// Follows redirects, which no session does.
///
///     let service = TransportService(session: session, interceptors: [RedirectInterceptor()])
///
/// 301 and 302 turn POST into GET, 303 turns all but HEAD into GET, and the body goes with its fields; 307 and 308 keep
/// both. Another 3xx, or one of these without a `Location` or with an empty one, is the response.
///
/// A redirect to another scheme, host or port takes along only the fields whose values ``HTTP/Redaction`` shows, such as `Accept`,
/// and those that ``RequestPolicy/crossOriginHeaders`` names: no `Authorization`, `Cookie`, `X-Api-Key` or other field that is not
/// known to be harmless, and no credentials in the URL. ``RequestPolicy/sensitiveHeaders`` names more fields to leave behind. What
/// was left behind is not restored when a later redirect leads back.
///
/// Let it be the first interceptor: those after it then see each request of the way, and answer challenges and keep
/// cookies by where it goes. What was followed is in `response.history.redirections`, and in ``TransportError/history``
/// when it came to a failure. A request's own ``RequestPolicy/redirects`` is used instead of the interceptor's.
///
/// Redirects and answers to challenges share a limit of 20, or as many as the policy allows redirects, where those are
/// more.
public struct RedirectInterceptor: Interceptor {
  /// What becomes of a redirect from https to http.
  public enum InsecureTargets: Hashable, Sendable {
    /// It fails with `TransportError.Code.redirectRefused`.
    case refused
    /// It is followed: whoever is on the way can then read and change what is sent.
    case followed
  }

  private let policy: RedirectPolicy
  private let insecureTargets: InsecureTargets

  /// An interceptor that follows `policy` where a request has none of its own.
  public init(policy: RedirectPolicy = .follow(), insecureTargets: InsecureTargets = .refused) {
    self.policy = policy
    self.insecureTargets = insecureTargets
  }

  /// Sends `request` and what its redirects lead to, and returns the first response that is none.
  ///
  /// A response that is left behind is read to its end where that is near, so that its connection can be used again,
  /// and dropped otherwise. Cancelling the task ends whichever request is on its way.
  ///
  /// - Throws: `tooManyRedirects` at the limit, loops among it; `redirectRefused` for a redirect that must not be
  ///   followed: to another scheme than http and https, from https to http, with a stream as body, to what is no URL,
  ///   or as the policy says; what the next session throws. Each has the history.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let policy = options.policy.redirects ?? policy
    if case .manual = policy { return try await next.send(request, options: options) }
    var options = options
    let followUps = options.followUps ?? policy.followUps
    options.followUps = followUps
    var machine = RedirectMachine(
      request, policy: policy, headers: CrossOriginHeaders(options.policy), insecureTargets: insecureTargets,
      followUps: followUps)
    var request = request
    var attempts: [HTTP.History.Attempt] = []
    while true {
      var response: TransportResponse
      do throws(TransportError) {
        response = try await next.send(request, options: options)
      } catch {
        throw error.following(machine.redirections, attempts: attempts)
      }
      switch machine.receive(response.head) {
      case .deliver:
        response.head.history.prepend(machine.redirections, attempts: attempts)
        return response
      case .leave(let reason):
        response.head.history.prepend(machine.redirections, attempts: attempts)
        response.head.history.reasonForEnd = reason
        return response
      case .follow(let next):
        attempts += response.head.history.attempts
        await response.discard()
        if let redirection = machine.redirections.last { options.eventHandler?(.redirecting(redirection)) }
        request = next
      case .fail(let error):
        attempts += response.head.history.attempts
        await response.discard()
        throw error.following(machine.redirections, attempts: attempts)
      }
    }
  }
}

extension RedirectPolicy {
  /// A limit that allows as many redirects as the policy, and no fewer than the standard.
  var followUps: FollowUpLimit { FollowUpLimit(maximum: max(maximum, FollowUpLimit.standard)) }

  /// How many redirects are followed.
  var maximum: Int {
    switch self {
    case .follow(let maximum), .followWhereSafe(let maximum): maximum
    case .manual, .error, .custom: FollowUpLimit.standard
    }
  }
}
