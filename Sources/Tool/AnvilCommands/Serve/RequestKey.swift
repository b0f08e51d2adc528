internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation

/// The parts of a request that are compared with a recorded one. The origin is not compared.
struct RequestKey: Sendable {
  /// An item of the query, and the same item without secrets.
  private struct Item: Sendable {
    let whole: NormalizedURL.Component
    let shown: NormalizedURL.Component

    /// True if the item contains no secrets, for example because a recorder has left them out.
    var isShown: Bool { whole == shown }
  }

  let method: String
  let url: NormalizedURL
  private let query: [Item]
  private let body: Data
  private let shownBody: Data

  /// Creates the key of a request.
  ///
  /// - Parameter target: A path with an optional query, or a URL.
  init(method: String, target: String, body: Data, contentType: HTTP.HeaderValue?) {
    let redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
    self.method = method
    url = NormalizedURL(String(target.withoutOrigin))
    let shown = NormalizedURL(redaction.shown(reference: target)).items
    let isParallel = url.items.count == shown.count
    query = url.items.enumerated().map { Item(whole: $1, shown: isParallel ? shown[$0] : $1) }
    self.body = Cassette.compared(body, contentType: contentType)
    shownBody = Cassette.compared(redaction.shown(body: body, contentType: contentType), contentType: contentType)
  }

  /// The query without secrets.
  var shownQuery: String { query.map(\.shown.written).joined(separator: "&") }

  /// Returns true if this recorded request and `request` have the same path. Secrets that were not recorded are not compared.
  func hasPath(of request: RequestKey) -> Bool {
    if url.path == request.url.path { return true }
    let segments = [url, request.url].map { $0.path.normalized.split(separator: "/", omittingEmptySubsequences: false) }
    return segments[0].count == segments[1].count && zip(segments[0], segments[1]).allSatisfy(Self.matches)
  }

  /// Returns true if two normalized segments are equal, except for a secret in the recorded one.
  private static func matches(_ recorded: Substring, _ segment: Substring) -> Bool {
    guard let mark = recorded.firstRange(of: hiddenText) else { return recorded == segment }
    let (start, end) = (recorded[..<mark.lowerBound], recorded[mark.upperBound...])
    return segment.utf8.count > start.utf8.count + end.utf8.count && segment.hasPrefix(start) && segment.hasSuffix(end)
  }

  /// The text that replaces secrets, in normalized segments.
  private static let hiddenText = NormalizedURL("/\(HTTP.Redaction.mark)").path.normalized.dropFirst()

  /// Returns true if this recorded request and `request` have the same body. Secrets that were not recorded are not compared.
  func hasBody(of request: RequestKey) -> Bool {
    body == request.body || (body == shownBody && shownBody == request.shownBody)
  }

  /// Returns true if this recorded request and `request` have the same query. Secrets that were not recorded are not compared.
  ///
  /// - Parameter isOrdered: True if the items must be in the same order.
  func hasQuery(of request: RequestKey, isOrdered: Bool) -> Bool {
    guard query.count == request.query.count else { return false }
    if isOrdered {
      return zip(query, request.query).allSatisfy { $0.whole == $1.whole || ($0.isShown && $0.shown == $1.shown) }
    }
    guard Self.counts(of: query.map(\.shown)) == Self.counts(of: request.query.map(\.shown)) else { return false }
    // With equal counts of each item without secrets, only the recorded secrets are left to compare.
    var counts = Self.counts(of: request.query.map(\.whole))
    for item in query where !item.isShown {
      guard let count = counts[item.whole], count > 0 else { return false }
      counts[item.whole] = count - 1
    }
    return true
  }

  /// Returns true if all parts are equal, including secrets.
  func isSame(as request: RequestKey) -> Bool {
    method == request.method && url == request.url && body == request.body
  }

  private static func counts(of items: [NormalizedURL.Component]) -> [NormalizedURL.Component: Int] {
    items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}
