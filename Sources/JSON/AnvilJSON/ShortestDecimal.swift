internal import AnvilBase
internal import CAnvilVectors

/// The shortest decimal that reads as a given floating-point number. Among several of that length, it is the one closest to the
/// number; of two that are equally close, the even one.
///
/// Source: R. Giulietti, The Schubfach way to render doubles, 2020. Its factors *g* are the powers of five used for reading numbers,
/// rounded up. Nearly all doubles need only one of its three products, as in yyjson's writer (Y. Guo, 2024): see
/// ``init(regular:power:)``.
struct ShortestDecimal {
  /// The digits, at most 17. They may end with zeros.
  let significand: UInt64
  /// The power of ten by which `significand` is multiplied.
  let exponent: Int

  /// Creates the shortest decimal of `value`, which must be positive and finite.
  @inline(__always)
  init(_ value: Double) {
    let fraction = value.significandBitPattern
    let power = Int(truncatingIfNeeded: value.exponentBitPattern)
    if fraction != 0, power != 0, let decimal = ShortestDecimal(regular: fraction | 1 &<< 52, power: power &- 1075) {
      self = decimal
    } else {
      self = Self.exact(value)
    }
  }

  /// Returns the shortest decimal of `value`. It is computed from the bounds of the interval of numbers that read as `value`, which is
  /// possible for every double.
  ///
  /// - Parameter value: positive and finite.
  @inline(never)
  static func exact(_ value: Double) -> ShortestDecimal {
    let fraction = value.significandBitPattern
    let power = Int(truncatingIfNeeded: value.exponentBitPattern)
    return ShortestDecimal(
      power == 0 ? fraction : fraction | 1 &<< 52, power: max(power, 1) &- 1075,
      isLowerNeighbourCloser: fraction == 0 && power > 1)
  }

  /// Creates the shortest decimal of `value`, which must be positive and finite.
  @inline(__always)
  init(_ value: Float) {
    let fraction = UInt64(truncatingIfNeeded: value.significandBitPattern)
    let power = Int(truncatingIfNeeded: value.exponentBitPattern)
    self.init(
      power == 0 ? fraction : fraction | 1 &<< 23, power: max(power, 1) &- 150,
      isLowerNeighbourCloser: fraction == 0 && power > 1)
  }

  /// Creates the decimal of `significand` · 2^`power`, whose two neighbours are at the same distance. Returns `nil` if
  /// one product is not precise enough to decide. `significand` is at least 2⁵².
  ///
  /// The number is computed in units of 10^scale; neighbouring doubles are 1 to 10 units apart. The integer part is
  /// exact. The fraction and half of that distance are at most one unit of the last place below the exact values, so
  /// comparisons are reliable for values that differ by more than two such units. The other values are one in 10¹⁷ of
  /// all doubles, and numbers that are exactly halfway.
  @inline(__always)
  private init?(regular significand: UInt64, power: Int) {
    let scale = (power &* 1_262_611) &>> 22
    let shift = UInt64(truncatingIfNeeded: power &+ (-scale &* 1_741_647) &>> 19 &+ 1)
    let factor = Factor(power: -scale)
    let shifted = significand &<< shift
    let carried = shifted.multipliedFullWidth(by: factor.low).high
    let (top, middle) = shifted.multipliedFullWidth(by: factor.high)
    let (fraction, overflow) = middle.addingReportingOverflow(carried)
    let floor = top &+ (overflow ? 1 : 0)
    let last = floor % 10
    // In units of 2⁻⁶⁰: the number without its tens, and half of the distance to its neighbours.
    let beyondTens = last &<< 60 | fraction &>> 4
    let half = factor.high &>> (5 &- shift)
    let ten: UInt64 = 10 &<< 60
    let upper = beyondTens &+ half
    guard half &- beyondTens &+ 2 > 4, upper &- ten &+ 3 > 6, fraction &- (1 &<< 63) &+ 2 > 4 else { return nil }
    // With one digit less there is at most one decimal in the interval.
    let nearest = last &+ fraction &>> 63
    self.significand = floor &- last &+ (upper > ten ? 10 : beyondTens < half ? 0 : nearest)
    exponent = scale
  }

  /// Creates the decimal of `significand` · 2^`power`. The significand of the upper neighbour is larger by one; that of
  /// the lower neighbour is smaller by one, or by one half.
  @inline(__always)
  private init(_ significand: UInt64, power: Int, isLowerNeighbourCloser: Bool) {
    // ⌊log₁₀ 2^power⌋, or of three quarters of that power if the interval is the narrow one.
    let scale = (power &* 1_262_611 &- (isLowerNeighbourCloser ? 524_031 : 0)) &>> 22
    let shift = UInt64(truncatingIfNeeded: power &+ (-scale &* 1_741_647) &>> 19 &+ 1)
    let factor = Factor(power: -scale)
    // In quarters of 10^scale: the number, and the bounds of the interval that reads as it, which an odd significand excludes.
    let odd = significand & 1
    let quarters = significand &* 4
    let value = factor.product(quarters &<< shift)
    let lower = factor.product((quarters &- (isLowerNeighbourCloser ? 1 : 2)) &<< shift) &+ odd
    let upper = factor.product((quarters &+ 2) &<< shift) &- odd
    exponent = scale
    let floor = value &>> 2
    let tens = floor / 10
    // With one digit less there is at most one decimal in the interval.
    if floor >= 10 {
      let isBelowInside = lower <= 40 &* tens
      let isAboveInside = 40 &* tens &+ 40 <= upper
      if isBelowInside != isAboveInside {
        self.significand = tens &* 10 &+ (isAboveInside ? 10 : 0)
        return
      }
    }
    let isBelowInside = lower <= 4 &* floor
    let isAboveInside = 4 &* floor &+ 4 <= upper
    let middle = 4 &* floor &+ 2
    let isAboveCloser = value > middle || (value == middle && floor & 1 == 1)
    let takesAbove = isBelowInside == isAboveInside ? isAboveCloser : isAboveInside
    self.significand = floor &+ (takesAbove ? 1 : 0)
  }

  /// A power of ten as 128 bits, at most one unit above the exact value.
  private struct Factor {
    let high: UInt64
    let low: UInt64

    /// Creates the factor 10^`power`, which must be from -292 to 324.
    @inline(__always)
    init(power: Int) {
      let words = PowersOfFive.words(power)
      high = words.high
      // No truncated power ends in a word of ones.
      low = words.low &+ (PowersOfFive.isTruncated(power) ? 1 : 0)
    }

    /// Returns the upper 64 bits of the 192-bit product of this factor and `value`. The last bit is set if the bits below are not all zero.
    @inline(__always)
    func product(_ value: UInt64) -> UInt64 {
      let carried = value.multipliedFullWidth(by: low).high
      let (top, middle) = value.multipliedFullWidth(by: high)
      let (sum, overflow) = middle.addingReportingOverflow(carried)
      // Rounding the power up makes an exact product too large by 1 at most.
      return (top &+ (overflow ? 1 : 0)) | (sum > 1 ? 1 : 0)
    }
  }
}

/// Seventeen decimal digits in ASCII, the first of them not zero: `0.first others` · 10^`point`.
struct DecimalDigits {
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
    others = digits | ByteVector(repeating: .digit0)
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
