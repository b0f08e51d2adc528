internal import AnvilHTTP

/// Decides which fields of a request a redirect takes to another origin. Rule D4.
///
/// Only fields whose whole value ``HTTP/Redaction`` shows are taken there: what is too secret for a log is too secret for a stranger.
struct CrossOriginHeaders: Sendable {
  /// Fields that belong to one origin. `Host` would name the wrong one.
  private static let originFields: Set<HTTP.HeaderKey> = [
    .authorization, .cookie, .proxyAuthorization, .origin, .host,
  ]

  private let policy: RequestPolicy

  /// Creates the rules of `policy`.
  init(_ policy: RequestPolicy = RequestPolicy()) {
    self.policy = policy
  }

  /// Returns the fields of `headers` that may reach another origin.
  func crossing(_ headers: HTTP.Headers) -> HTTP.Headers {
    var kept = policy.crossOriginHeaders
    // The client's own, without which the policy would be wrong in saying that the request may be repeated.
    if policy.idempotency == .keyed { kept.insert(.idempotencyKey) }
    let dropped = policy.sensitiveHeaders.union(Self.originFields)
    let redaction = HTTP.Redaction()
    return HTTP.Headers(
      headers.filter { field in
        !dropped.contains(field.key) && (kept.contains(field.key) || !redaction.hides(field))
      })
  }
}
