internal import AnvilHTTP
internal import AnvilText

/// A parsed and decoded request target.
///
/// Source: RFC 9112 §3.2; the URL standard, "application/x-www-form-urlencoded parsing", for the query.
struct RequestTarget {
  /// The path as it was sent.
  let encodedPath: Substring
  private let encodedQuery: Substring

  /// Parses any text: a path, an absolute URL as sent to proxies, or `*`.
  init(_ target: String) {
    var rest = target[...]
    if rest.first != "/", let scheme = rest.firstRange(of: "://") {
      let afterScheme = rest[scheme.upperBound...]
      rest = afterScheme[(afterScheme.firstIndex { $0 == "/" || $0 == "?" } ?? afterScheme.endIndex)...]
    }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first ?? ""
    encodedPath = path.isEmpty ? "/" : path
    encodedQuery = parts.count > 1 ? parts[1] : ""
  }

  /// The path, percent-decoded.
  var path: String { Self.decode(encodedPath.utf8) }

  /// The segments of the path, each percent-decoded. A `%2F` does not separate segments.
  var segments: [String] {
    let path = encodedPath.first == "/" ? encodedPath.dropFirst() : encodedPath
    return path.split(separator: "/", omittingEmptySubsequences: false).map { Self.decode($0.utf8) }
  }

  /// The decoded items of the query. Empty items are skipped.
  var query: HTTP.Query {
    HTTP.Query(
      encodedQuery.split(separator: "&").map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.map { Self.decode($0.utf8.map { $0 == 0x2B ? 0x20 : $0 }) }
        return HTTP.Query.Item(decoded[0], decoded.count > 1 ? decoded[1] : nil)
      })
  }

  /// Returns the percent-decoded text. Bytes that are not UTF-8 become U+FFFD.
  private static func decode(_ encoded: some Collection<UInt8>) -> String {
    String(decoding: PercentEncoding.decode(encoded), as: UTF8.self)
  }
}
