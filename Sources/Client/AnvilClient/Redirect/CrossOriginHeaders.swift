internal import AnvilHTTP

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

  /// Creates the rules of `settings`.
  init(_ settings: RequestSettings = RequestSettings()) {
    self.settings = settings
  }

  /// Returns the fields of `headers` that may be sent to another origin.
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
