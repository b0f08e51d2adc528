internal import AnvilBase
internal import AnvilHTTP

/// A parsed and decoded request target.
///
/// Source: RFC 9112 §3.2; the URL standard, "application/x-www-form-urlencoded parsing", for the query.
struct RequestTarget {
  /// The path as it was sent.
  let encodedPath: Substring
  private let encodedQuery: Substring

  /// Parses any text: a path, an absolute URL as sent to proxies, or `*`.
  init(_ target: String) {
    let parts = target.withoutOrigin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first ?? ""
    encodedPath = path.isEmpty ? "/" : path
    encodedQuery = parts.count > 1 ? parts[1] : ""
  }

  /// The path, percent-decoded.
  var path: String { PercentEncoding.decode(String(encodedPath)) }

  /// The segments of the path, each percent-decoded. A `%2F` does not separate segments.
  var segments: [String] {
    let path = encodedPath.first == "/" ? encodedPath.dropFirst() : encodedPath
    return path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.decode(String($0)) }
  }

  /// The decoded items of the query. Empty items are skipped.
  var query: HTTP.Query {
    HTTP.Query(
      encodedQuery.split(separator: "&").map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // Bytes that are not UTF-8 become U+FFFD.
        let decoded = parts.map { String(decoding: FormEncoding.bytes($0.utf8), as: UTF8.self) }
        return HTTP.Query.Item(decoded[0], decoded.count > 1 ? decoded[1] : nil)
      })
  }
}
