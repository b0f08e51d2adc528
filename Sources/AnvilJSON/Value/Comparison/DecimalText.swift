/// A number's text taken apart so that two of them can be compared digit by digit, whatever their length.
///
/// The value is the digits from `first` through `last`, which neither begin nor end with a zero, as an integer, times ten
/// to the power of the written exponent plus `shift`.
struct DecimalText {
  private let bytes: PaddedBytes
  let isNegative: Bool
  /// The offset of the first digit that is not zero; `nil` when all are.
  private var first: Int?
  /// The offset of the last digit that is not zero.
  private var last = 0
  private var shift = 0
  private var exponentIsNegative = false
  private var exponent: Range<Int>

  /// - Parameter bytes: hold a checked number from `start` to `end`.
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
    // Digits between the last one that counts and the point, or the other way round.
    let units = point ?? offset
    shift = last < units ? units - 1 - last : units - last
  }

  var isZero: Bool { first == nil }

  /// Whether both have the same value, zeros of either sign being one.
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

  /// By how much this one's power of ten is above the other's; any number but 0 where they are too far apart.
  ///
  /// Exponents may have more digits than fit an integer, but their difference must be as small as that of the shifts.
  private func exponentDifference(to other: DecimalText) -> Int {
    var difference = 0
    for place in stride(from: max(exponent.count, other.exponent.count), to: 0, by: -1) {
      difference = difference * 10 + exponentDigit(place) - other.exponentDigit(place)
      // Beyond what shifts of 2³² and the digits to come could take back.
      guard difference.magnitude < 1 << 50 else { return difference }
    }
    return difference + shift - other.shift
  }

  /// The exponent's digit of that place, 1 the last, with its sign; 0 beyond the first.
  private func exponentDigit(_ place: Int) -> Int {
    guard place <= exponent.count else { return 0 }
    let digit = Int(bytes[exponent.upperBound - place]) - 0x30
    return exponentIsNegative ? -digit : digit
  }
}
