/// Parsing numbers, which are converted as they are read.
extension TapeParser {
  /// Parses the number at the position of the scanner, where there is a digit or a minus.
  @inline(__always)
  mutating func parseNumber() throws(ParseFailure) {
    let number = try scanner.scanInteger()
    // 17 digits fit the 60 bits of a word; minus zero is a double.
    if !scanner.isAtFraction, number.digits <= 17, !number.isNegative || number.significand != 0 {
      let value = Int64(bitPattern: number.significand)
      return push(.integer(number.isNegative ? 0 &- value : value))
    }
    if scanner.isAtFraction {
      let fraction = try Self.scanFraction(of: number, scanner)
      scanner.at = fraction.end
      return pushDouble(fraction.value, from: number.start, isIntegerLiteral: false)
    }
    // A local copy lets the position of this parser stay in a register.
    var parser = self
    parser.pushLongInteger(from: number.start, isNegative: number.isNegative)
    self = parser
  }

  /// Scans the fraction and exponent of `number` at the position of `scanner`. Returns the value and the end of the number.
  @inline(never)
  private static func scanFraction(
    of number: ScannedNumber, _ scanner: TextScanner
  ) throws(ParseFailure) -> (value: Double, end: Int) {
    var (number, scanner) = (number, scanner)
    try scanner.scanFraction(of: &number)
    let value = number.nearestDouble ?? NearestDouble.exact(scanner.bytes, from: number.start, to: scanner.at)
    return (value, scanner.at)
  }

  @inline(__always)
  private mutating func pushDouble(_ value: Double, from start: Int, isIntegerLiteral: Bool) {
    push(
      .number(
        .double, offset: start, length: min(scanner.at &- start, TapeWord.longestLength),
        isIntegerLiteral: isIntegerLiteral,
        isOutOfRange: !value.isFinite))
    push(TapeWord(bits: value.bitPattern))
  }

  /// Appends an integer of 18 digits or more, or minus zero, that ends at `at`: as 64 bits if it fits, otherwise as a double.
  @inline(never)
  private mutating func pushLongInteger(from start: Int, isNegative: Bool) {
    var magnitude: UInt64 = 0
    var fits = true
    for offset in (isNegative ? start &+ 1 : start)..<scanner.at {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(scanner.bytes[offset] &- 0x30))
      magnitude = sum
      if overflow || carry {
        fits = false
        break
      }
    }
    let length = min(scanner.at &- start, TapeWord.longestLength)
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
    let value = NearestDouble.exact(scanner.bytes, from: start, to: scanner.at)
    pushDouble(value, from: start, isIntegerLiteral: true)
  }
}
