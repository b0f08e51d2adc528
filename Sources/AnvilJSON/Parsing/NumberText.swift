/// The parts of a number's text that its value depends on. The text has been checked.
struct NumberText {
  /// The digits of integer and fraction from the first that is not zero on, values from 0 to 9.
  var digits: [UInt8] = []
  /// The power of ten that the digits are multiplied by; within ±10⁹ of the number of digits.
  var exponent = 0
  /// True if it begins with a minus.
  let isNegative: Bool

  init(_ bytes: PaddedBytes, from start: Int, to end: Int) {
    isNegative = bytes[start] == 0x2D
    var offset = isNegative ? start + 1 : start
    var isFraction = false
    while offset < end {
      switch bytes[offset] {
      case let byte where byte &- 0x30 <= 9:
        // Zeros before the first digit do not count towards how many there are.
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
      // What is left out lies far beyond any double's range.
      if value < 1_000_000_000 { value = value * 10 + Int(bytes[offset] &- 0x30) }
      offset += 1
    }
    return isNegative ? -value : value
  }

  /// The number if it is whole and has at most 128 bits; digit by digit, so that none is lost.
  consuming func wholeNumber() -> WholeNumber? {
    while let last = digits.last, last == 0 {
      digits.removeLast()
      exponent += 1
    }
    guard !digits.isEmpty else { return WholeNumber(magnitude: 0, isNegative: false) }
    // More digits than 128 bits have, or digits behind the point that are not zero.
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
  /// The double nearest to a number's text, its sign included.
  static func exact(_ bytes: PaddedBytes, from start: Int, to end: Int) -> Double {
    let text = NumberText(bytes, from: start, to: end)
    let magnitude = exact(digits: text.digits, exponent: text.exponent)
    return text.isNegative ? -magnitude : magnitude
  }
}
