/// Numbers, which are converted as they are read.
extension TapeParser {
  /// A number at `at`, where there is a digit or a minus. Source: RFC 8259 §6.
  @inline(__always)
  mutating func parseNumber() throws(ParseFailure) {
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
