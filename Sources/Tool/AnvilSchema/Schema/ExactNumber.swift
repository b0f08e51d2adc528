/// A JSON number with all of its digits: an integer times a power of ten.
package struct ExactNumber: Sendable {
  let isNegative: Bool
  /// The decimal digits as numbers from 0 to 9, without zeros at either end; empty for zero.
  let digits: [UInt8]
  /// The power of ten of the last digit, clamped to ±2⁶⁰.
  let exponent: Int

  private static let largestExponent = 1 << 60

  /// Creates the number in `text`, a JSON number. Returns `nil` for other text such as `NaN`.
  package init?(_ text: String) {
    var digits: [UInt8] = []
    var exponent = 0
    var hasPoint = false
    var bytes = Array(text.utf8)[...]
    isNegative = bytes.first == 0x2D
    if isNegative { bytes.removeFirst() }
    guard let first = bytes.first, first &- 0x30 <= 9 else { return nil }
    scan: while let byte = bytes.popFirst() {
      switch byte {
      case 0x30...0x39:
        digits.append(byte - 0x30)
        if hasPoint { exponent -= 1 }
      case 0x2E: hasPoint = true
      case 0x65, 0x45:
        exponent += Self.exponent(bytes)
        break scan
      default: return nil
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    self.digits = Array(digits.drop { $0 == 0 })
    self.exponent = self.digits.isEmpty ? 0 : max(-Self.largestExponent, min(exponent, Self.largestExponent))
  }

  /// Returns the integer in `text`, clamped to ±``largestExponent``. The text may begin with a sign.
  private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
    let isNegative = text.first == 0x2D
    let digits = text.drop { $0 == 0x2B || $0 == 0x2D }.drop { $0 == 0x30 }
    guard digits.count <= 18, let magnitude = digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self)) else {
      return isNegative ? -largestExponent : largestExponent
    }
    return max(-largestExponent, min(isNegative ? -magnitude : magnitude, largestExponent))
  }

  var isZero: Bool { digits.isEmpty }

  /// True if the value is an integer, also if it is written as `1.0` or `1e400`.
  var isInteger: Bool { exponent >= 0 }

  /// The value as an `Int`, clamped to `Int.max`; `nil` if it is negative or has a fraction. Values of more than 18 digits are `Int.max`.
  var count: Int? {
    guard isInteger, !isNegative || isZero else { return nil }
    guard digits.count + min(exponent, 40) <= 18 else { return .max }
    var value = 0
    for digit in digits { value = value * 10 + Int(digit) }
    for _ in 0..<exponent { value *= 10 }
    return value
  }

  /// Returns whether the number is a multiple of `divisor`.
  ///
  /// - Parameter divisor: A number other than zero with at most ``longestDivisor`` digits.
  /// - Complexity: O(*n*), *n* the number of digits, regardless of the exponents.
  func isMultiple(of divisor: ExactNumber) -> Bool {
    guard !isZero else { return true }
    // The last digit is not zero, so that the digits do not contain a power of ten.
    let shift = exponent - divisor.exponent
    guard shift >= 0 else { return false }
    var modulus: UInt64 = 0
    for digit in divisor.digits { modulus = modulus * 10 + UInt64(digit) }
    guard modulus > 0 else { return false }
    var rest: UInt64 = 0
    for digit in digits { rest = (rest.multiplied(by: 10, modulo: modulus) + UInt64(digit)) % modulus }
    var power = UInt64(10) % modulus
    var remaining = shift
    while remaining > 0, rest != 0 {
      if remaining & 1 == 1 { rest = rest.multiplied(by: power, modulo: modulus) }
      power = power.multiplied(by: power, modulo: modulus)
      remaining >>= 1
    }
    return rest == 0
  }

  /// The maximum number of digits of a divisor.
  static let longestDivisor = 18
}

extension ExactNumber: Comparable {
  package static func == (left: ExactNumber, right: ExactNumber) -> Bool { !(left < right) && !(right < left) }

  package static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    switch (left.sign, right.sign) {
    case let (sign, other) where sign != other: sign < other
    case (0, _): false
    case (1, _): left.magnitudeIsBelow(right)
    default: right.magnitudeIsBelow(left)
    }
  }

  private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

  private func magnitudeIsBelow(_ other: ExactNumber) -> Bool {
    let places = digits.count + exponent
    let otherPlaces = other.digits.count + other.exponent
    return places == otherPlaces ? digits.lexicographicallyPrecedes(other.digits) : places < otherPlaces
  }
}

extension UInt64 {
  /// Returns the remainder of the division of the product by `modulus`, which must not be zero.
  fileprivate func multiplied(by other: UInt64, modulo modulus: UInt64) -> UInt64 {
    let product = UInt128(self) * UInt128(other)
    return UInt64(product % UInt128(modulus))
  }
}
