internal import AnvilBodies
internal import AnvilHTTP
internal import Foundation

/// An exchange of a recording, in the form in which `anvil serve` compares and repeats it.
struct RecordedExchange: Sendable {
  /// The end of an exchange.
  enum Ending: Hashable, Sendable {
    /// The whole response was received.
    case complete
    /// The connection ended during the body.
    case cutShort
    /// The connection ended before the response.
    case lost
    /// The client stopped waiting before the response.
    case timedOut
  }

  /// The parts of a request that are compared. They contain no secrets, because recordings may omit them.
  struct Key: Hashable, Sendable {
    let method: String
    let path: String
    /// The items of the query in their order.
    let query: [Substring]
    let body: Data

    /// - Parameter target: A path with an optional query, or a URL.
    init(method: String, target: String, body: Data, contentType: HTTP.HeaderValue?) {
      let redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
      let shown = URL(string: target).map { redaction.shown($0) } ?? target
      let parts = Self.withoutOrigin(shown).prefix { $0 != "#" }.split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      self.method = method
      path = parts.first.map { $0.isEmpty ? "/" : String($0) } ?? "/"
      query = parts.count > 1 ? parts[1].split(separator: "&") : []
      self.body = redaction.shown(body: body, contentType: contentType)
    }

    private static func withoutOrigin(_ url: String) -> Substring {
      guard let scheme = url.firstRange(of: "://"), !url.hasPrefix("/") else { return url[...] }
      let rest = url[scheme.upperBound...]
      return rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
    }
  }

  let key: Key
  /// The URL as recorded.
  let url: String
  let status: Int
  let headers: HTTP.Headers
  let body: Data
  let ending: Ending
  /// The duration until the end of the response, or zero if it is not known.
  let time: Duration

  /// Creates an exchange from the parts of a recording.
  ///
  /// Fields that frame the message are removed, because the recorded body has neither framing nor compression. Fields
  /// without a usable value are also removed: pseudo-header fields of HTTP/2, and redacted fields.
  init(
    key: Key, url: String, status: Int, fields: [(name: String, value: String)], body: Data, ending: Ending,
    time: Duration
  ) {
    self.key = key
    self.url = url
    self.status = status
    self.body = body
    self.ending = ending
    self.time = time
    var headers = HTTP.Headers()
    for (name, value) in fields where !name.hasPrefix(":") && value != HTTP.Redaction.mark {
      // Browsers combine fields with the same name into one, with a line for each value.
      for line in value.split(separator: "\n") {
        headers.add(HTTP.HeaderKey(rawValue: name), HTTP.HeaderValue(rawValue: String(line)))
      }
    }
    headers = headers.endToEnd
    for key: HTTP.HeaderKey in [.contentLength, .contentEncoding, .transferEncoding] { headers.remove(key) }
    self.headers = headers
  }
}
