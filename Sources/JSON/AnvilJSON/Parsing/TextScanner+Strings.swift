internal import AnvilBase

/// The location of the UTF-8 bytes of a string or key in a text. Its escapes have been resolved.
struct ScannedString {
  /// The offset of the first byte after the quotation mark.
  var start: Int
  /// The number of bytes.
  var length: Int
  /// True if any byte is not ASCII. Such bytes have been validated.
  var isNonASCII: Bool
}

extension TextScanner {
  /// Scans a key, which begins with `byte`, and the colon after it.
  @inline(__always)
  mutating func scanKey(_ byte: UInt8) throws(ParseFailure) -> ScannedString {
    guard byte == .quote else { throw unexpected("a key in quotation marks") }
    let key = try scanString()
    guard skipWhitespace() == .colon else { throw unexpected("':'") }
    at &+= 1
    return key
  }

  /// Scans a string whose opening quotation mark is at `at`.
  @inline(__always)
  mutating func scanString() throws(ParseFailure) -> ScannedString {
    let start = at &+ 1
    var next = start
    var beyondASCII: UInt32 = 0
    while true {
      let lanes = bytes.stringLanes(at: next)
      beyondASCII |= lanes.plainBeyondASCII
      if lanes.specials != 0 {
        next &+= lanes.plainCount
        let isNonASCII = beyondASCII != 0
        guard bytes[next] == .quote else {
          var uncommon = TextScanner(bytes, at: next)
          let string = try uncommon.scanUncommonString(from: start, isNonASCII: isNonASCII)
          at = uncommon.at
          return string
        }
        if isNonASCII { try checkUTF8(from: start, to: next) }
        at = next &+ 1
        return ScannedString(start: start, length: next &- start, isNonASCII: isNonASCII)
      }
      next &+= 16
    }
  }

  /// Throws an error if the bytes from `start` to `end` are not valid UTF-8.
  ///
  /// - Parameter shift: The distance by which the bytes were moved towards the start of the text.
  @inline(never)
  private func checkUTF8(from start: Int, to end: Int, movedBy shift: Int = 0) throws(ParseFailure) {
    if let offset = UTF8Validation.firstInvalidByte(in: bytes, from: start, to: end) {
      throw ParseFailure(code: .invalidEncoding, offset: offset &+ shift)
    }
  }

  /// Scans the rest of a string from `at`, where there is a backslash or a control character.
  ///
  /// Resolved bytes overwrite the text from the first escape on, while reading continues after them. Each run between
  /// escapes is validated separately: an escape is well-formed by itself and must not complete raw bytes beside it.
  @inline(never)
  private mutating func scanUncommonString(
    from start: Int, isNonASCII: Bool
  ) throws(ParseFailure) -> ScannedString {
    var isNonASCII = isNonASCII
    if isNonASCII { try checkUTF8(from: start, to: at) }
    var written = at
    while true {
      let byte = bytes[at]
      guard byte == .backslash else {
        guard byte == .quote else { throw failure(at >= bytes.count ? .unexpectedEnd : .controlCharacter(byte)) }
        at &+= 1
        return ScannedString(start: start, length: written &- start, isNonASCII: isNonASCII)
      }
      let character = Self.character(ofEscape: bytes[at &+ 1])
      if character != 0 {
        bytes[written] = character
        written &+= 1
        at &+= 2
      } else {
        isNonASCII = write(try scanUnicodeEscape(), at: &written) || isNonASCII
      }
      isNonASCII = try movePlainRun(to: &written) || isNonASCII
    }
  }

  /// Copies the bytes from `at` to the next quotation mark, backslash or control character to `written`, which is
  /// earlier in the text. Returns whether any of them is not ASCII.
  @inline(__always)
  private mutating func movePlainRun(to written: inout Int) throws(ParseFailure) -> Bool {
    let start = written
    var beyondASCII: UInt32 = 0
    while true {
      let lanes = bytes.stringLanes(at: at)
      beyondASCII |= lanes.plainBeyondASCII
      if lanes.specials != 0 {
        let count = lanes.plainCount
        bytes.moveDown(from: at, to: written, count: count)
        at &+= count
        written &+= count
        break
      }
      // `written` is before `at`, so the overwritten bytes have already been read.
      bytes.store(bytes.load(ByteVector.self, at: at), at: written)
      at &+= 16
      written &+= 16
    }
    guard beyondASCII != 0 else { return false }
    try checkUTF8(from: start, to: written, movedBy: at &- written)
    return true
  }

  /// Writes `scalar` in UTF-8. Returns whether it is not ASCII.
  @inline(__always)
  private func write(_ scalar: Unicode.Scalar, at written: inout Int) -> Bool {
    let value = scalar.value
    if value < 0x80 {
      bytes[written] = UInt8(truncatingIfNeeded: value)
      written &+= 1
      return false
    }
    for unit in Unicode.UTF8.encode(scalar) ?? .init() {
      bytes[written] = unit
      written &+= 1
    }
    return true
  }

  /// Returns the ASCII character of the escape with `letter`; NUL for `u` and for invalid escapes. Source: RFC 8259 §7.
  @inline(__always)
  static func character(ofEscape letter: UInt8) -> UInt8 {
    switch letter {
    case .quote, .backslash, .slash: letter
    case UInt8(ascii: "b"): .backspace
    case UInt8(ascii: "f"): .formFeed
    case UInt8(ascii: "n"): .lineFeed
    case UInt8(ascii: "r"): .carriageReturn
    case UInt8(ascii: "t"): .tab
    default: 0
    }
  }

  /// Returns the scalar of the `\u` escape at `at`. Reads two escapes if they are a surrogate pair.
  @inline(never)
  mutating func scanUnicodeEscape() throws(ParseFailure) -> Unicode.Scalar {
    let start = at
    guard bytes[at &+ 1] == UInt8(ascii: "u") else {
      throw ParseFailure(code: start &+ 1 >= bytes.count ? .unexpectedEnd : .invalidEscape, offset: start)
    }
    at &+= 2
    let unit = try scanHexadecimal(of: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, bytes[at] == .backslash, bytes[at &+ 1] == UInt8(ascii: "u") else {
      throw ParseFailure(code: .loneSurrogate, offset: start)
    }
    at &+= 2
    let low = try scanHexadecimal(of: start)
    guard low & 0xFC00 == 0xDC00,
      let scalar = Unicode.Scalar(0x10000 &+ (unit &- 0xD800) &<< 10 &+ (low &- 0xDC00))
    else { throw ParseFailure(code: .loneSurrogate, offset: start) }
    return scalar
  }

  private mutating func scanHexadecimal(of escape: Int) throws(ParseFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = bytes[at]
      guard let digit = byte.hexadecimalValue else {
        throw ParseFailure(code: at >= bytes.count ? .unexpectedEnd : .invalidEscape, offset: escape)
      }
      value = value &<< 4 | UInt32(digit)
      at &+= 1
    }
    return value
  }
}

typealias ByteVector = SIMD16<UInt8>

extension SIMDMask<SIMD16<Int8>> {
  @inline(__always)
  var hasSetLane: Bool {
    // Safety: a mask has the size of two words. Its lanes are all ones or all zeros.
    let words = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return words.x | words.y != 0
  }

  /// The first lane that is set; 16 if none is set.
  @inline(__always)
  var firstSetLane: Int {
    // Safety: as above.
    let words = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    // Without a branch, which would be mispredicted for every other string: a word without a bit counts eight lanes.
    let low = words.x.trailingZeroBitCount &>> 3
    let high = words.y.trailingZeroBitCount &>> 3
    return low &+ (high & (0 &- low &>> 3))
  }
}

/// The validation of UTF-8. Source: RFC 3629 §4; The Unicode Standard, table 3-7.
enum UTF8Validation {
  /// Returns the offset of the first byte that does not begin a well-formed sequence; `nil` if all bytes are well-formed.
  static func firstInvalidByte(in bytes: PaddedBytes, from start: Int, to end: Int) -> Int? {
    var next = start
    while next < end {
      let lead = bytes[next]
      switch lead {
      case 0..<0x80:
        // Reads eight ASCII bytes at once if there are as many.
        next &+= end &- next >= 8 && bytes.load(UInt64.self, at: next) & 0x8080_8080_8080_8080 == 0 ? 8 : 1
      case 0xC2...0xDF:
        guard end &- next >= 2, isContinuation(bytes[next &+ 1]) else { return next }
        next &+= 2
      case 0xE1...0xEC, 0xEE, 0xEF:
        // Most scripts other than Latin use three bytes per scalar: reads five scalars at once, or one. The padding
        // makes the loads safe at the end.
        if end &- next >= 15, bytes.isFiveOfThreeBytes(at: next) {
          next &+= 15
          continue
        }
        // Usually another scalar of three bytes follows. One that needs further checks starts the loop again.
        repeat {
          let word = UInt32(littleEndian: bytes.load(UInt32.self, at: next))
          guard end &- next >= 3, word & 0x00C0_C000 == 0x0080_8000 else { return next }
          next &+= 3
        } while next < end && 0xE1...0xEC ~= bytes[next]
      case 0xE0, 0xED:
        guard end &- next >= 3, isContinuation(bytes[next &+ 1]), isContinuation(bytes[next &+ 2]) else { return next }
        // Overlong forms, and the surrogates.
        if lead == 0xE0, bytes[next &+ 1] < 0xA0 { return next }
        if lead == 0xED, bytes[next &+ 1] >= 0xA0 { return next }
        next &+= 3
      case 0xF0...0xF4:
        guard end &- next >= 4, isContinuation(bytes[next &+ 1]), isContinuation(bytes[next &+ 2]),
          isContinuation(bytes[next &+ 3])
        else { return next }
        // Overlong forms, and beyond U+10FFFF.
        if lead == 0xF0, bytes[next &+ 1] < 0x90 { return next }
        if lead == 0xF4, bytes[next &+ 1] >= 0x90 { return next }
        next &+= 4
      default: return next
      }
    }
    return nil
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
