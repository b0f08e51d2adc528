internal import AnvilBase

/// The location and the digits of a number.
struct ScannedNumber {
  /// The offset of the number's first character.
  var start: Int
  /// True if the number begins with a minus.
  var isNegative: Bool
  /// The number of digits of the integer part and the fraction.
  var digits: Int
  /// The integer formed by the digits. It is exact if ``digits`` is at most ``NearestDouble/exactDigits``.
  var significand: UInt64
  /// The power of ten that ``significand`` is multiplied by.
  var exponent = 0

  /// The number, which is whole, if it fits in one word of the tape; `nil` for others.
  @inline(__always)
  var shortInteger: Int64? { TapeWord.shortInteger(significand, digits: digits, isNegative: isNegative) }

  /// The double nearest to the number, if the significand determines it; `nil` if the text is needed.
  @inline(__always)
  var nearestDouble: Double? {
    guard digits <= NearestDouble.exactDigits,
      let value = NearestDouble.nearest(significand, exponent: exponent)
    else { return nil }
    return isNegative ? -value : value
  }
}

/// Scanning numbers. Source: RFC 8259 §6.
extension TextScanner {
  /// Scans the integer part of a number at `at`, where there is a digit or a minus.
  @inline(__always)
  mutating func scanInteger() throws(ParseFailure) -> ScannedNumber {
    let start = at
    let isNegative = bytes[at] == .minus
    var next = isNegative ? at &+ 1 : at
    let firstDigit = next
    var significand: UInt64 = 0
    // One by one, because the integer parts of most fractions are short. Words are faster from the fourth digit on.
    let longest = firstDigit &+ 3
    while next < longest, case let digit = UInt64(bytes[next] &- .digit0), digit <= 9 {
      significand = significand &* 10 &+ digit
      next &+= 1
    }
    if next == longest { scanDigits(from: &next, into: &significand) }
    let digits = next &- firstDigit
    at = next
    guard digits > 0, digits == 1 || bytes[firstDigit] != .digit0 else {
      // At the invalid byte: after a minus, or the digit after a zero.
      at = firstDigit &+ min(digits, 1)
      throw failure(digits == 0 && next >= bytes.count ? .unexpectedEnd : .invalidNumber)
    }
    return ScannedNumber(start: start, isNegative: isNegative, digits: digits, significand: significand)
  }

  /// Scans an integer of at most eighteen digits at `at`, without a fraction and an exponent. Returns `nil` and does not move for any other
  /// text, whether it is valid or not.
  @inline(__always)
  mutating func scanPlainInteger() -> Int64? {
    let isNegative = bytes[at] == .minus
    let start = isNegative ? at &+ 1 : at
    let word = UInt64(littleEndian: bytes.load(UInt64.self, at: start))
    let values = word &- 0x3030_3030_3030_3030
    let others = Self.otherThanDigits(word)
    var next: Int
    var magnitude: UInt64
    if others == 0 {
      magnitude = Self.number(ofDigits: values)
      next = start &+ 8
      let longest = start &+ 18
      while next < longest, case let digit = UInt64(bytes[next] &- .digit0), digit <= 9 {
        magnitude = magnitude &* 10 &+ digit
        next &+= 1
      }
    } else {
      let count = others.trailingZeroBitCount &>> 3
      guard count > 0 else { return nil }
      magnitude = Self.number(ofDigits: values &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
      next = start &+ count
    }
    let end = bytes[next]
    guard end != .period, end | 0x20 != UInt8(ascii: "e"), end &- .digit0 > 9,
      bytes[start] != .digit0 || next == start &+ 1
    else {
      return nil
    }
    at = next
    let value = Int64(truncatingIfNeeded: magnitude)
    return isNegative ? 0 &- value : value
  }

  /// Returns a word in which the high bit is set in each byte that is not a digit. The result is valid only up to the first such byte,
  /// because a carry from it can change the bytes after it.
  @inline(__always)
  private static func otherThanDigits(_ word: UInt64) -> UInt64 {
    ((word &+ 0x4646_4646_4646_4646) | (word &- 0x3030_3030_3030_3030)) & 0x8080_8080_8080_8080
  }

  /// True if a fraction or an exponent begins at `at`, after an integer part.
  @inline(__always)
  var isAtFraction: Bool { bytes[at] == .period || bytes[at] | 0x20 == UInt8(ascii: "e") }

  /// Scans the fraction and exponent of `number`, whose integer part ends at `at`.
  @inline(__always)
  mutating func scanFraction(of number: inout ScannedNumber) throws(ParseFailure) {
    var next = at
    if bytes[next] == .period {
      next &+= 1
      let fraction = next
      scanDigits(from: &next, into: &number.significand)
      number.exponent = fraction &- next
      number.digits &-= number.exponent
      guard number.exponent != 0 else {
        at = next
        throw failure(next >= bytes.count ? .unexpectedEnd : .invalidNumber)
      }
    }
    if bytes[next] | 0x20 == UInt8(ascii: "e") {
      next &+= 1
      let sign = bytes[next]
      if sign == .minus || sign == .plus { next &+= 1 }
      let exponentStart = next
      var written = 0
      while case let digit = Int(bytes[next] &- .digit0), digit <= 9 {
        // Beyond any double's range whatever follows; the bound keeps the sum below from overflowing.
        if written < 1_000_000_000 { written = written &* 10 &+ digit }
        next &+= 1
      }
      guard next != exponentStart else {
        at = next
        throw failure(next >= bytes.count ? .unexpectedEnd : .invalidNumber)
      }
      number.exponent &+= sign == .minus ? 0 &- written : written
    }
    at = next
  }

  /// Appends the digits from `next` on to `significand`, eight at a time, and moves after them.
  ///
  /// Source: D. Lemire, Number Parsing at a Gigabyte per Second (2021), for eight digits in one word.
  @inline(__always)
  private func scanDigits(from next: inout Int, into significand: inout UInt64) {
    while true {
      let word = UInt64(littleEndian: bytes.load(UInt64.self, at: next))
      let values = word &- 0x3030_3030_3030_3030
      let others = Self.otherThanDigits(word)
      guard others != 0 else {
        significand = significand &* 100_000_000 &+ Self.number(ofDigits: values)
        next &+= 8
        continue
      }
      let count = others.trailingZeroBitCount &>> 3
      guard count > 0 else { return }
      // Zeros before the available digits.
      let digits = values &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
      significand = significand &* Self.powerOfTen(count) &+ Self.number(ofDigits: digits)
      next &+= count
      return
    }
  }

  /// Returns the value of eight digits, the first in the lowest byte.
  @inline(__always)
  private static func number(ofDigits values: UInt64) -> UInt64 {
    let pairs = values &* 10 &+ values &>> 8
    return
      ((pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
      &+ (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001) &>> 32
  }

  /// Returns 10^`exponent` for an exponent of 0 to 7.
  @inline(__always)
  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    default: 10_000_000
    }
  }
}
