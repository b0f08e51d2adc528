internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The decision whether a response is stored. Source: RFC 9111 §3.
extension CacheEntry {
  /// The statuses that this cache understands for `must-understand`: those for which it has storage rules.
  private static let understoodStatuses = heuristicStatuses.union([302, 303, 307])

  /// Returns whether the response to a GET may be stored by a private cache. Rule K2.
  ///
  /// A response with `Vary: *` is not stored, because it could never be reused.
  static func isStorable(_ head: HTTP.Response) -> Bool {
    let directives = CacheControl(head.headers)
    // 206 and 304 are partial, and interim responses are not final.
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

  /// Creates the entry for a storable response.
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
