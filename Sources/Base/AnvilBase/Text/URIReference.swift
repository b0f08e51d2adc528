/// A URI reference, split into its five components as they were written.
///
/// Foundation's resolution changes percent-encoding. This type keeps every byte that is allowed in a URI and encodes all others as
/// `%XX`. A `%` that does not begin such a triplet becomes `%25`. Source: RFC 3986 §4.1, §5, appendix B.
package struct URIReference: Hashable, Sendable {
  package var scheme: String?
  package var authority: String?
  package var path: String
  package var query: String?
  package var fragment: String?

  /// Creates a reference from `text`, ignoring surrounding blanks. Every text is accepted.
  package init(_ text: some StringProtocol) {
    var rest = Array(text.utf8).trimmingBlanks
    if let mark = rest.firstIndex(of: .numberSign) {
      fragment = Self.encode(rest[(mark + 1)...], allowing: "/?:@")
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: .questionMark) {
      query = Self.encode(rest[(mark + 1)...], allowing: "/?:@")
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: .colon), Self.isScheme(rest[..<colon]) {
      scheme = String(decoding: rest[..<colon], as: UTF8.self)
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      let end = rest.dropFirst(2).firstIndex(of: .slash) ?? rest.endIndex
      authority = Self.encode(rest[(rest.startIndex + 2)..<end], allowing: ":@[]")
      rest = rest[end...]
    }
    path = Self.encode(rest, allowing: "/:@")
  }

  /// Returns whether `bytes` have the syntax of a scheme. Source: RFC 3986 §3.1.
  package static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, first.isLetter else { return false }
    return bytes.allSatisfy { byte in
      byte.isLetter || byte.isDigit || "+-.".utf8.contains(byte)
    }
  }

  /// Keeps unreserved characters, sub-delimiters, `allowed` and existing `%XX` triplets. Source: RFC 3986 §2, §3.
  private static func encode(_ bytes: ArraySlice<UInt8>, allowing allowed: StaticString) -> String {
    let marks = Array("!$&'()*+,;=\(allowed)".utf8)
    var text = ""
    text.reserveCapacity(bytes.count)
    for (index, byte) in zip(bytes.indices, bytes) {
      if PercentEncoding.isUnreserved(byte) || marks.contains(byte) || PercentEncoding.isTriplet(bytes[index...]) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        PercentEncoding.append(byte, to: &text)
      }
    }
    return text
  }
}

extension URIReference {
  /// The fragment of the target is that of the reference, not that of `base`. Source: RFC 3986 §5.2.
  package func resolved(against base: URIReference) -> URIReference {
    var target = self
    if scheme != nil {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else {
      target.path = Self.removingDotSegments(path.utf8.first == .slash ? path : merged(with: base))
    }
    return target
  }

  /// Returns the path, preceded by the path of `base` without its last segment. Source: RFC 3986 §5.2.3.
  private func merged(with base: URIReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/\(path)" }
    guard let slash = base.path.utf8.lastIndex(of: .slash) else { return path }
    return "\(base.path[...slash])\(path)"
  }

  /// Returns `path` without the segments `.` and `..`. A `..` removes the segment before it. Source: RFC 3986 §5.2.4.
  static func removingDotSegments(_ path: String) -> String {
    let isAbsolute = path.utf8.first == .slash
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
    var kept: [Substring] = []
    for (index, segment) in zip(segments.indices, segments) {
      let isLast = index == segments.endIndex - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
  }
}

extension URIReference: CustomStringConvertible {
  /// The components joined to a text. Source: RFC 3986 §5.3.
  package var description: String {
    var text = scheme.map { "\($0):" } ?? ""
    if let authority { text += "//\(authority)" }
    text += path
    if let query { text += "?\(query)" }
    if let fragment { text += "#\(fragment)" }
    return text
  }
}

extension URIReference {
  /// The URL syntax allows authorities that a resolver does not accept: hosts with percent-encoded spaces or non-ASCII letters, and ports
  /// of any length. Source: RFC 3986 §3.2.2 and §3.2.3, RFC 1123 §2.1.
  package var hasReachableHost: Bool {
    guard var rest = authority.map({ Substring($0).utf8 }) else { return false }
    if let mark = rest.lastIndex(of: .atSign) { rest = rest[rest.index(after: mark)...] }
    if rest.first == .openBracket {
      guard let end = rest.firstIndex(of: .closeBracket) else { return false }
      rest = rest[rest.index(after: end)...]
      guard rest.first ?? .colon == .colon else { return false }
    } else {
      let end = rest.firstIndex(of: .colon) ?? rest.endIndex
      guard end > rest.startIndex, rest[..<end].allSatisfy(PercentEncoding.isUnreserved) else { return false }
      rest = rest[end...]
    }
    let port = rest.dropFirst()
    guard port.allSatisfy({ $0.isDigit }) else { return false }
    return port.isEmpty || Int(Substring(port)).map { $0 <= 65_535 } ?? false
  }
}

extension String {
  /// A Boolean value that indicates whether the text is an IPv4 address such as `127.0.0.1`. Source: RFC 3986 §3.2.2.
  package var isIPv4Address: Bool {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { $0.isDigit } && part.utf8.count <= 3 && UInt8(part) != nil
      }
  }
}

extension String {
  /// The path, query and fragment of a URL, as they were written. Other texts are unchanged.
  /// Source: RFC 3986 §3; RFC 9112 §3.2.2, for URLs as request targets.
  package var withoutOrigin: Substring {
    guard let mark = firstRange(of: "://"), URIReference.isScheme(utf8[..<mark.lowerBound]) else { return self[...] }
    let rest = self[mark.upperBound...]
    return rest[(rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex)...]
  }
}
