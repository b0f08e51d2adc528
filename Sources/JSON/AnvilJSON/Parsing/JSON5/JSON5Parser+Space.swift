/// White space and comments.
extension JSON5Parser {
  /// Moves to the next byte that is neither white space nor part of a comment, or to the end.
  ///
  /// - Throws: An error for an unterminated comment, and for a slash that does not start a comment.
  mutating func skipSpace() throws(ParseFailure) {
    while at < end {
      switch bytes[at] {
      case 0x09...0x0D, 0x20: at &+= 1
      case 0x2F: try skipComment()
      case 0x80...:
        let (scalar, length) = self.scalar(at: at)
        guard scalar.isJSON5Space else { return }
        at &+= length
      default: return
      }
    }
  }

  private mutating func skipComment() throws(ParseFailure) {
    at &+= 1
    switch byte {
    case 0x2F:
      while at < end, !isAtLineEnd { at &+= 1 }
    case 0x2A:
      at &+= 1
      while byte != 0x2A || secondByte != 0x2F {
        guard at < end else { throw failure(.unexpectedEnd) }
        at &+= 1
      }
      at &+= 2
    default: throw unexpected("'/' or '*'")
    }
  }

  /// True if a line ends at `at`: LF, CR, U+2028 or U+2029.
  private var isAtLineEnd: Bool {
    switch bytes[at] {
    case 0x0A, 0x0D: true
    case 0xE2: bytes[at &+ 1] == 0x80 && bytes[at &+ 2] & 0xFE == 0xA8
    default: false
    }
  }

  /// Returns the scalar that begins at `offset`, and its length in bytes.
  @inline(never)
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
    let lead = UInt32(bytes[offset])
    guard lead >= 0xC0 else { return (Unicode.Scalar(UInt8(lead)), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = lead & (0x7F &>> UInt32(length))
    for position in 1..<length { value = value &<< 6 | UInt32(bytes[offset &+ position] & 0x3F) }
    // The text has been validated, so that the value is a scalar.
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }
}

extension Unicode.Scalar {
  /// True if the scalar is white space or a line end in JSON5, as in ECMAScript 5.1 §7.2 and §7.3.
  fileprivate var isJSON5Space: Bool {
    switch value {
    case 0xA0, 0xFEFF, 0x2028, 0x2029: true
    default: properties.generalCategory == .spaceSeparator
    }
  }
}
