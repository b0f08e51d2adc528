internal import AnvilHTTP

/// A request target, taken apart and decoded.
///
/// Source: RFC 9112 §3.2; the URL standard, "application/x-www-form-urlencoded parsing", for the query.
struct RequestTarget {
  /// The path as it was sent.
  let encodedPath: Substring
  private let encodedQuery: Substring

  /// Takes any text apart: a path, an absolute URL as proxies get it, or `*`.
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

  /// The path's segments, each percent-decoded: a `%2F` is part of one.
  var segments: [String] {
    let path = encodedPath.first == "/" ? encodedPath.dropFirst() : encodedPath
    return path.split(separator: "/", omittingEmptySubsequences: false).map { Self.decode($0.utf8) }
  }

  /// The pairs of the query, decoded; empty ones are passed over.
  var query: [LoopbackServer.Request.QueryItem] {
    encodedQuery.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map { Self.decode($0.utf8.map { $0 == 0x2B ? 0x20 : $0 }) }
      return .init(name: decoded[0], value: decoded.count > 1 ? decoded[1] : "")
    }
  }

  /// Returns the percent-decoded text, with U+FFFD for what is not UTF-8.
  private static func decode(_ encoded: some Collection<UInt8>) -> String {
    String(decoding: PercentEncoding.decode(encoded), as: UTF8.self)
  }
}
