extension HTTP.Headers {
  /// The fields that apply to a single connection and are neither forwarded nor stored.
  ///
  /// Source: RFC 9110 §7.6.1; RFC 9111 §3.1.
  package static let hopByHop: Set<HTTP.HeaderKey> = [
    .connection, .keepAlive, .te, .transferEncoding, .upgrade, .trailer, "Proxy-Connection", "Proxy-Authenticate",
    "Proxy-Authentication-Info", .proxyAuthorization,
  ]

  /// The fields without ``hopByHop`` and without the fields listed in `Connection`.
  package var endToEnd: HTTP.Headers {
    let removed = Self.hopByHop.union(elements(of: .connection).map(HTTP.HeaderKey.init(rawValue:)))
    return HTTP.Headers(filter { !removed.contains($0.key) })
  }
}
