internal import AnvilBase

/// The double nearest to a decimal number, ties to even.
///
/// Source: D. Lemire, Number Parsing at a Gigabyte per Second, Software: Practice and Experience 51 (2021), for numbers
/// of up to 19 digits. Exact integer arithmetic is used if further digits can change the result.
enum NearestDouble {
  /// The maximum number of decimal digits that always fit into a 64-bit integer.
  static let exactDigits = 19

  /// Returns the double nearest to `significand` · 10^`exponent`; infinite beyond the range of doubles.
  ///
  /// Returns `nil` if 128 bits of the power of five are not sufficient. ``exact(digits:exponent:)`` must then be used, but no such input is
  /// known.
  @inline(__always)
  static func nearest(_ significand: UInt64, exponent: Int) -> Double? {
    // Both are exact, so one operation rounds once (Clinger 1990).
    if significand <= 1 &<< 53, exponent >= -22, exponent <= 22 {
      return exponent < 0
        ? Double(significand) / smallPowersOfTen[-exponent] : Double(significand) * smallPowersOfTen[exponent]
    }
    return byProduct(significand, exponent)
  }

  @inline(never)
  private static func byProduct(_ significand: UInt64, _ exponent: Int) -> Double? {
    guard significand != 0, exponent >= PowersOfFive.smallest else { return 0 }
    guard exponent <= PowersOfFive.largest else { return .infinity }
    let leadingZeros = significand.leadingZeroBitCount
    let normalized = significand &<< UInt64(leadingZeros)
    let words = PowersOfFive.words(exponent)
    var (high, low) = normalized.multipliedFullWidth(by: words.high)
    if high & 0x1FF == 0x1FF {
      let more = normalized.multipliedFullWidth(by: words.low).high
      let (sum, carry) = low.addingReportingOverflow(more)
      low = sum
      if carry { high &+= 1 }
      if low == .max, PowersOfFive.isTruncated(exponent) { return nil }
    }
    let upperBit = Int(high &>> 63)
    let shift = UInt64(upperBit &+ 9)
    var mantissa = high &>> shift
    var power = (217_706 &* exponent) &>> 16 &+ 63 &+ upperBit &- leadingZeros &+ 1023
    if power <= 0 {
      guard power > -63 else { return 0 }
      mantissa &>>= UInt64(1 &- power)
      mantissa = (mantissa &+ mantissa & 1) &>> 1
      return Double(bitPattern: mantissa)
    }
    // Exactly between two doubles, which only powers in this range can be: round to even.
    if low <= 1, exponent >= -4, exponent <= 23, mantissa & 3 == 1, mantissa &<< shift == high { mantissa &= ~1 }
    mantissa = (mantissa &+ mantissa & 1) &>> 1
    if mantissa >= 2 &<< 52 {
      mantissa = 1 &<< 52
      power &+= 1
    }
    guard power < 0x7FF else { return .infinity }
    return Double(bitPattern: mantissa & ~(1 &<< 52) | UInt64(power) &<< 52)
  }

  /// Returns the double nearest to the integer formed by `digits`, times 10^`exponent`; infinite beyond the range of doubles.
  ///
  /// - Parameter digits: Any number of values from 0 to 9, most significant first.
  static func exact(digits: some Sequence<UInt8>, exponent: Int) -> Double {
    let (kept, lastExponent) = decisive(digits, exponent: exponent)
    guard !kept.isEmpty else { return 0 }
    guard let lastExponent else { return exponent < 0 ? 0 : .infinity }

    let head = kept.prefix(exactDigits).reduce(0 as UInt64) { $0 &* 10 &+ UInt64($1) }
    let (headExponent, headOverflow) = lastExponent.addingReportingOverflow(max(0, kept.count - exactDigits))
    guard !headOverflow, headExponent <= PowersOfFive.largest else { return .infinity }
    guard headExponent >= PowersOfFive.smallest - exactDigits else { return 0 }
    let below = floor(head, exponent: headExponent)
    guard below.isFinite else { return .infinity }

    var lower = below
    while isHalfwayOrAbove(kept, lastExponent, lower) { lower = lower.nextUp }
    return lower
  }

  /// Returns the digits that can affect rounding, starting with the first nonzero digit, and the power of ten of the
  /// last digit. The power is `nil` if it overflows.
  private static func decisive(
    _ digits: some Sequence<UInt8>, exponent: Int
  ) -> (digits: [UInt8], exponent: Int?) {
    // A point halfway between two doubles has at most 767 digits. Further digits can only break a tie.
    var kept: [UInt8] = []
    var dropped = 0
    var breaksTie = false
    for digit in digits where digit != 0 || !kept.isEmpty {
      if kept.count < 768 {
        kept.append(digit)
      } else {
        dropped += 1
        if digit != 0 { breaksTie = true }
      }
    }
    if breaksTie {
      kept.append(1)
      dropped -= 1
    }
    let (lastExponent, overflow) = exponent.addingReportingOverflow(dropped)
    return (kept, overflow ? nil : lastExponent)
  }

  /// Compares the integer formed by `digits`, times 10^`exponent`, with `double`, which must be the nearest double,
  /// finite and positive.
  static func compare(digits: some Sequence<UInt8>, exponent: Int, with double: Double) -> BigInteger.Order {
    let (kept, lastExponent) = decisive(digits, exponent: exponent)
    guard let lastExponent else { return exponent < 0 ? .below : .above }
    let (mantissa, power) = parts(of: double)
    return compare(kept, lastExponent, with: mantissa, power)
  }

  /// A double at most a few units below `significand` · 10^`exponent`.
  private static func floor(_ significand: UInt64, exponent: Int) -> Double {
    let near = byProduct(significand, exponent) ?? byProduct(significand - 1, exponent) ?? 0
    return near.isFinite ? max(0, near.nextDown.nextDown) : .greatestFiniteMagnitude
  }

  /// Returns whether the decimal rounds to a double above `double`. This is the case if it is above the point halfway to the next double,
  /// or equal to that point and `double` is odd.
  private static func isHalfwayOrAbove(_ digits: [UInt8], _ exponent: Int, _ double: Double) -> Bool {
    guard double.isFinite else { return false }
    let (mantissa, power) = parts(of: double)
    switch compare(digits, exponent, with: 2 * mantissa + 1, power - 1) {
    case .above: return true
    case .below: return false
    case .equal: return mantissa & 1 == 1
    }
  }

  /// Returns the integer and the power of two whose product is the magnitude of a finite double.
  private static func parts(of double: Double) -> (mantissa: UInt64, power: Int) {
    double.exponentBitPattern == 0
      ? (double.significandBitPattern, -1074)
      : (double.significandBitPattern | 1 << 52, Int(double.exponentBitPattern) - 1075)
  }

  /// Compares digits · 10^`exponent` with `mantissa` · 2^`power`, after converting both to integers.
  private static func compare(
    _ digits: [UInt8], _ exponent: Int, with mantissa: UInt64, _ power: Int
  ) -> BigInteger.Order {
    var decimal = BigInteger(digits: digits)
    var binary = BigInteger(mantissa)
    let twos = exponent - power
    if exponent >= 0 { decimal.multiplyByPowerOfFive(exponent) } else { binary.multiplyByPowerOfFive(-exponent) }
    if twos >= 0 { decimal.shiftLeft(twos) } else { binary.shiftLeft(-twos) }
    return decimal.compare(with: binary)
  }

  private static let smallPowersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

/// A natural number of any size, with the operations that exact conversion needs.
struct BigInteger {
  enum Order { case below, equal, above }

  /// The limbs, least significant first. The last limb is not zero.
  private var limbs: [UInt32]

  init(_ value: UInt64) {
    limbs = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    trim()
  }

  /// Creates the number with the decimal digits `digits`, which are values from 0 to 9, most significant first.
  init(digits: [UInt8]) {
    limbs = []
    for digit in digits { multiply(by: 10, adding: UInt32(digit)) }
  }

  mutating func multiplyByPowerOfFive(_ exponent: Int) {
    for _ in 0..<(exponent / 13) { multiply(by: 1_220_703_125, adding: 0) }
    for _ in 0..<(exponent % 13) { multiply(by: 5, adding: 0) }
  }

  mutating func shiftLeft(_ count: Int) {
    let bits = UInt32(count % 32)
    if bits != 0 { multiply(by: 1 << bits, adding: 0) }
    if !limbs.isEmpty { limbs.insert(contentsOf: repeatElement(0, count: count / 32), at: 0) }
  }

  func compare(with other: BigInteger) -> Order {
    guard limbs.count == other.limbs.count else { return limbs.count < other.limbs.count ? .below : .above }
    for (left, right) in zip(limbs.reversed(), other.limbs.reversed()) where left != right {
      return left < right ? .below : .above
    }
    return .equal
  }

  private mutating func multiply(by factor: UInt32, adding addend: UInt32) {
    var carry = UInt64(addend)
    for index in limbs.indices {
      let product = UInt64(limbs[index]) * UInt64(factor) + carry
      limbs[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry != 0 { limbs.append(UInt32(carry)) }
  }

  private mutating func trim() {
    while limbs.last == 0 { limbs.removeLast() }
  }
}

/// The float nearest to a decimal number, ties to even.
///
/// The number is first rounded to the nearest double, and that to the nearest float. Rounding twice is wrong only if
/// the double is exactly halfway between two floats. Then the digits decide on which side of the double the number is.
/// In all other cases the number and its nearest double are on the same side of each halfway point, because every such
/// point is a double.
enum NearestFloat {
  /// Returns the float nearest to a number; infinite beyond the range of floats.
  ///
  /// - Parameters:
  ///   - double: The double nearest to the number.
  ///   - text: Returns the text of the number. It is called if the double alone does not decide.
  @inline(__always)
  static func nearest(_ double: Double, _ text: () -> NumberText) -> Float {
    isHalfway(double) ? decided(double, text()) : Float(double)
  }

  @inline(__always)
  private static func isHalfway(_ double: Double) -> Bool {
    let magnitude = double.magnitude
    if magnitude >= 0x1p-126 {
      // The 29 bits that a float does not have. 2¹²⁸ counts as the float after the largest one.
      return double.bitPattern & 0x1FFF_FFFF == 0x1000_0000 && magnitude < 0x1p128
    }
    // The smallest floats are multiples of 2⁻¹⁴⁹.
    let halves = magnitude * 0x1p150
    return halves == halves.rounded(.down) && UInt32(halves) & 1 == 1
  }

  @inline(never)
  private static func decided(_ double: Double, _ text: NumberText) -> Float {
    let magnitude = double.magnitude
    let even = Float(magnitude)
    let lower = Double(even) > magnitude ? even.nextDown : even
    let float =
      switch NearestDouble.compare(digits: text.digits, exponent: text.exponent, with: magnitude) {
      case .below: lower
      case .equal: even
      case .above: lower.nextUp
      }
    return double.sign == .minus ? -float : float
  }
}

/// The parts of a number's text that determine its value. The text has been validated.
struct NumberText {
  /// The digits of integer and fraction from the first nonzero digit on, as values from 0 to 9.
  var digits: [UInt8] = []
  /// The power of ten by which the digits are multiplied. It is within ±10⁹ of the number of digits.
  var exponent = 0
  /// True if the number begins with a minus.
  let isNegative: Bool

  init(_ bytes: PaddedBytes, from start: Int, to end: Int) {
    isNegative = bytes[start] == .minus
    var offset = isNegative ? start + 1 : start
    var isFraction = false
    while offset < end {
      switch bytes[offset] {
      case let byte where byte.isDigit:
        // Leading zeros are not counted.
        if byte != .digit0 || !digits.isEmpty { digits.append(byte &- .digit0) }
        if isFraction { exponent -= 1 }
      case .period: isFraction = true
      default:
        exponent += Self.exponent(bytes, from: offset + 1, to: end)
        return
      }
      offset += 1
    }
  }

  private static func exponent(_ bytes: PaddedBytes, from start: Int, to end: Int) -> Int {
    let isNegative = bytes[start] == .minus
    var offset = isNegative || bytes[start] == .plus ? start + 1 : start
    var value = 0
    while offset < end {
      // The ignored digits are far beyond the range of doubles.
      if value < 1_000_000_000 { value = value * 10 + Int(bytes[offset] &- .digit0) }
      offset += 1
    }
    return isNegative ? -value : value
  }

  /// Creates the parts of `text`.
  init(_ text: String) {
    let text = Array(text.utf8)
    // Safety: the array outlives the call, and `UInt8` has no padding.
    let bytes = PaddedBytes(copying: unsafe text.elementSpan.bytes, for: .call)
    defer { bytes.deallocate(after: .call) }
    self.init(bytes, from: 0, to: text.count)
  }

  mutating func removeTrailingZeros() {
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
  }

  /// Returns the number if it is whole and has at most 128 bits. The conversion is exact.
  consuming func wholeNumber() -> WholeNumber? {
    removeTrailingZeros()
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

extension Decimal {
  /// Creates the value of `text`, a JSON number, with as many of its digits as fit; `nil` if it is out of range.
  package init?(numberText text: String) {
    guard let value = Decimal(string: text) ?? Decimal(shifting: NumberText(text)) else { return nil }
    self = value
  }

  /// Creates the value of `number` after shifting its decimal point, so that the exponent is from -128 to 127, as Foundation requires:
  /// `1e128` becomes `10e127`.
  private init?(shifting number: consuming NumberText) {
    number.removeTrailingZeros()
    while number.exponent > 127, !number.digits.isEmpty, number.digits.count < 39 {
      number.digits.append(0)
      number.exponent -= 1
    }
    let digits = number.digits.isEmpty ? "0" : number.digits.map { "\($0)" }.joined()
    guard number.digits.isEmpty || (-128...127).contains(number.exponent),
      let value = Decimal(
        string: "\(number.isNegative ? "-" : "")\(digits)e\(number.digits.isEmpty ? 0 : number.exponent)")
    else { return nil }
    self = value
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

/// An integer of up to 128 bits with a sign: the value of a number's text for integer types of any width.
///
/// One function converts texts to this type, which is then converted to the requested type. A separate conversion for
/// each of the twelve types took longer to compile than the parser.
@usableFromInline
struct WholeNumber {
  @usableFromInline let magnitude: UInt128
  @usableFromInline let isNegative: Bool

  @inlinable @inline(never)
  func value<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
    guard isNegative else { return Value(exactly: magnitude) }
    guard magnitude <= UInt128(Int128.max) + 1 else { return nil }
    return Value(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
  }
}
