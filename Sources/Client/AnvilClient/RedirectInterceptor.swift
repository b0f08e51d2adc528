internal import AnvilBase
package import AnvilHTTP
internal import Synchronization

/// Follows redirects as ``RedirectPolicy`` describes. Sessions never follow them.
///
/// The interceptors after it see each redirected request, and can answer challenges and keep cookies for its origin. A request's own
/// ``RequestConfigurable/redirects`` is used instead of the interceptor's policy.
package struct RedirectInterceptor: Interceptor {
  private let policy: RedirectPolicy
  private let insecureTargets: RedirectPolicy.InsecureTargets
  private let sharesLimit: Bool

  /// - Parameter sharesLimit: Whether interceptors after this one answer challenges, which count towards the limit.
  package init(
    policy: RedirectPolicy = .follow(), insecureTargets: RedirectPolicy.InsecureTargets = .refused,
    sharesLimit: Bool = true
  ) {
    self.policy = policy
    self.insecureTargets = insecureTargets
    self.sharesLimit = sharesLimit
  }

  /// Sends `request`, follows its redirects, and returns the first response that is not a redirect or is not followed.
  @inline(__always)
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let policy = options.settings.redirects ?? policy
    if case .manual = policy { return try await next.send(request, options: options) }
    guard !sharesLimit || options.followUps != nil else {
      return try await intercept(request, options: options, limit: policy.followUps, next: next)
    }
    let response = try await next.send(request, options: options)
    // Most responses are not redirects, and need neither a machine nor other options.
    guard RedirectMachine.isRedirect(response.head.status) else { return response }
    var options = options
    let followUps = options.followUps ?? policy.followUps
    options.followUps = followUps
    let machine = RedirectMachine(
      request, policy: policy, headers: CrossOriginHeaders(options.settings),
      insecureTargets: options.settings.insecureRedirects ?? insecureTargets,
      followUps: followUps)
    return try await follow(consume response, by: machine, options: options, next: next)
  }

  /// Like ``intercept(_:options:next:)``, with a limit that interceptors after this one share.
  @inline(never)
  private func intercept(
    _ request: HTTP.Request, options: TransportOptions, limit: FollowUpLimit, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var options = options
    options.followUps = limit
    return try await intercept(request, options: options, next: next)
  }

  /// Follows `response`, which is a redirect, and the redirects after it.
  ///
  /// - Parameter response: Consumed, because dropping its body releases the connection for the next request.
  @inline(never)
  private func follow(
    _ response: consuming TransportResponse, by machine: RedirectMachine, options: TransportOptions,
    next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    var (machine, options) = (machine, options)
    var attempts: [HTTP.History.Attempt] = []
    while true {
      let request: HTTP.Request
      switch machine.receive(response.head) {
      case .deliver:
        response.head.history.prepend(machine.redirections, attempts: attempts)
        return response
      case .leave(let reason):
        response.head.history.prepend(machine.redirections, attempts: attempts)
        response.head.history.reasonForEnd = "not followed: \(reason)"
        return response
      case .follow(let next):
        attempts += response.head.history.attempts
        await response.discard(options)
        if let redirection = machine.redirections.last {
          options.eventHandler?(.redirecting(redirection))
          options.history.redirections.append(redirection)
        }
        request = next
      case .fail(let error):
        attempts += response.head.history.attempts
        await response.discard(options)
        throw error.following(machine.redirections, attempts: attempts)
      }
      do throws(TransportError) {
        response = try await next.send(request, options: options)
      } catch {
        throw error.following(machine.redirections, attempts: attempts)
      }
    }
  }
}

extension RedirectPolicy {
  /// The limit of the policy, but at least the standard limit.
  var followUps: FollowUpLimit { FollowUpLimit(maximum: max(maximum, FollowUpLimit.standard)) }

  var maximum: Int {
    switch self {
    case .follow(let maximum), .followWhereSafe(let maximum): maximum
    case .manual, .error, .custom: FollowUpLimit.standard
    }
  }
}

/// The limit on the number of requests that follow the caller's request, for redirects and challenges together. Rule D6.
///
/// The outermost interceptor creates the limit and passes it on in the options. A server therefore cannot exceed it by alternating
/// redirects and challenges.
package final class FollowUpLimit: Sendable {
  /// The limit, unless a policy allows more redirects.
  package static let standard = 20

  package let maximum: Int
  private let count = Atomic(0)

  package init(maximum: Int = standard) {
    self.maximum = maximum
  }

  /// Counts one more request. Returns `false` if the limit is exceeded.
  package func take() -> Bool {
    count.wrappingAdd(1, ordering: .relaxed).newValue <= maximum
  }

  var exceeded: TransportError {
    TransportError(code: .tooManyRedirects, reason: "\(maximum) redirects and challenges were followed")
  }
}

extension TransportResponse {
  /// The maximum number of bytes that are read from a discarded body.
  private static let discardLimit = 1 << 14
  /// The time after which a new connection is faster than the rest of a discarded body.
  private static let discardTime = Duration.milliseconds(250)

  /// Discards the body of a response that is replaced by another one, and releases the resources that are held until the end of the body.
  ///
  /// A body with a small declared length that arrives at once is read to its end, so that its connection can be reused. Any other body is
  /// dropped, which ends its transfer: no time limit of the request applies to a discarded body.
  ///
  /// - Parameter options: The options of the request, whose clock measures the time.
  @inline(never)
  mutating func discard(_ options: TransportOptions) async {
    let body = body
    self.body = TransportBody(Data())
    guard case .bytes(let length) = head.headers.contentLength, length > 0, length <= Self.discardLimit,
      head.canHaveBody
    else { return }
    let watch = body.abandoning(after: Self.discardTime, clock: options.clock ?? ContinuousClock())
    defer { watch?.cancel() }
    // Errors are ignored here. If the task is cancelled, the next request fails.
    await body.drain(upTo: Self.discardLimit)
  }
}
