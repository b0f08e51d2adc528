internal import AnvilHTTP

/// Decides which fields of a request are kept on a redirect to another origin. Rule D4.
///
/// Fields whose whole value ``HTTP/Redaction`` shows are kept, because a value that is hidden in logs should not be sent to another origin
/// either. The policy can name further fields to keep or to remove.
struct CrossOriginHeaders: Sendable {
  /// Fields that belong to one origin. `Host` would name the wrong host.
  private static let originFields: Set<HTTP.HeaderKey> = [
    .authorization, .cookie, .proxyAuthorization, .origin, .host,
  ]

  private let policy: RequestPolicy

  /// Creates the rules of `policy`.
  init(_ policy: RequestPolicy = RequestPolicy()) {
    self.policy = policy
  }

  /// Returns the fields of `headers` that may be sent to another origin.
  func crossing(_ headers: HTTP.Headers) -> HTTP.Headers {
    var kept = policy.crossOriginHeaders
    // The client added this key. Without it the request could not be repeated safely, as the policy says it can.
    if policy.idempotency == .keyed { kept.insert(.idempotencyKey) }
    let dropped = policy.sensitiveHeaders.union(Self.originFields)
    let redaction = HTTP.Redaction()
    return HTTP.Headers(
      headers.filter { field in
        !dropped.contains(field.key) && (kept.contains(field.key) || !redaction.hides(field))
      })
  }
}
