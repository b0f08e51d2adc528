#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reading numbers, which are converted while they are scanned.
extension JSON.Reader {
  /// Reads the number that begins here, which must be whole and fit an `Int`. `type` is the type that is named in an error.
  @usableFromInline @inline(never)
  mutating func int(_ type: Any.Type) throws(JSON.ReadingError) -> Int {
    let start = scanner.at
    if let number = scanner.scanPlainInteger(), let value = Int(exactly: number) { return value }
    scanner.at = start
    guard let value = try wholeNumber(for: type)?.value(as: Int.self) else { throw unrepresentable(type, at: start) }
    return value
  }

  /// Scans the number that begins here. Returns `nil` if it is not whole or has more than 128 bits.
  @usableFromInline @inline(never)
  mutating func wholeNumber(for type: Any.Type) throws(JSON.ReadingError) -> WholeNumber? {
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
