internal import AnvilBase

/// Strings in single or double quotation marks.
extension JSON5Parser {
  /// Parses the string whose quotation mark is at `at`, as a value.
  mutating func parseString() throws(ParseFailure) {
    let bytes = bytes
    guard let (start, length) = try readString() else {
      let text = scratch
      return builder.append(utf8: text.elementSpan)
    }
    bytes.withSpan(at: start, length: length) { builder.append(utf8: $0) }
  }

  /// Parses the key at `at`: a string or an identifier.
  mutating func parseKey() throws(ParseFailure) {
    let isString = byte == .quote || byte == .apostrophe
    let bytes = bytes
    guard let (start, length) = isString ? try readString() : try readIdentifier() else {
      let text = scratch
      return builder.appendKey(utf8: text.elementSpan)
    }
    bytes.withSpan(at: start, length: length) { builder.appendKey(utf8: $0) }
  }

  /// Moves after the string whose quotation mark is at `at`.
  ///
  /// - Returns: The location of the string's bytes in the text; `nil` if it has escapes. Its bytes are then in `scratch`.
  private mutating func readString() throws(ParseFailure) -> (start: Int, length: Int)? {
    let quote = bytes[at]
    at &+= 1
    var start = at
    var isPlain = true
    while true {
      skipPlainRun(until: quote)
      switch byte {
      case quote where at < end:
        defer { at &+= 1 }
        if isPlain { return (start, at &- start) }
        appendToScratch(from: start, to: at)
        return nil
      case .backslash:
        if isPlain { scratch.removeAll(keepingCapacity: true) }
        isPlain = false
        appendToScratch(from: start, to: at)
        try readEscape()
        start = at
      default: throw failure(at >= end ? .unexpectedEnd : .controlCharacter(byte))
      }
    }
  }

  /// Moves to the next `quote`, backslash, LF or CR, or to the end of the text.
  @inline(__always)
  private mutating func skipPlainRun(until quote: UInt8) {
    while at < end {
      // The padding makes the load at the end safe.
      let vector = bytes.load(ByteVector.self, at: at)
      let specials =
        (vector .== ByteVector(repeating: quote)) .| (vector .== ByteVector(repeating: .backslash))
        .| (vector .== ByteVector(repeating: .lineFeed)) .| (vector .== ByteVector(repeating: .carriageReturn))
      let lane = specials.firstSetLane
      at = min(at &+ lane, end)
      if lane < 16 { return }
    }
  }

  @inline(never)
  mutating func appendToScratch(from start: Int, to end: Int) {
    for offset in start..<end { scratch.append(bytes[offset]) }
  }

  /// Appends the character of the escape at `at` to `scratch`, and moves after the escape.
  private mutating func readEscape() throws(ParseFailure) {
    let start = at
    at &+= 1
    guard at < end else { throw ParseFailure(code: .unexpectedEnd, offset: start) }
    let letter = bytes[at]
    let character = TextScanner.character(ofEscape: letter)
    if character != 0 { return appendEscaped(character) }
    switch letter {
    case UInt8(ascii: "v"): appendEscaped(.verticalTab)
    case .digit0 where secondByte &- .digit0 > 9: appendEscaped(0)
    // Escapes of digits are not allowed, because octal escapes are obsolete in ECMAScript.
    case .digit0 ... .digit9: throw ParseFailure(code: .invalidEscape, offset: start)
    case UInt8(ascii: "x"):
      at &+= 1
      appendToScratch(Unicode.Scalar(UInt8(truncatingIfNeeded: try readHexadecimal(2, of: start))))
    case UInt8(ascii: "u"): appendToScratch(try readUnicodeEscape())
    // A line continuation adds nothing to the string.
    case .carriageReturn:
      at &+= 1
      if byte == .lineFeed { at &+= 1 }
    case .lineFeed: at &+= 1
    default:
      let (scalar, length) = scalar(at: at)
      at &+= length
      if scalar != "\u{2028}", scalar != "\u{2029}" { appendToScratch(scalar) }
    }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    scratch.append(byte)
    at &+= 1
  }

  @inline(never)
  mutating func appendToScratch(_ scalar: Unicode.Scalar) {
    scratch.append(contentsOf: Unicode.UTF8.encode(scalar) ?? .init())
  }

  /// Returns the scalar of the escape whose `u` is at `at`. Reads the second half if it is a surrogate pair.
  @inline(never)
  mutating func readUnicodeEscape() throws(ParseFailure) -> Unicode.Scalar {
    var scanner = TextScanner(bytes, at: at &- 1)
    let scalar = try scanner.scanUnicodeEscape()
    at = scanner.at
    return scalar
  }

  private mutating func readHexadecimal(_ count: Int, of escape: Int) throws(ParseFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = byte.hexadecimalValue else {
        throw ParseFailure(code: at >= end ? .unexpectedEnd : .invalidEscape, offset: escape)
      }
      value = value &<< 4 | UInt32(digit)
      at &+= 1
    }
    return value
  }
}
