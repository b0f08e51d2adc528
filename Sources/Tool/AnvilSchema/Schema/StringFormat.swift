internal import AnvilBase

/// A supported format of strings, with its name in JSON Schema.
enum StringFormat: String, CaseIterable, Sendable {
  case dateTime = "date-time"
  case date
  case time
  case email
  case uri
  case uuid
  case ipv4
  case ipv6
  case hostname

  /// A description of matching strings.
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
  func matches(_ text: String) -> Bool {
    var scan = FormatScan(text)
    switch self {
    case .dateTime: return scan.dateTime() && scan.isAtEnd
    case .date: return scan.date() && scan.isAtEnd
    case .time: return scan.time() && scan.isAtEnd
    case .email: return FormatScan.isEmail(Array(text.utf8)[...])
    case .uri: return FormatScan.isURI(Array(text.utf8)[...])
    case .uuid: return scan.uuid() && scan.isAtEnd
    case .ipv4: return FormatScan.isIPv4(Array(text.utf8)[...])
    case .ipv6: return FormatScan.isIPv6(Array(text.utf8)[...])
    case .hostname: return FormatScan.isHostName(Array(text.utf8)[...])
    }
  }
}

/// A scanner for formatted strings.
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

  /// Reads a number of exactly `count` digits.
  private mutating func number(_ count: Int) -> Int? {
    guard next + count <= bytes.count else { return nil }
    var value = 0
    for _ in 0..<count {
      let digit = bytes[next] &- 0x30
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

  /// Reads a time with its offset and returns whether it is valid. A leap second is allowed only at the end of a UTC day. Source: RFC 3339
  /// §5.6, full-time.
  mutating func time() -> Bool {
    guard let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
      hour < 24, minute < 60, second <= 60
    else { return false }
    if skip(".") {
      let start = next
      while next < bytes.count, bytes[next] &- 0x30 <= 9 { next += 1 }
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
        guard next < bytes.count, bytes[next].isHexadecimal else { return false }
        next += 1
      }
    }
    return true
  }
}

extension UInt8 {
  var isDecimal: Bool { self &- 0x30 <= 9 }
  var isHexadecimal: Bool { isDecimal || (self | 0x20) &- 0x61 <= 5 }
  var isLetter: Bool { (self | 0x20) &- 0x61 <= 25 }
}
