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

  /// Replaces `%XX` by the byte; a `%` that two hexadecimal digits do not follow stays.
  private static func decode(_ encoded: some Collection<UInt8>) -> String {
    var decoded: [UInt8] = []
    var rest = encoded[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == 0x25, digits.count == 2 {
        decoded.append(UInt8(digits[0] * 16 + digits[1]))
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }
}
