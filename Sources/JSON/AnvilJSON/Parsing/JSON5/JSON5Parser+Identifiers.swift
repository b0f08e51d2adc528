/// Keys without quotation marks. Source: ECMAScript 5.1 §7.6, `IdentifierName`. Reserved words are allowed as keys.
extension JSON5Parser {
  /// Moves after the identifier at `at`.
  ///
  /// - Returns: The location of the identifier's bytes in the text; `nil` if it has escapes. Its bytes are then in `scratch`.
  mutating func readIdentifier() throws(ParseFailure) -> (start: Int, length: Int)? {
    let start = at
    var isPlain = true
    while at < end {
      let place = at
      let scalar: Unicode.Scalar
      if byte == 0x5C {
        if isPlain {
          scratch.removeAll(keepingCapacity: true)
          appendToScratch(from: start, to: at)
        }
        isPlain = false
        at &+= 1
        guard byte == 0x75 else { throw ParseFailure(code: at >= end ? .unexpectedEnd : .invalidEscape, offset: place) }
        scalar = try readUnicodeEscape()
        // An escape must be a character of the identifier. It cannot end the identifier.
        guard scalar.isJSON5IdentifierPart(isFirst: place == start) else {
          throw ParseFailure(code: .invalidEscape, offset: place)
        }
      } else {
        let length: Int
        (scalar, length) = self.scalar(at: at)
        guard scalar.isJSON5IdentifierPart(isFirst: at == start) else { break }
        at &+= length
      }
      if !isPlain { appendToScratch(scalar) }
    }
    guard at > start else { throw unexpected("a key") }
    return isPlain ? (start, at &- start) : nil
  }
}

extension Unicode.Scalar {
  /// Returns whether the scalar is permitted in an identifier, as its first or a later one.
  @inline(never)
  fileprivate func isJSON5IdentifierPart(isFirst: Bool) -> Bool {
    switch value {
    case 0x24, 0x5F, 0x41...0x5A, 0x61...0x7A: return true
    case 0x30...0x39: return !isFirst
    case 0..<0x80: return false
    // The joiners.
    case 0x200C, 0x200D: return !isFirst
    default: break
    }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: return true
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return !isFirst
    default: return false
    }
  }
}
