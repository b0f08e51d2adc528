/// A reference of RFC 3986, taken apart, so that `$ref` and `$id` can be resolved.
struct SchemaAddress {
  private var scheme: String?
  private var authority: String?
  private var path: String
  private var query: String?
  /// What follows `#`, still escaped; `nil` where there is no `#`.
  private(set) var fragment: String?

  /// - Source: RFC 3986, appendix B.
  init(_ text: String) {
    var rest = Substring(text)
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(where: { ":/".contains($0) }), rest[colon] == ":", colon > rest.startIndex {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// The address without its fragment.
  var resource: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
  }

  /// What this address means where `base` is the address of the text.
  ///
  /// - Source: RFC 3986 §5.2.2.
  func resolved(against base: SchemaAddress) -> SchemaAddress {
    var result = self
    if scheme == nil {
      result.scheme = base.scheme
      if authority == nil {
        result.authority = base.authority
        if path.isEmpty {
          result.path = base.path
          result.query = query ?? base.query
        } else if !path.hasPrefix("/") {
          if base.path.isEmpty, base.authority != nil {
            result.path = "/" + path
          } else {
            let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? ""
            result.path = folder + path
          }
        }
      }
    }
    if !path.isEmpty { result.path = Self.withoutDots(result.path) }
    return result
  }

  private static func withoutDots(_ path: String) -> String {
    guard path.contains("/") else { return path }
    var output: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      let isLast = number == parts.count - 1
      switch part {
      case ".": if isLast { output.append("") }
      case "..":
        if output.count > 1 { output.removeLast() }
        if isLast { output.append("") }
      default: output.append(part)
      }
    }
    return output.joined(separator: "/")
  }

  /// `text` with its escapes, `%22`, replaced by what they stand for.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25, index + 2 < bytes.count, bytes[index + 1].isHexadecimal, bytes[index + 2].isHexadecimal,
        let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        output.append(byte)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
