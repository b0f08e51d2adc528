/// The text of a number, split into parts so that two numbers of any length can be compared digit by digit.
///
/// The value is an integer times a power of ten. The integer consists of the digits from `first` through `last`, which neither begin
/// nor end with a zero. The power is the written exponent plus `shift`.
struct DecimalText {
  private let bytes: PaddedBytes
  let isNegative: Bool
  /// The offset of the first digit that is not zero; `nil` if all digits are zero.
  private var first: Int?
  /// The offset of the last digit that is not zero.
  private var last = 0
  private var shift = 0
  private var exponentIsNegative = false
  private var exponent: Range<Int>

  /// Splits the text of the number that is in `bytes` from `start` to `end`. The text must have been validated.
  init(_ bytes: PaddedBytes, from start: Int, to end: Int) {
    self.bytes = bytes
    isNegative = bytes[start] == 0x2D
    exponent = end..<end
    var point: Int?
    var offset = isNegative ? start + 1 : start
    scan: while offset < end {
      switch bytes[offset] {
      case 0x31...0x39:
        if first == nil { first = offset }
        last = offset
      case 0x2E: point = offset
      case 0x65, 0x45:
        exponentIsNegative = bytes[offset + 1] == 0x2D
        let hasSign = exponentIsNegative || bytes[offset + 1] == 0x2B
        exponent = (hasSign ? offset + 2 : offset + 1)..<end
        break scan
      default: break
      }
      offset += 1
    }
    // The number of digits between the last nonzero digit and the decimal point, negative for digits after the point.
    let units = point ?? offset
    shift = last < units ? units - 1 - last : units - last
  }

  var isZero: Bool { first == nil }

  /// Returns whether both have the same value. Zeros of either sign are equal.
  func hasValue(of other: DecimalText) -> Bool {
    guard let first, let otherFirst = other.first else { return isZero && other.isZero }
    return isNegative == other.isNegative && exponentDifference(to: other) == 0
      && hasDigits(from: first, of: other, from: otherFirst)
  }

  private func hasDigits(from start: Int, of other: DecimalText, from otherStart: Int) -> Bool {
    var offset = start
    var otherOffset = otherStart
    while offset <= last, otherOffset <= other.last {
      if bytes[offset] == 0x2E { offset += 1 }
      if other.bytes[otherOffset] == 0x2E { otherOffset += 1 }
      guard bytes[offset] == other.bytes[otherOffset] else { return false }
      offset += 1
      otherOffset += 1
    }
    return offset > last && otherOffset > other.last
  }

  /// Returns the power of ten of this number minus that of `other`; an arbitrary nonzero number if they are too far apart.
  ///
  /// Exponents may have too many digits for an integer, but for equal numbers their difference is as small as that of the shifts.
  private func exponentDifference(to other: DecimalText) -> Int {
    var difference = 0
    for place in stride(from: max(exponent.count, other.exponent.count), to: 0, by: -1) {
      difference = difference * 10 + exponentDigit(place) - other.exponentDigit(place)
      // Beyond what shifts of up to 2³² and the remaining digits could compensate.
      guard difference.magnitude < 1 << 50 else { return difference }
    }
    return difference + shift - other.shift
  }

  /// Returns the digit of the exponent at `place`, with the sign of the exponent. The last digit is at place 1. The result is 0 for places
  /// before the first digit.
  private func exponentDigit(_ place: Int) -> Int {
    guard place <= exponent.count else { return 0 }
    let digit = Int(bytes[exponent.upperBound - place]) - 0x30
    return exponentIsNegative ? -digit : digit
  }
}
