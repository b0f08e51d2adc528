/// The parts of a number's text that determine its value. The text has been validated.
struct NumberText {
  /// The digits of integer and fraction from the first nonzero digit on, as values from 0 to 9.
  var digits: [UInt8] = []
  /// The power of ten by which the digits are multiplied. It is within ±10⁹ of the number of digits.
  var exponent = 0
  /// True if the number begins with a minus.
  let isNegative: Bool

  init(_ bytes: PaddedBytes, from start: Int, to end: Int) {
    isNegative = bytes[start] == 0x2D
    var offset = isNegative ? start + 1 : start
    var isFraction = false
    while offset < end {
      switch bytes[offset] {
      case let byte where byte &- 0x30 <= 9:
        // Leading zeros are not counted.
        if byte != 0x30 || !digits.isEmpty { digits.append(byte &- 0x30) }
        if isFraction { exponent -= 1 }
      case 0x2E: isFraction = true
      default:
        exponent += Self.exponent(bytes, from: offset + 1, to: end)
        return
      }
      offset += 1
    }
  }

  private static func exponent(_ bytes: PaddedBytes, from start: Int, to end: Int) -> Int {
    let isNegative = bytes[start] == 0x2D
    var offset = isNegative || bytes[start] == 0x2B ? start + 1 : start
    var value = 0
    while offset < end {
      // The ignored digits are far beyond the range of doubles.
      if value < 1_000_000_000 { value = value * 10 + Int(bytes[offset] &- 0x30) }
      offset += 1
    }
    return isNegative ? -value : value
  }

  /// Returns the number if it is whole and has at most 128 bits. The conversion is exact.
  consuming func wholeNumber() -> WholeNumber? {
    while let last = digits.last, last == 0 {
      digits.removeLast()
      exponent += 1
    }
    guard !digits.isEmpty else { return WholeNumber(magnitude: 0, isNegative: false) }
    // Either there are more digits than 128 bits have, or nonzero digits after the point.
    guard exponent >= 0, exponent <= 40, digits.count <= 40 else { return nil }
    var magnitude: UInt128 = 0
    for position in 0..<(digits.count + exponent) {
      let digit = position < digits.count ? UInt128(digits[position]) : 0
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(digit)
      guard !overflow, !carry else { return nil }
      magnitude = sum
    }
    return WholeNumber(magnitude: magnitude, isNegative: isNegative)
  }
}

extension NearestDouble {
  /// Returns the double nearest to a number, including its sign.
  static func exact(_ bytes: PaddedBytes, from start: Int, to end: Int) -> Double {
    let text = NumberText(bytes, from: start, to: end)
    let magnitude = exact(digits: text.digits, exponent: text.exponent)
    return text.isNegative ? -magnitude : magnitude
  }
}
