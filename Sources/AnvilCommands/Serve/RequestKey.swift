internal import AnvilBodies
internal import AnvilHTTP
internal import AnvilText
internal import Foundation

/// The parts of a request that are compared with a recorded one.
struct RequestKey: Sendable {
  /// A text, and the same text without secrets.
  private struct Part: Sendable {
    let text: String
    let shown: String

    /// True if the text contains no secrets, for example because a recorder has left them out.
    var isShown: Bool { text == shown || PercentEncoding.decode(text) == shown }
  }

  let method: String
  let path: String
  private let query: [Part]
  private let body: Data
  private let shownBody: Data

  /// Creates the key of a request.
  ///
  /// - Parameter target: A path with an optional query, or a URL.
  init(method: String, target: String, body: Data, contentType: HTTP.HeaderValue?) {
    let redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
    let shown = URL(string: target).map { redaction.shown($0) } ?? target
    let (path, items) = Self.parts(of: target)
    let (_, shownItems) = Self.parts(of: shown)
    self.method = method
    self.path = path
    let isParallel = items.count == shownItems.count
    query = items.indices.map { Part(text: items[$0], shown: isParallel ? shownItems[$0] : items[$0]) }
    self.body = body
    shownBody = redaction.shown(body: body, contentType: contentType)
  }

  /// The query without secrets.
  var shownQuery: String { query.map(\.shown).joined(separator: "&") }

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
      return zip(query, request.query).allSatisfy { $0.text == $1.text || ($0.isShown && $0.shown == $1.shown) }
    }
    guard query.map(\.shown).sorted() == request.query.map(\.shown).sorted() else { return false }
    // With equal counts of each text without secrets, only the recorded secrets are left to compare.
    var counts: [String: Int] = [:]
    for item in request.query { counts[item.text, default: 0] += 1 }
    for item in query where !item.isShown {
      guard let count = counts[item.text], count > 0 else { return false }
      counts[item.text] = count - 1
    }
    return true
  }

  /// Returns true if all parts are equal, including secrets.
  func isSame(as request: RequestKey) -> Bool {
    method == request.method && path == request.path && query.map(\.text) == request.query.map(\.text)
      && body == request.body
  }

  private static func parts(of target: String) -> (path: String, query: [String]) {
    let parts = target.withoutOrigin.prefix { $0 != "#" }.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map { $0.isEmpty ? "/" : String($0) } ?? "/"
    return (path, parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : [])
  }
}
