#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reading numbers, which are converted while they are scanned.
extension JSON.Reader {
  /// Reads the number that begins here, which must be whole and in range.
  @inline(__always)
  mutating func integer<Value: FixedWidthInteger>() throws(JSON.ReadingError) -> Value {
    let start = scanner.at
    if let number = scanner.scanPlainInteger(), let value = Value(exactly: number) { return value }
    scanner.at = start
    return try uncommonInteger()
  }

  /// Reads the number that begins here, which must be whole and in range. The function is used for uncommon types and notations and is not
  /// inlined.
  @inline(__always)
  mutating func uncommonInteger<Value: FixedWidthInteger>() throws(JSON.ReadingError) -> Value {
    let start = scanner.at
    guard let value = try scanWholeNumber(for: Value.self)?.value(as: Value.self) else {
      throw unrepresentable(Value.self, at: start)
    }
    return value
  }

  /// Scans the number that begins here. Returns `nil` if it is not whole or has more than 128 bits.
  @inline(never)
  private mutating func scanWholeNumber(for type: Any.Type) throws(JSON.ReadingError) -> WholeNumber? {
    let start = scanner.at
    let (number, isInteger) = try scanUncommonNumber(for: type)
    guard isInteger, number.digits <= 18 else { return wholeNumber(from: start) }
    return WholeNumber(magnitude: UInt128(number.significand), isNegative: number.isNegative)
  }

  /// Converts the number from `start` to the current position. All of its digits are used: 1.00000000000000000001 is not whole, although
  /// its nearest double is.
  @inline(never)
  private func wholeNumber(from start: Int) -> WholeNumber? {
    NumberText(scanner.bytes, from: start, to: scanner.at).wholeNumber()
  }

  /// Reads the double nearest to the number that begins here.
  @inline(__always)
  mutating func double() throws(JSON.ReadingError) -> Double {
    let start = scanner.at
    let (number, _) = try scanNumber(for: Double.self)
    let value = number.nearestDouble ?? exactDouble(from: start)
    guard value.isFinite else { throw unrepresentable(Double.self, at: start) }
    return value
  }

  /// Reads the float nearest to the number that begins here.
  @inline(__always)
  mutating func float() throws(JSON.ReadingError) -> Float {
    let start = scanner.at
    let (number, _) = try scanUncommonNumber(for: Float.self)
    let double = number.nearestDouble ?? exactDouble(from: start)
    let value = NearestFloat.nearest(double) { [scanner] in NumberText(scanner.bytes, from: start, to: scanner.at) }
    guard value.isFinite else { throw unrepresentable(Float.self, at: start) }
    return value
  }

  @inline(never)
  private func exactDouble(from start: Int) -> Double {
    NearestDouble.exact(scanner.bytes, from: start, to: scanner.at)
  }

  /// Reads the number that begins here, with as many of its digits as `Decimal` can store.
  mutating func decimal() throws(JSON.ReadingError) -> Decimal {
    let start = scanner.at
    _ = try scanUncommonNumber(for: Decimal.self)
    let text = scanner.bytes.string(at: start, length: scanner.at - start, isASCII: true)
    guard let value = Decimal(numberText: text) else { throw unrepresentable(Decimal.self, at: start) }
    return value
  }

  /// Scans the number that begins here like ``scanNumber(for:)``, without inlining.
  @inline(never)
  private mutating func scanUncommonNumber(
    for type: Any.Type
  ) throws(JSON.ReadingError) -> (ScannedNumber, isInteger: Bool) {
    try scanNumber(for: type)
  }

  /// Scans the number that begins here. Also returns whether it has neither a fraction nor an exponent.
  @inline(__always)
  private mutating func scanNumber(for type: Any.Type) throws(JSON.ReadingError) -> (ScannedNumber, isInteger: Bool) {
    let byte = scanner.bytes[scanner.at]
    guard byte == 0x2D || byte &- 0x30 <= 9 else { throw mismatch(type) }
    do throws(ParseFailure) {
      var number = try scanner.scanInteger()
      guard scanner.isAtFraction else { return (number, true) }
      try scanner.scanFraction(of: &number)
      return (number, false)
    } catch {
      throw self.error(error)
    }
  }
}
