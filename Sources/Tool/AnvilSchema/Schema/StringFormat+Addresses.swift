internal import AnvilBase

/// Formats of network addresses.
extension FormatScan {
  /// Returns whether `text` is an email address. Comments, and white space outside of quotation marks, are not allowed. Source: RFC 5321
  /// §4.1.2.
  static func isEmail(_ text: ArraySlice<UInt8>) -> Bool {
    guard let at = text.lastIndex(of: 0x40), at > text.startIndex else { return false }
    let local = text[..<at]
    let domain = text[(at + 1)...]
    if local.first == 0x22 {
      guard local.count > 2, local.last == 0x22, isQuoted(local.dropFirst().dropLast()) else { return false }
    } else {
      let atoms = local.split(separator: 0x2E, omittingEmptySubsequences: false)
      guard atoms.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isAtom) }) else { return false }
    }
    guard domain.first == 0x5B, domain.last == 0x5D else { return isHostName(domain) }
    let literal = domain.dropFirst().dropLast()
    let tag = Array("IPv6:".utf8)
    return literal.starts(with: tag) ? isIPv6(literal.dropFirst(tag.count)) : isIPv4(literal)
  }

  private static func isAtom(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDecimal || byte >= 0x80 || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  private static func isQuoted(_ text: ArraySlice<UInt8>) -> Bool {
    var isEscaped = false
    for byte in text {
      guard (0x20...0x7E).contains(byte), isEscaped || byte != 0x22 else { return false }
      isEscaped = !isEscaped && byte == 0x5C
    }
    return !isEscaped
  }

  /// Returns whether `text` is a host name: labels of letters, digits and hyphens. Source: RFC 1123 §2.1.
  static func isHostName(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count <= 253 else { return false }
    return text.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
        && label.allSatisfy { $0.isLetter || $0.isDecimal || $0 == 0x2D }
    }
  }

  /// Returns whether `text` consists of four numbers from 0 to 255 without leading zeros, separated by full stops.
  static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(\.isDecimal) && (part.count == 1 || part.first != 0x30)
          && part.reduce(0) { $0 * 10 + Int($1 &- 0x30) } <= 255
      }
  }

  /// Returns whether `text` is an IPv6 address without a zone. Source: RFC 4291 §2.2.
  static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
    var halves = [text]
    if let index = text.indices.dropLast().first(where: { text[$0] == 0x3A && text[$0 + 1] == 0x3A }) {
      halves = [text[..<index], text[(index + 2)...]]
    }
    var count = 0
    for (number, half) in halves.enumerated() where !half.isEmpty {
      let groups = half.split(separator: 0x3A, omittingEmptySubsequences: false)
      for (index, group) in groups.enumerated() {
        let isLast = number == halves.count - 1 && index == groups.count - 1
        if isLast, group.contains(0x2E), isIPv4(group) {
          count += 2
          continue
        }
        guard (1...4).contains(group.count), group.allSatisfy(\.isHexadecimal) else { return false }
        count += 1
      }
    }
    // Two colons replace at least one group.
    return halves.count == 1 ? count == 8 : count < 8
  }

  /// Returns whether `text` is a URI. The scheme is required. Source: RFC 3986 §3.
  static func isURI(_ text: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: text, as: UTF8.self)
    let uri = URIReference(text)
    // Nothing had to be encoded, and there are no blanks around it.
    guard uri.scheme != nil, uri.description == text else { return false }
    return uri.authority.map { isAuthority(Array($0.utf8)[...]) } ?? true
  }

  /// Returns whether the delimiters of an authority are in their places. The other characters are allowed in a URI.
  private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
    var host = text
    if let at = text.lastIndex(of: 0x40) {
      guard !text[..<at].contains(where: "@[]".utf8.contains) else { return false }
      host = text[(at + 1)...]
    }
    if host.first == 0x5B {
      guard let end = host.firstIndex(of: 0x5D), isIPv6(host[(host.startIndex + 1)..<end]) else { return false }
      let port = host[(end + 1)...]
      return port.isEmpty || (port.first == 0x3A && port.dropFirst().allSatisfy(\.isDecimal))
    }
    if let colon = host.lastIndex(of: 0x3A) {
      guard host[(colon + 1)...].allSatisfy(\.isDecimal) else { return false }
      host = host[..<colon]
    }
    return !host.contains(where: ":[]".utf8.contains)
  }
}
