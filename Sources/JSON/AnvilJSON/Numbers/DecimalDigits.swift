internal import CAnvilVectors

/// Seventeen decimal digits in ASCII, the first of them not zero: `0.first others` · 10^`point`.
struct DecimalDigits {
  /// The first digit.
  let first: UInt8
  /// The sixteen digits after the first.
  let others: ByteVector
  /// The number of digits without trailing zeros, 1 to 17.
  let count: Int
  /// The number of digits before the decimal point; less than 1 if zeros follow the point.
  let point: Int

  /// Creates the digits of `decimal`, which must not be zero.
  @inline(__always)
  init(_ decimal: ShortestDecimal) {
    var significand = decimal.significand
    var point = decimal.exponent &+ 17
    // A double has 16 or 17 digits, unless it is subnormal; a float has eight fewer.
    if significand < 10_000_000_000_000_000 {
      significand &*= 10
      point &-= 1
      if significand < 10_000_000_000_000_000 { Self.widen(&significand, &point) }
    }
    let head = significand / 100_000_000
    let first = head / 100_000_000
    let digits = anvil_sixteen_digits(head &- first &* 100_000_000, significand &- head &* 100_000_000)
    self.first = UInt8(truncatingIfNeeded: first) | 0x30
    self.point = point
    others = digits | ByteVector(repeating: 0x30)
    count = 17 &- Int(anvil_count_trailing_zeros(digits))
  }

  /// Multiplies `significand` by ten until it has seventeen digits, and lowers `point` accordingly.
  @inline(never)
  private static func widen(_ significand: inout UInt64, _ point: inout Int) {
    if significand < 1_000_000_000 {
      significand &*= 100_000_000
      point &-= 8
    }
    while significand < 10_000_000_000_000_000 {
      significand &*= 10
      point &-= 1
    }
  }
}

/// Eight decimal digits, one per byte, the first in the lowest.
struct DigitWord {
  let digits: UInt64

  /// Creates the digits of `value`, which is less than 10⁸, with leading zeros.
  @inline(__always)
  init(_ value: UInt64) {
    // Splits into halves, quarters and digits: the quotient in the lower part, the remainder in the upper. Each step divides all
    // parts by one multiplication, exact for values this small, and computes the remainders by another.
    let upper = (value &* 109_951_163) &>> 40
    let halves = value &<< 32 &- upper &* (10_000 &<< 32 &- 1)
    let hundreds = (halves &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let quarters = halves &<< 16 &- hundreds &* (100 &<< 16 &- 1)
    let tens = (quarters &* 103) &>> 10 & 0x000F_000F_000F_000F
    digits = quarters &<< 8 &- tens &* (10 &<< 8 &- 1)
  }

  /// The text in memory order.
  @inline(__always)
  var ascii: UInt64 { (digits | 0x3030_3030_3030_3030).littleEndian }

  /// The number of leading zeros; 8 if all digits are zero.
  @inline(__always)
  var leadingZeros: Int { digits.trailingZeroBitCount &>> 3 }

  /// Returns the text without the first `count` digits, fewer than eight, in memory order.
  @inline(__always)
  func ascii(droppingFirst count: Int) -> UInt64 {
    ((digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: count &* 8)).littleEndian
  }
}
