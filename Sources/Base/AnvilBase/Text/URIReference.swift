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
    self.init(bytes: Array(text.utf8))
  }

  /// Creates a reference from the bytes of a text in any encoding.
  package init(bytes: [UInt8]) {
    var rest = bytes.trimmingBlanks
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
    return PercentEncoding.encode(bytes, keepingTriplets: true) {
      PercentEncoding.isUnreserved($0) || marks.contains($0)
    }
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
  /// The authority without user name and password.
  package var hostAndPort: Substring? {
    guard let authority else { return nil }
    guard let mark = authority.utf8.lastIndex(of: .atSign) else { return authority[...] }
    return authority[authority.utf8.index(after: mark)...]
  }

  /// The URL syntax allows authorities that a resolver does not accept: hosts with percent-encoded spaces or non-ASCII letters, and ports
  /// of any length. Source: RFC 3986 §3.2.2 and §3.2.3, RFC 1123 §2.1.
  package var hasReachableHost: Bool {
    guard var rest = hostAndPort?.utf8 else { return false }
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

extension Collection<UInt8> {
  /// A Boolean value that indicates whether the text is an IPv4 address: four numbers from 0 to 255 without leading zeros, which some
  /// resolvers read as octal. Source: RFC 3986 §3.2.2.
  package var isIPv4Address: Bool {
    let parts = split(separator: .period, omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(\.isDigit) && (part.count == 1 || part.first != .digit0)
          && part.reduce(0) { $0 * 10 + Int($1 &- .digit0) } <= 255
      }
  }

  /// A Boolean value that indicates whether the text is an IPv6 address without brackets and without a zone. Source: RFC 4291 §2.2.
  package var isIPv6Address: Bool {
    var halves = [self[...]]
    if let mark = firstRange(of: [.colon, .colon]) { halves = [self[..<mark.lowerBound], self[mark.upperBound...]] }
    var count = 0
    for (number, half) in halves.enumerated() where !half.isEmpty {
      let groups = half.split(separator: .colon, omittingEmptySubsequences: false)
      for (index, group) in groups.enumerated() {
        let isLast = number == halves.count - 1 && index == groups.count - 1
        if isLast, group.isIPv4Address {
          count += 2
          continue
        }
        guard (1...4).contains(group.count), group.allSatisfy(\.isHexadecimalDigit) else { return false }
        count += 1
      }
    }
    // Two colons replace at least one group.
    return halves.count == 1 ? count == 8 : count < 8
  }

  /// A Boolean value that indicates whether the last label of a host is a number. The host is then an IPv4 address, possibly in a form that
  /// only some resolvers accept, such as `127.1` and `127.0.0.01`, and has no parent domain.
  ///
  /// Source: the URL standard, "ends in a number checker"; RFC 1123 §2.1.
  package var endsInNumber: Bool {
    var labels = split(separator: .period, omittingEmptySubsequences: false)
    // The last dot stands for the root.
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard let label = labels.last, !label.isEmpty else { return false }
    return label.allSatisfy(\.isDigit)
  }
}

extension URIReference {
  /// Returns the port of URLs with this scheme, in lower case, that name none. Source: RFC 9110 §4.2.1, §4.2.2.
  package static func defaultPort(ofScheme scheme: String) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }
}

extension StringProtocol {
  /// A Boolean value that indicates whether the text contains `://`, and so may contain a URL. Bytes are compared: a combining character
  /// after a slash belongs to the same `Character`, but not to the delimiter.
  package var containsSchemeEnd: Bool {
    var rest = utf8[...]
    while let colon = rest.firstIndex(of: .colon) {
      rest = rest[rest.index(after: colon)...]
      if rest.starts(with: "//".utf8) { return true }
    }
    return false
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
