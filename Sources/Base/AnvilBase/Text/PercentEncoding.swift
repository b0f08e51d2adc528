/// Percent-encoding of bytes in URIs. Source: RFC 3986 §2.
package enum PercentEncoding {
  package enum Kept: Sendable {
    /// Letters, digits and `-._~`. Source: RFC 3986 §2.3.
    case unreserved
    /// Unreserved characters and slashes.
    case path
    /// Unreserved characters, reserved characters, and bytes that are already percent-encoded.
    case reserved

    @inline(__always)
    fileprivate func contains(_ byte: UInt8) -> Bool {
      isUnreserved(byte) || self == .reserved && isReserved(byte) || self == .path && byte == .slash
    }
  }

  /// Returns `text` with all UTF-8 bytes except those in `kept` encoded as `%XX`. By default the result contains no URI delimiter.
  package static func encode(_ text: String, keeping kept: Kept = .unreserved) -> String {
    // Most texts are returned as they are: encoding the path of a short call took 17,000 of its 86,000 instructions.
    if text.allBytes(satisfy: { kept.contains($0) }) { return text }
    return encode(Array(text.utf8)[...], keeping: kept)
  }

  package static func encode(_ bytes: ArraySlice<UInt8>, keeping kept: Kept) -> String {
    encode(bytes, keepingTriplets: kept == .reserved) { kept.contains($0) }
  }

  static func encode(_ bytes: ArraySlice<UInt8>, keepingTriplets: Bool, where isKept: (UInt8) -> Bool) -> String {
    var text = ""
    text.reserveCapacity(bytes.count)
    for index in bytes.indices {
      let byte = bytes[index]
      if isKept(byte) || keepingTriplets && isTriplet(bytes[index...]) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        append(byte, to: &text)
      }
    }
    return text
  }

  /// Appends `byte` as `%XX`.
  package static func append(_ byte: UInt8, to text: inout String) {
    text += "%" + byte.text(digits: 2, radix: 16).uppercased()
  }

  package static func isTriplet(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.first == .percentSign && byte(spelledBy: bytes.dropFirst()) != nil
  }

  /// A `%` that is not followed by two hexadecimal digits is kept.
  package static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let next = rest.popFirst() {
      if next == .percentSign, let byte = byte(spelledBy: rest) {
        decoded.append(byte)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(next)
      }
    }
    return decoded
  }

  /// Returns the text with each `%XX` decoded. Bytes that are not UTF-8 become replacement characters.
  package static func decode(_ text: String) -> String {
    guard text.utf8.contains(.percentSign) else { return text }
    return String(decoding: decode(text.utf8), as: UTF8.self)
  }

  /// Returns the byte given by the first two hexadecimal digits of `bytes`; `nil` if they are not hexadecimal digits.
  private static func byte(spelledBy bytes: some Collection<UInt8>) -> UInt8? {
    var digits = bytes.prefix(2).makeIterator()
    guard let high = digits.next().flatMap(\.hexadecimalValue), let low = digits.next().flatMap(\.hexadecimalValue)
    else {
      return nil
    }
    return high << 4 | low
  }

  /// Returns whether `byte` is an unreserved character. Source: RFC 3986 §2.3.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == .minus || byte == .period || byte == .underscore || byte == .tilde
  }

  /// Returns whether `byte` is a reserved character. Source: RFC 3986 §2.2.
  fileprivate static func isReserved(_ byte: UInt8) -> Bool {
    switch byte {
    case .colon, .slash, .questionMark, .numberSign, .openBracket, .closeBracket, .atSign, .exclamationMark,
      .dollarSign,
      .ampersand, .apostrophe, .openParenthesis, .closeParenthesis, .asterisk, .plus, .comma, .semicolon, .equalsSign:
      true
    default: false
    }
  }
}

/// Percent-encoding of names and values in URL forms. It differs from that of URIs: a space is `+`.
///
/// Source: the URL standard, "application/x-www-form-urlencoded".
package enum FormEncoding {
  /// Returns `text` in UTF-8: letters, digits and `*-._` unchanged, a space as `+`, and all other bytes as `%XX`.
  package static func encode(_ text: String) -> String {
    var encoded = ""
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case _ where byte.isLetter || byte.isDigit, .asterisk, .minus, .period, .underscore:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      case .space: encoded.append("+")
      default: PercentEncoding.append(byte, to: &encoded)
      }
    }
    return encoded
  }

  /// Decodes `bytes`, where `+` is a space. Returns `nil` if the result is not UTF-8.
  package static func decode(_ bytes: some Sequence<UInt8>) -> String? {
    String(validating: self.bytes(bytes), as: UTF8.self)
  }

  /// Returns the decoded bytes. A `+` is a space. A `%` that is not followed by two hexadecimal digits is kept.
  package static func bytes(_ encoded: some Sequence<UInt8>) -> [UInt8] {
    PercentEncoding.decode(encoded.map { $0 == .plus ? .space : $0 })
  }
}
