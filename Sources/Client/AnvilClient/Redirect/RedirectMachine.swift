internal import AnvilBase
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides how the redirects of one request are followed. Rules D1–D7.
struct RedirectMachine {
  /// The decision about a response.
  enum Action {
    /// Return the response.
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

  /// The redirects that were followed.
  private(set) var redirections: [HTTP.History.Redirection] = []
  private var request: HTTP.Request
  private let policy: RedirectPolicy
  private let headers: CrossOriginHeaders
  private let insecureTargets: RedirectPolicy.InsecureTargets
  private let followUps: FollowUpLimit

  /// Creates a machine that starts with `request`. Redirects count towards the limit `followUps`, as answers to challenges do.
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

  /// Returns the decision about the response to the latest request.
  mutating func receive(_ response: HTTP.Response) -> Action {
    guard Self.isRedirect(response) else { return .deliver }
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
      return refuse(response, "its Location \(shown) is not a URL with a host")
    }
    if let reason = objection(to: target) { return refuse(response, reason) }
    var next = redirected(to: target, by: response.code)
    guard next.body.isReplayable || next.body.isEmpty else {
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

  /// Returns whether the response is a redirect. Rule D1.
  static func isRedirect(_ response: HTTP.Response) -> Bool {
    switch response.code {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  private func refuse(_ response: HTTP.Response, _ reason: String) -> Action {
    if case .followWhereSafe = policy { return .leave(reason: reason) }
    return .fail(TransportError(code: .redirectRefused, reason: "\(response.status): \(reason)"))
  }

  /// Returns the target of the redirect; `nil` if `location` is not a URL with a host. Rule D3.
  private func target(of location: HTTP.HeaderValue) -> URIReference? {
    let base = URIReference(request.url.absoluteString)
    var target = URIReference(location.rawValue).resolved(against: base)
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
    next.url = target.withoutCredentials.url ?? url
    next.headers = headers.crossing(next.headers)
    return next
  }
}

extension HTTP.HeaderValue {
  fileprivate var isBlank: Bool { rawValue.utf8.allSatisfy(\.isBlank) }
}

extension URIReference {
  fileprivate var withoutCredentials: URIReference {
    guard let authority, let mark = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return self }
    var copy = self
    copy.authority = String(authority[authority.utf8.index(after: mark)...])
    return copy
  }
}

extension HTTP.Request {
  fileprivate mutating func dropBody(with fields: [HTTP.HeaderKey]) {
    body = .empty
    for key in fields { headers.remove(key) }
  }
}
