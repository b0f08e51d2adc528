/// Numbers, which are converted to the JSON notation.
extension JSON5Parser {
  /// The maximum number of digits of a hexadecimal integer after its leading zeros. The conversion to decimal is
  /// quadratic and takes 3 ms for this many digits.
  static let hexadecimalDigitLimit = 16384

  /// Parses the number at `at`, where there is a sign, a digit, a point, or the first letter of a name.
  mutating func parseNumber() throws(ParseFailure) {
    let isNegative = byte == 0x2D
    if isNegative || byte == 0x2B { at &+= 1 }
    switch byte {
    case 0x49:
      try skip("Infinity")
      builder.append(nonFinite: isNegative ? -.infinity : .infinity)
    case 0x4E:
      try skip("NaN")
      builder.append(nonFinite: .nan)
    case 0x30 where secondByte | 0x20 == 0x78:
      at &+= 2
      try parseHexadecimal(isNegative: isNegative)
    case 0x2E, 0x30...0x39: try parseDecimal(isNegative: isNegative)
    default: throw unexpected("a number")
    }
  }

  private mutating func parseDecimal(isNegative: Bool) throws(ParseFailure) {
    scratch.removeAll(keepingCapacity: true)
    if isNegative { scratch.append(0x2D) }
    var significand: UInt64 = 0
    let firstDigit = byte
    var digits = readDigits(into: &significand)
    guard digits < 2 || firstDigit != 0x30 else { throw failure(.invalidNumber) }
    if digits == 0 { scratch.append(0x30) }
    var exponent = 0
    var isInteger = true
    if byte == 0x2E {
      at &+= 1
      scratch.append(0x2E)
      let fraction = readDigits(into: &significand)
      guard digits + fraction > 0 else { throw failure(at >= end ? .unexpectedEnd : .invalidNumber) }
      // JSON does not allow a point without digits after it.
      if fraction == 0 { scratch.removeLast() } else { isInteger = false }
      digits += fraction
      exponent = -fraction
    }
    if byte | 0x20 == 0x65 {
      isInteger = false
      exponent += try readExponent()
    }
    if isInteger, digits <= 17, significand != 0 || !isNegative {
      let value = Int64(bitPattern: significand)
      return builder.append(integer: isNegative ? 0 &- value : value)
    }
    if !isInteger, digits <= NearestDouble.exactDigits, scratch.count < 64,
      let value = NearestDouble.nearest(significand, exponent: exponent)
    {
      let text = scratch
      return builder.append(isNegative ? -value : value, spelt: text.elementSpan)
    }
    builder.appendNumber(String(decoding: scratch, as: UTF8.self))
  }

  /// Copies the digits at `at` to `scratch`, appends them to `significand`, which may overflow, and moves after them. Returns their number.
  @inline(never)
  private mutating func readDigits(into significand: inout UInt64) -> Int {
    let start = at
    while case let digit = byte &- 0x30, digit <= 9 {
      significand = significand &* 10 &+ UInt64(digit)
      scratch.append(byte)
      at &+= 1
    }
    return at &- start
  }

  /// Parses the exponent whose letter is at `at`, and limits it to about ±10⁹.
  @inline(never)
  private mutating func readExponent() throws(ParseFailure) -> Int {
    scratch.append(byte)
    at &+= 1
    let isNegative = byte == 0x2D
    if isNegative || byte == 0x2B {
      scratch.append(byte)
      at &+= 1
    }
    let start = at
    var value = 0
    while case let digit = byte &- 0x30, digit <= 9 {
      if value < 1_000_000_000 { value = value &* 10 &+ Int(digit) }
      scratch.append(byte)
      at &+= 1
    }
    guard at > start else { throw failure(at >= end ? .unexpectedEnd : .invalidNumber) }
    return isNegative ? -value : value
  }

  /// Parses the hexadecimal digits at `at`, after `0x`.
  private mutating func parseHexadecimal(isNegative: Bool) throws(ParseFailure) {
    let start = at
    while byte == 0x30 { at &+= 1 }
    let first = at
    var low: UInt64 = 0
    while let digit = byte.hexadecimalDigit {
      low = low &<< 4 | UInt64(digit)
      at &+= 1
    }
    guard at > start else { throw failure(at >= end ? .unexpectedEnd : .invalidNumber) }
    let digits = at &- first
    guard digits <= Self.hexadecimalDigitLimit else {
      throw ParseFailure(code: .tooLarge(limit: Self.hexadecimalDigitLimit), offset: start)
    }
    if digits <= 16, !isNegative { return builder.append(integer: low) }
    if digits <= 16, low != 0 { return builder.append(integer: 0 - Int128(low)) }
    let text = (first..<at).compactMap { bytes[$0].hexadecimalDigit }.decimalText
    builder.appendNumber(isNegative ? "-" + text : text)
  }
}

extension [UInt8] {
  /// The decimal text of the integer with these hexadecimal digits, which are values from 0 to 15, most significant
  /// first.
  ///
  /// - Complexity: O(*n*²), *n* the number of digits.
  fileprivate var decimalText: String {
    // Words of nineteen decimal digits, the least significant first.
    var words: [UInt64] = []
    let base: UInt64 = 10_000_000_000_000_000_000
    var next = startIndex
    while next < endIndex {
      // Fifteen digits at a time, so that the carried word stays below the base.
      let count = Swift.min(15, endIndex - next)
      var carry: UInt64 = 0
      for digit in self[next..<(next + count)] { carry = carry &<< 4 | UInt64(digit) }
      let factor: UInt64 = 1 &<< UInt64(4 * count)
      for index in words.indices {
        let product = words[index].multipliedFullWidth(by: factor)
        let (low, overflow) = product.low.addingReportingOverflow(carry)
        (carry, words[index]) = base.dividingFullWidth((product.high &+ (overflow ? 1 : 0), low))
      }
      if carry != 0 { words.append(carry) }
      next += count
    }
    guard let last = words.last else { return "0" }
    return words.dropLast().reversed().reduce(into: String(last)) { text, word in
      let digits = String(word)
      text += String(repeating: "0", count: 19 - digits.utf8.count) + digits
    }
  }
}
