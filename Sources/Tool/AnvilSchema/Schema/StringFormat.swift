internal import AnvilBase

/// A format of JSON Schema that is checked.
package enum StringFormat: String, CaseIterable, Sendable {
  case dateTime = "date-time"
  case date
  case time
  case email
  case uri
  case uuid
  case ipv4
  case ipv6
  case hostname

  var phrase: String {
    switch self {
    case .dateTime: "a date and time such as 2026-02-03T04:05:06Z"
    case .date: "a date such as 2026-02-03"
    case .time: "a time with a time zone such as 04:05:06Z"
    case .email: "an e-mail address"
    case .uri: "a URI with a scheme"
    case .uuid: "a UUID"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address"
    case .hostname: "a host name"
    }
  }

  /// Returns whether `text` matches the format.
  ///
  /// - Complexity: O(*n*), *n* the length of `text`.
  package func matches(_ text: String) -> Bool {
    var scan = FormatScan(text)
    switch self {
    case .dateTime: return scan.dateTime() && scan.isAtEnd
    case .date: return scan.date() && scan.isAtEnd
    case .time: return scan.time() && scan.isAtEnd
    case .email: return FormatScan.isEmail(Array(text.utf8)[...])
    case .uri: return FormatScan.isURI(text)
    case .uuid: return scan.uuid() && scan.isAtEnd
    case .ipv4: return text.utf8.isIPv4Address
    case .ipv6: return text.utf8.isIPv6Address
    case .hostname: return FormatScan.isHostName(Array(text.utf8)[...])
    }
  }
}

struct FormatScan {
  private let bytes: [UInt8]
  private var next = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { next == bytes.count }

  private mutating func skip(_ scalars: Unicode.Scalar...) -> Bool {
    guard next < bytes.count, scalars.contains(Unicode.Scalar(bytes[next])) else { return false }
    next += 1
    return true
  }

  private mutating func number(_ count: Int) -> Int? {
    guard next + count <= bytes.count else { return nil }
    var value = 0
    for _ in 0..<count {
      let digit = bytes[next] &- .digit0
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
      next += 1
    }
    return value
  }

  /// Reads a date and returns whether it is valid. Source: RFC 3339 §5.6, full-date.
  mutating func date() -> Bool {
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else { return false }
    return GregorianDay(year: year, month: month, day: day) != nil
  }

  /// Reads a time with its offset. A leap second is allowed only at the end of a UTC day. Source: RFC 3339 §5.6, full-time.
  mutating func time() -> Bool {
    guard let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
      hour < 24, minute < 60, second <= 60
    else { return false }
    if skip(".") {
      let start = next
      while next < bytes.count, bytes[next].isDigit { next += 1 }
      guard next > start else { return false }
    }
    var offset = 0
    if !skip("Z", "z") {
      let isAhead = skip("+")
      guard isAhead || skip("-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
      else { return false }
      offset = (hours * 60 + minutes) * (isAhead ? 1 : -1)
    }
    return second < 60 || (hour * 60 + minute - offset + 2880) % 1440 == 1439
  }

  mutating func dateTime() -> Bool { date() && skip("T", "t") && time() }

  /// Reads a UUID of any version and returns whether it is valid. Source: RFC 9562 §4.
  mutating func uuid() -> Bool {
    for (index, count) in [8, 4, 4, 4, 12].enumerated() {
      guard index == 0 || skip("-") else { return false }
      for _ in 0..<count {
        guard next < bytes.count, bytes[next].isHexadecimalDigit else { return false }
        next += 1
      }
    }
    return true
  }
}

/// Formats of network addresses.
extension FormatScan {
  /// Returns whether `text` is an email address, without comments and unquoted white space. Source: RFC 5321 §4.1.2.
  static func isEmail(_ text: ArraySlice<UInt8>) -> Bool {
    guard let at = text.lastIndex(of: .atSign), at > text.startIndex else { return false }
    let local = text[..<at]
    let domain = text[(at + 1)...]
    if local.first == .quote {
      guard local.count > 2, local.last == .quote, isQuoted(local.dropFirst().dropLast()) else { return false }
    } else {
      let atoms = local.split(separator: .period, omittingEmptySubsequences: false)
      guard atoms.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isAtom) }) else { return false }
    }
    guard domain.first == .openBracket, domain.last == .closeBracket else { return isHostName(domain) }
    let literal = domain.dropFirst().dropLast()
    let tag = Array("IPv6:".utf8)
    return literal.starts(with: tag) ? literal.dropFirst(tag.count).isIPv6Address : literal.isIPv4Address
  }

  private static func isAtom(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  private static func isQuoted(_ text: ArraySlice<UInt8>) -> Bool {
    var isEscaped = false
    for byte in text {
      guard (0x20...0x7E).contains(byte), isEscaped || byte != .quote else { return false }
      isEscaped = !isEscaped && byte == .backslash
    }
    return !isEscaped
  }

  /// Returns whether `text` is a host name: labels of letters, digits and hyphens. Source: RFC 1123 §2.1.
  static func isHostName(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count <= 253 else { return false }
    return text.split(separator: .period, omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count) && label.first != .minus && label.last != .minus
        && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == .minus }
    }
  }

  /// Returns whether `text` is a URI. The scheme is required. Source: RFC 3986 §3.
  static func isURI(_ text: String) -> Bool {
    let uri = URIReference(text)
    // Nothing had to be encoded, and there are no blanks around it.
    guard uri.scheme != nil, uri.description == text else { return false }
    return uri.authority.map { isAuthority(Array($0.utf8)[...]) } ?? true
  }

  /// Returns whether the delimiters of an authority are in their places. The other characters are allowed in a URI.
  private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
    var host = text
    if let at = text.lastIndex(of: .atSign) {
      guard !text[..<at].contains(where: "@[]".utf8.contains) else { return false }
      host = text[(at + 1)...]
    }
    if host.first == .openBracket {
      guard let end = host.firstIndex(of: .closeBracket), host[(host.startIndex + 1)..<end].isIPv6Address else {
        return false
      }
      let port = host[(end + 1)...]
      return port.isEmpty || (port.first == .colon && port.dropFirst().allSatisfy(\.isDigit))
    }
    if let colon = host.lastIndex(of: .colon) {
      guard host[(colon + 1)...].allSatisfy(\.isDigit) else { return false }
      host = host[..<colon]
    }
    return !host.contains(where: ":[]".utf8.contains)
  }
}
