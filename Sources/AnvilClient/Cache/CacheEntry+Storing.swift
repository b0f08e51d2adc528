internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which responses are stored. Source: RFC 9111 §3.
extension CacheEntry {
  /// The statuses that this cache knows the meaning of for `must-understand`: those with rules for storing them.
  private static let understoodStatuses = heuristicStatuses.union([302, 303, 307])

  /// Whether the response to a GET may be stored by a cache of one user. Rule K2.
  ///
  /// One to `Vary: *` is not: it could never be reused.
  static func isStorable(_ head: HTTP.Response) -> Bool {
    let directives = CacheControl(head.headers)
    // 206 and 304 are parts, and interim responses none.
    guard (200...599).contains(head.code), head.code != 206, head.code != 304,
      CacheVariant.names(in: head.headers) != nil
    else { return false }
    if directives.contains("must-understand") {
      guard understoodStatuses.contains(head.code) else { return false }
    } else if directives.contains("no-store") {
      return false
    }
    let isExplicit =
      directives.contains("max-age") || head.headers.contains(.expires) || directives.contains("public")
      || directives.contains("private")
    return isExplicit || heuristicStatuses.contains(head.code)
  }

  /// The entry for a response that is storable.
  init(
    _ head: HTTP.Response, for request: CacheRequest, requestTime: Date, responseTime: Date, bodyLength: Int
  ) {
    let names = CacheVariant.names(in: head.headers) ?? []
    self.init(
      variant: request.variant(of: names), varyingFields: names, status: head.code,
      headers: Self.storable(head.headers), requestTime: requestTime, responseTime: responseTime,
      bodyLength: bodyLength)
  }
}
