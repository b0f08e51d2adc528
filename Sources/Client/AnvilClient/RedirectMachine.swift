internal import AnvilBase
public import AnvilHTTP

/// Decides how the redirects of one request are followed. Rules D1–D7.
struct RedirectMachine {
  enum Action {
    case deliver
    /// Return the redirect response, which must not be followed for this reason.
    case leave(reason: String)
    /// Discard the response and send this request.
    case follow(HTTP.Request)
    /// Discard the response and throw this error.
    case fail(TransportError)
  }

  /// The fields that describe a body, and are removed with it. Rule D2.
  private static let contentFields: [HTTP.HeaderKey] = [
    .contentLength, .contentType, .contentEncoding, .contentLanguage, .contentLocation, .contentRange, .contentMD5,
    .transferEncoding, .trailer, .expect, "Digest", "Content-Digest", "Repr-Digest",
  ]

  private(set) var redirections: [HTTP.History.Redirection] = []
  private var request: HTTP.Request
  private let policy: RedirectPolicy
  private let headers: CrossOriginHeaders
  private let insecureTargets: RedirectPolicy.InsecureTargets
  private let followUps: FollowUpLimit

  /// Redirects count towards the limit `followUps`, as answers to challenges do.
  init(
    _ request: HTTP.Request, policy: RedirectPolicy, headers: CrossOriginHeaders,
    insecureTargets: RedirectPolicy.InsecureTargets = .refused, followUps: FollowUpLimit
  ) {
    self.request = request
    self.policy = policy
    self.headers = headers
    self.insecureTargets = insecureTargets
    self.followUps = followUps
  }

  mutating func receive(_ response: HTTP.Response) -> Action {
    guard Self.isRedirect(response.status) else { return .deliver }
    let locations = Set(response.headers.values(for: .location))
    // An empty Location refers to the same document, so following it would loop until the limit.
    guard let location = locations.first, !locations.allSatisfy(\.isBlank) else { return .deliver }
    switch policy {
    case .manual: return .deliver
    case .error: return refuse(response, "the policy of the request does not allow redirects")
    case .follow, .followWhereSafe, .custom: break
    }
    guard locations.count == 1 else { return refuse(response, "it has several Location fields") }
    guard let target = target(of: location) else {
      let shown = HTTP.Redaction().shown(reference: location.rawValue).loggable
      return refuse(response, "its Location \(shown) is not a valid URL with a host")
    }
    if let reason = objection(to: target) { return refuse(response, reason) }
    var next = redirected(to: target, by: response.code)
    guard next.body.isReplayable else {
      return refuse(response, "the body is a stream, which cannot be sent a second time")
    }
    if case .custom(let decide) = policy {
      switch decide(response, next) {
      case .follow(let request): next = request
      case .return: return .deliver
      case .fail(let reason): return refuse(response, reason)
      }
    }
    guard redirections.count < policy.maximum else {
      return .fail(
        TransportError(code: .tooManyRedirects, reason: "\(redirections.count) redirects were followed"))
    }
    guard followUps.take() else { return .fail(followUps.exceeded) }
    redirections.append(HTTP.History.Redirection(url: request.url, method: request.method, status: response.status))
    request = next
    return .follow(next)
  }

  /// Returns whether a response with this status is a redirect. Rule D1.
  static func isRedirect(_ status: HTTP.Status) -> Bool {
    switch status.code {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  private func refuse(_ response: HTTP.Response, _ reason: String) -> Action {
    if case .followWhereSafe = policy { return .leave(reason: reason) }
    return .fail(TransportError(code: .redirectRefused, reason: "\(response.status): \(reason)"))
  }

  /// Returns the target of the redirect; `nil` if `location` is not a valid URL with a host. Rule D3.
  private func target(of location: HTTP.HeaderValue) -> URIReference? {
    let base = URIReference(request.url.absoluteString)
    var target = URIReference(bytes: location.bytes).resolved(asTargetFrom: base)
    if target.fragment == nil { target.fragment = base.fragment }
    // A target with another scheme needs no host: it is refused because of the scheme.
    return target.isHTTP && (target.url == nil || !target.hasReachableHost) ? nil : target
  }

  /// Returns the reason not to follow the redirect, if there is one. Rule D5.
  private func objection(to target: URIReference) -> String? {
    guard target.isHTTP else { return "its target has the scheme \((target.scheme ?? "").loggable)" }
    let isDowngrade = request.url.scheme?.lowercased() == "https" && target.scheme?.lowercased() == "http"
    return isDowngrade && insecureTargets == .refused ? "it redirects from https to http" : nil
  }

  /// Returns the next request. Rules D1, D2 and D4.
  private func redirected(to target: URIReference, by code: Int) -> HTTP.Request {
    var next = request
    if code == 303 {
      if request.method != .head { next.method = .get }
      next.dropBody(with: Self.contentFields)
    } else if code == 301 || code == 302, request.method == .post {
      next.method = .get
      next.dropBody(with: Self.contentFields)
    }
    guard let url = target.url else { return next }
    next.url = url
    guard HTTP.Origin(url) != request.origin else { return next }
    var withoutCredentials = target
    withoutCredentials.authority = target.hostAndPort.map(String.init)
    next.url = withoutCredentials.url ?? url
    next.headers = headers.crossing(next.headers)
    return next
  }
}

extension HTTP.HeaderValue {
  fileprivate var isBlank: Bool { rawValue.utf8.allSatisfy(\.isBlank) }
}

extension HTTP.Request {
  fileprivate mutating func dropBody(with fields: [HTTP.HeaderKey]) {
    body = .empty
    for key in fields { headers.remove(key) }
  }
}

/// Decides which fields of a request are kept on a redirect to another origin. Rule D4.
///
/// Fields whose whole value ``HTTP/Redaction`` shows are kept, because a value that is hidden in logs should not be sent to another origin
/// either. The settings can name further fields to keep or to remove.
struct CrossOriginHeaders: Sendable {
  /// Fields that belong to one origin. `Host` would name the wrong host.
  private static let originFields: Set<HTTP.HeaderKey> = [
    .authorization, .cookie, .proxyAuthorization, .origin, .host,
  ]

  private let settings: RequestSettings

  init(_ settings: RequestSettings = RequestSettings()) {
    self.settings = settings
  }

  func crossing(_ headers: HTTP.Headers) -> HTTP.Headers {
    var kept = settings.crossOriginHeaders
    // The client added this key. Without it the request could not be repeated safely, as the settings say it can.
    if settings.idempotency == .keyed { kept.insert(.idempotencyKey) }
    let dropped = settings.sensitiveHeaders.union(Self.originFields)
    let redaction = HTTP.Redaction()
    return HTTP.Headers(
      headers.filter { field in
        !dropped.contains(field.key) && (kept.contains(field.key) || !redaction.hides(field))
      })
  }
}

/// The handling of responses that redirect. Rules D1–D7.
///
///     configuration.redirects = .follow(limit: 5)
///
/// Sessions never follow redirects. The client does: 301 and 302 change POST to GET, and 303 changes every method but HEAD to GET. The body
/// and its fields are then removed. 307 and 308 keep the method and the body. Any other 3xx, or one of these without a `Location` or with an
/// empty one, is returned as the response. A redirect response with a short body is read to its end if that arrives at once, so that its connection
/// can be reused.
///
/// A redirect to another scheme, host or port keeps only the fields whose values ``HTTP/Redaction`` shows, such as `Accept`, those that
/// ``RequestConfigurable/crossOriginHeaders`` names, and the `Idempotency-Key` of ``RequestSettings/Idempotency/keyed``. `Authorization`, `Cookie`,
/// `X-Api-Key`, other fields that are not known to be harmless, and credentials in the URL are removed. ``RequestConfigurable/sensitiveHeaders``
/// names more fields to remove. Removed fields are not restored when a later redirect leads back to the first origin.
///
/// The redirects that were followed are in `response.history.redirections`, and after a failure in ``TransportError/history``.
public enum RedirectPolicy: Sendable {
  /// The decision of a ``RedirectPolicy/custom(_:)`` closure.
  public enum Decision: Sendable {
    /// Follow with this request, which may be a changed copy of the proposed one. It is sent without further changes. Fields that the
    /// proposed request lacks, such as credentials for another origin, were removed on purpose.
    case follow(HTTP.Request)
    /// Return the response as it is.
    case `return`
    /// Fail with `TransportError.Code.redirectRefused`. The reason must be safe to log.
    case fail(reason: String)
  }

  /// The handling of a redirect from https to http.
  public enum InsecureTargets: Hashable, Sendable {
    /// The request fails with `TransportError.Code.redirectRefused`.
    case refused
    /// The redirect is followed. An attacker on the network can then read and change the request.
    case followed
  }

  /// Follow at most `maximum` redirects. A further redirect fails with `TransportError.Code.tooManyRedirects`. Redirects and answers to
  /// challenges together are limited to 20, or to `maximum` if that is more.
  case follow(limit: Int = 20)
  /// Follow like ``follow(limit:)``, but return the redirect response if following is unsafe. That is a redirect to an invalid URL, to a
  /// scheme other than http and https, such as an app's, from https to http, or with a stream as body. The failure for the returned
  /// response contains the reason.
  case followWhereSafe(limit: Int = 20)
  /// Return the redirect response.
  case manual
  /// Fail with `TransportError.Code.redirectRefused`. A response without a target is returned.
  case error
  /// Call the closure for each redirect that could be followed. The closure receives the response with an empty body and the request that
  /// would be sent next. At most 20 redirects are followed.
  case custom(@Sendable (_ response: HTTP.Response, _ proposed: HTTP.Request) -> Decision)
}

extension HTTP.History {
  /// Inserts earlier events at the front: the redirects that were followed and the attempts that failed.
  mutating func prepend(_ redirections: [Redirection] = [], attempts: [Attempt]) {
    // An empty history needs no allocation until a property is set.
    if !redirections.isEmpty { self.redirections = redirections + self.redirections }
    if !attempts.isEmpty { self.attempts = attempts + self.attempts }
  }
}

extension TransportError {
  /// Returns the error with earlier redirects and attempts in its history.
  @inline(never)
  func following(
    _ redirections: [HTTP.History.Redirection] = [], attempts: [HTTP.History.Attempt]
  ) -> TransportError {
    var error = self
    error.history.prepend(redirections, attempts: attempts)
    return error
  }
}

extension TransportSession {
  /// Sends `request` and adds the earlier attempts in `attempts` to the history of the response or of the error. Then appends the attempts
  /// of the response to `attempts`.
  func send(
    _ request: HTTP.Request, options: TransportOptions, following attempts: inout [HTTP.History.Attempt]
  ) async throws(TransportError) -> TransportResponse {
    var response: TransportResponse
    do throws(TransportError) {
      response = try await send(request, options: options)
    } catch {
      throw error.following(attempts: attempts)
    }
    let earlier = attempts
    attempts += response.head.history.attempts
    response.head.history.prepend(attempts: earlier)
    return response
  }
}
