/// Turns a text into a tape in one pass.
///
/// Strings with escapes are resolved in place: what they stand for is never longer. Numbers are converted as they are
/// read, their text stays. Containers that are open keep in their own tape word the index of the one around them, so that
/// nesting needs no stack.
struct TapeParser {
  private let bytes: PaddedBytes
  private let tape: TapeMemory
  private let depthLimit: Int
  /// The next byte.
  private var at = 0
  /// The next word.
  private var end = 0

  private init(_ bytes: PaddedBytes, _ tape: TapeMemory, depthLimit: Int) {
    self.bytes = bytes
    self.tape = tape
    self.depthLimit = depthLimit
  }

  /// Parses all of `bytes` into `tape`, which has at least the capacity for them, and returns how many words there are.
  ///
  /// - Complexity: O(*n*), nothing is allocated but for numbers of more than 19 digits.
  static func parse(
    _ bytes: PaddedBytes, from start: Int, into tape: TapeMemory, options: JSON.ParsingOptions
  ) throws(ParseFailure) -> Int {
    var parser = TapeParser(bytes, tape, depthLimit: options.depthLimit)
    parser.at = start
    if options.root == .container, case let byte = parser.skipWhitespace(), byte != 0x7B, byte != 0x5B {
      throw ParseFailure(code: .fragment, offset: parser.at)
    }
    try parser.parseDocument()
    return parser.end
  }

  private mutating func parseDocument() throws(ParseFailure) {
    /// The open container's word, and how many members it has so far.
    var container = -1
    var count = 0
    var depth = 0
    var isObject = false
    var byte = skipWhitespace()
    while true {
      // A value begins at `at` with `byte`.
      switch byte {
      case 0x22: try parseString()
      case 0x7B, 0x5B:
        guard depth < depthLimit else { throw failure(.tooDeep(limit: depthLimit)) }
        depth &+= 1
        if container >= 0 {
          tape[container] = .open(isObject: isObject, count: count, around: tape[container].around)
        }
        tape[end] = .open(isObject: byte == 0x7B, count: 0, around: container)
        container = end
        end &+= 1
        count = 0
        isObject = byte == 0x7B
        at &+= 1
        byte = skipWhitespace()
        if isObject, byte != 0x7D {
          try parseKey(byte)
          byte = skipWhitespace()
          continue
        }
        if !isObject, byte != 0x5D { continue }
        // Empty: closed below, as if after a value.
        count = -1
      case 0x74:
        guard bytes.load(UInt32.self, at: at) == 0x6575_7274 else { throw misspelt("true") }
        at &+= 4
        push(.true)
      case 0x66:
        guard bytes.load(UInt32.self, at: at) == 0x736C_6166, bytes[at &+ 4] == 0x65 else { throw misspelt("false") }
        at &+= 5
        push(.false)
      case 0x6E:
        guard bytes.load(UInt32.self, at: at) == 0x6C6C_756E else { throw misspelt("null") }
        at &+= 4
        push(.null)
      default:
        guard byte == 0x2D || byte &- 0x30 <= 9 else { throw unexpected("a value") }
        try parseNumber()
      }

      // After a value: the next member, or the ends of as many containers as end here.
      while true {
        byte = skipWhitespace()
        guard container >= 0 else {
          guard at >= bytes.count else { throw failure(.trailingContent) }
          return
        }
        count &+= 1
        if byte == 0x2C {
          at &+= 1
          byte = skipWhitespace()
          if isObject {
            try parseKey(byte)
            byte = skipWhitespace()
          }
          break
        }
        guard byte == (isObject ? 0x7D : 0x5D) else { throw unexpected(isObject ? "',' or '}'" : "',' or ']'") }
        at &+= 1
        depth &-= 1
        let around = tape[container].around
        tape[container] = .container(isObject: isObject, count: count, span: end &- container)
        container = around
        if container >= 0 {
          let word = tape[container]
          isObject = word.is(.object)
          count = word.count
        }
      }
    }
  }

  @inline(__always)
  private mutating func push(_ word: TapeWord) {
    tape[end] = word
    end &+= 1
  }

  /// Moves to the next byte that is no white space, and returns it: NUL at the end.
  @inline(__always)
  private mutating func skipWhitespace() -> UInt8 {
    let byte = bytes[at]
    if byte > 0x20 { return byte }
    // A single space or line end is what there mostly is.
    let isWhitespace = (1 &<< 0x20 | 1 &<< 0x0D | 1 &<< 0x0A | 1 &<< 0x09 as UInt64) &>> UInt64(byte) & 1 == 1
    at &+= isWhitespace ? 1 : 0
    let next = bytes[at]
    if next > 0x20 { return next }
    return isWhitespace ? skipMoreWhitespace() : next
  }

  @inline(never)
  private mutating func skipMoreWhitespace() -> UInt8 {
    while true {
      let lane = bytes.load(ByteVector.self, at: at).nonWhitespace.firstSetLane
      at &+= lane
      if lane < 16 { return bytes[at] }
    }
  }
}

// MARK: - Strings

extension TapeParser {
  /// A key, which begins with `byte`, and the colon behind it.
  @inline(__always)
  private mutating func parseKey(_ byte: UInt8) throws(ParseFailure) {
    guard byte == 0x22 else { throw unexpected("a key in quotation marks") }
    try parseString()
    guard skipWhitespace() == 0x3A else { throw unexpected("':'") }
    at &+= 1
  }

  /// A string whose opening quotation mark is at `at`.
  @inline(__always)
  private mutating func parseString() throws(ParseFailure) {
    let start = at &+ 1
    var next = start
    var seen = ByteVector(repeating: 0)
    while true {
      let vector = bytes.load(ByteVector.self, at: next)
      let lane = vector.stringSpecials.firstSetLane
      if lane < 16 {
        let isNonASCII = vector.hasNonASCII(before: lane) || seen.hasNonASCII(before: 16)
        next &+= lane
        guard bytes[next] == 0x22, next &- start <= TapeWord.longestLength else {
          at = next
          return try parseUncommonString(from: start, isNonASCII: isNonASCII)
        }
        if isNonASCII { try checkUTF8(from: start, to: next) }
        push(.string(offset: start, length: next &- start, isNonASCII: isNonASCII))
        at = next &+ 1
        return
      }
      seen |= vector
      next &+= 16
    }
  }

  @inline(never)
  private func checkUTF8(from start: Int, to end: Int) throws(ParseFailure) {
    if let offset = UTF8Validation.firstInvalidByte(in: bytes, from: start, to: end) {
      throw ParseFailure(code: .invalidEncoding, offset: offset)
    }
  }

  /// The rest of a string from `at`, where there is a backslash, a control character, or the end of a long string.
  ///
  /// Resolved bytes are written over the text from the first escape on, behind which reading goes on.
  @inline(never)
  private mutating func parseUncommonString(from start: Int, isNonASCII: Bool) throws(ParseFailure) {
    var isNonASCII = isNonASCII
    // Up to here the raw text is known to be UTF-8.
    var checked = start
    var written = at
    while true {
      let byte = bytes[at]
      switch byte {
      case 0x22:
        if isNonASCII { try checkUTF8(from: checked, to: written) }
        at &+= 1
        return pushString(from: start, length: written &- start, isNonASCII: isNonASCII)
      case 0x5C:
        // What an escape gives is well-formed, and must not complete what stands raw beside it.
        if isNonASCII { try checkUTF8(from: checked, to: written) }
        let scalar = try parseEscape()
        isNonASCII = write(scalar, at: &written) || isNonASCII
        checked = written
      case 0..<0x20:
        throw failure(at >= bytes.count ? .unexpectedEnd : .controlCharacter(byte))
      default:
        isNonASCII = movePlainRun(to: &written) || isNonASCII
      }
    }
  }

  /// Moves the bytes from `at` up to the next special one down to `written`; tells whether any is beyond ASCII.
  @inline(__always)
  private mutating func movePlainRun(to written: inout Int) -> Bool {
    var isNonASCII = false
    while true {
      let vector = bytes.load(ByteVector.self, at: at)
      let lane = vector.stringSpecials.firstSetLane
      isNonASCII = isNonASCII || vector.hasNonASCII(before: lane)
      // What is written beyond the run has been read, or is read again from `at`, which lies further on.
      if at &- written >= 16 {
        bytes.store(vector, at: written)
      } else {
        for offset in 0..<lane { bytes[written &+ offset] = bytes[at &+ offset] }
      }
      at &+= lane
      written &+= lane
      if lane < 16 { return isNonASCII }
    }
  }

  /// Writes `scalar` in UTF-8; tells whether it is beyond ASCII.
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

  private mutating func pushString(from start: Int, length: Int, isNonASCII: Bool) {
    guard length > TapeWord.longestLength else {
      return push(.string(offset: start, length: length, isNonASCII: isNonASCII))
    }
    push(.longString(offset: start, isNonASCII: isNonASCII))
    push(TapeWord(bits: UInt64(length)))
  }

  /// The scalar that the escape at `at` stands for. Source: RFC 8259 §7.
  private mutating func parseEscape() throws(ParseFailure) -> Unicode.Scalar {
    let start = at
    let letter = bytes[at &+ 1]
    at &+= 2
    switch letter {
    case 0x22, 0x5C, 0x2F: return Unicode.Scalar(letter)
    case 0x62: return "\u{8}"
    case 0x66: return "\u{C}"
    case 0x6E: return "\n"
    case 0x72: return "\r"
    case 0x74: return "\t"
    case 0x75:
      let unit = try parseHexadecimal(of: start)
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit < 0xDC00, bytes[at] == 0x5C, bytes[at &+ 1] == 0x75 else {
        throw ParseFailure(code: .loneSurrogate, offset: start)
      }
      at &+= 2
      let low = try parseHexadecimal(of: start)
      guard low & 0xFC00 == 0xDC00,
        let scalar = Unicode.Scalar(0x10000 &+ (unit &- 0xD800) &<< 10 &+ (low &- 0xDC00))
      else { throw ParseFailure(code: .loneSurrogate, offset: start) }
      return scalar
    default: throw ParseFailure(code: start &+ 1 >= bytes.count ? .unexpectedEnd : .invalidEscape, offset: start)
    }
  }

  private mutating func parseHexadecimal(of escape: Int) throws(ParseFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = bytes[at]
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte &- 0x30
      case 0x41...0x46, 0x61...0x66: digit = byte & 0xDF &- 0x37
      default: throw ParseFailure(code: at >= bytes.count ? .unexpectedEnd : .invalidEscape, offset: escape)
      }
      value = value &<< 4 | UInt32(digit)
      at &+= 1
    }
    return value
  }
}

// MARK: - Numbers

extension TapeParser {
  /// A number at `at`, where there is a digit or a minus. Source: RFC 8259 §6.
  @inline(__always)
  private mutating func parseNumber() throws(ParseFailure) {
    let start = at
    let isNegative = bytes[at] == 0x2D
    var next = isNegative ? at &+ 1 : at
    let firstDigit = next
    var significand: UInt64 = 0
    while case let digit = UInt64(bytes[next] &- 0x30), digit <= 9 {
      significand = significand &* 10 &+ digit
      next &+= 1
    }
    let digits = next &- firstDigit
    guard digits > 0, digits == 1 || bytes[firstDigit] != 0x30 else {
      at = next
      throw failure(digits == 0 && next >= bytes.count ? .unexpectedEnd : .invalidNumber)
    }
    let byte = bytes[next]
    guard byte != 0x2E, byte | 0x20 != 0x65 else {
      return try parseFraction(from: start, firstDigit: firstDigit, next, significand)
    }
    at = next
    // 17 digits fit the 60 bits of a word; minus zero is a double.
    if digits <= 17, !isNegative || significand != 0 {
      let value = Int64(bitPattern: significand)
      return push(.integer(isNegative ? 0 &- value : value))
    }
    pushLongInteger(from: start, isNegative: isNegative)
  }

  /// The fraction and exponent of a number whose integer part ends at `next`.
  @inline(__always)
  private mutating func parseFraction(
    from start: Int, firstDigit: Int, _ integerEnd: Int, _ integer: UInt64
  ) throws(ParseFailure) {
    var next = integerEnd
    var significand = integer
    var exponent = 0
    var digits = next &- firstDigit
    if bytes[next] == 0x2E {
      next &+= 1
      let fraction = next
      while let eight = eightDigits(at: next) {
        significand = significand &* 100_000_000 &+ eight
        next &+= 8
      }
      while case let digit = UInt64(bytes[next] &- 0x30), digit <= 9 {
        significand = significand &* 10 &+ digit
        next &+= 1
      }
      exponent = fraction &- next
      digits &-= exponent
      guard exponent != 0 else {
        at = next
        throw failure(next >= bytes.count ? .unexpectedEnd : .invalidNumber)
      }
    }
    if bytes[next] | 0x20 == 0x65 {
      next &+= 1
      let sign = bytes[next]
      if sign == 0x2D || sign == 0x2B { next &+= 1 }
      let exponentStart = next
      var written = 0
      while case let digit = Int(bytes[next] &- 0x30), digit <= 9 {
        // Beyond any double's range whatever follows; the bound keeps the sum below from overflowing.
        if written < 1_000_000_000 { written = written &* 10 &+ digit }
        next &+= 1
      }
      guard next != exponentStart else {
        at = next
        throw failure(next >= bytes.count ? .unexpectedEnd : .invalidNumber)
      }
      exponent &+= sign == 0x2D ? 0 &- written : written
    }
    at = next
    if digits <= NearestDouble.exactDigits, let value = NearestDouble.nearest(significand, exponent: exponent) {
      return pushDouble(bytes[start] == 0x2D ? -value : value, from: start, isIntegerLiteral: false)
    }
    pushLongDouble(from: start, isIntegerLiteral: false)
  }

  /// The eight digits at `offset` as a number, where there are as many.
  ///
  /// Source: Johnny Lee's and Daniel Lemire's parsing of eight digits in one word.
  @inline(__always)
  private func eightDigits(at offset: Int) -> UInt64? {
    let word = UInt64(littleEndian: bytes.load(UInt64.self, at: offset))
    let values = word &- 0x3030_3030_3030_3030
    guard (word &+ 0x4646_4646_4646_4646 | values) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let pairs = values &* 10 &+ values &>> 8
    return
      ((pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
      &+ (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001) &>> 32
  }

  @inline(__always)
  private mutating func pushDouble(_ value: Double, from start: Int, isIntegerLiteral: Bool) {
    push(
      .number(
        .double, offset: start, length: min(at &- start, TapeWord.longestLength), isIntegerLiteral: isIntegerLiteral,
        isOutOfRange: !value.isFinite))
    push(TapeWord(bits: value.bitPattern))
  }

  /// An integer of 18 digits or more, or minus zero, that ends at `at`: 64 bits where they do, else a double.
  @inline(never)
  private mutating func pushLongInteger(from start: Int, isNegative: Bool) {
    var magnitude: UInt64 = 0
    var fits = true
    for offset in (isNegative ? start &+ 1 : start)..<at {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[offset] &- 0x30))
      magnitude = sum
      if overflow || carry {
        fits = false
        break
      }
    }
    let length = min(at &- start, TapeWord.longestLength)
    if fits, !isNegative {
      if magnitude <= UInt64(Int64.max), TapeWord.fits(Int64(magnitude)) { return push(.integer(Int64(magnitude))) }
      push(.number(.unsigned, offset: start, length: length, isIntegerLiteral: true))
      return push(TapeWord(bits: magnitude))
    }
    if fits, magnitude != 0, magnitude <= 1 << 63 {
      let value = Int64(truncatingIfNeeded: 0 &- magnitude)
      if TapeWord.fits(value) { return push(.integer(value)) }
      push(.number(.signed, offset: start, length: length, isIntegerLiteral: true))
      return push(TapeWord(bits: UInt64(bitPattern: value)))
    }
    pushLongDouble(from: start, isIntegerLiteral: true)
  }

  /// A number of any length that ends at `at`, as the nearest double.
  @inline(never)
  private mutating func pushLongDouble(from start: Int, isIntegerLiteral: Bool) {
    let value = NearestDouble.exact(bytes, from: start, to: at)
    pushDouble(value, from: start, isIntegerLiteral: isIntegerLiteral)
  }
}

// MARK: - Failures

extension TapeParser {
  @inline(never)
  private func failure(_ code: JSON.SyntaxError.Code) -> ParseFailure {
    ParseFailure(code: code, offset: min(at, bytes.count))
  }

  @inline(never)
  private func unexpected(_ expected: String) -> ParseFailure {
    at >= bytes.count ? failure(.unexpectedEnd) : failure(.unexpectedByte(bytes[at], expected: expected))
  }
}

extension TapeParser {
  /// A literal that begins like `name` and goes on otherwise.
  @inline(never)
  private mutating func misspelt(_ name: String) -> ParseFailure {
    for byte in name.utf8 where bytes[at] == byte { at &+= 1 }
    return unexpected(name)
  }
}

extension TapeWord {
  /// The word of a container that is still open: how many members it has, and which container is around it (-1: none).
  @inline(__always)
  fileprivate static func open(isObject: Bool, count: Int, around: Int) -> TapeWord {
    container(isObject: isObject, count: count, span: around)
  }

  /// The index of the container around this open one; -1 for none.
  @inline(__always)
  fileprivate var around: Int {
    let index = UInt32(truncatingIfNeeded: bits &>> 32)
    return index == .max ? -1 : Int(index)
  }
}
