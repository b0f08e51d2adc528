internal import AnvilBase

/// A parser that converts a JSON5 text to a document whose strings and numbers are in JSON form.
///
/// It uses an explicit stack of containers instead of recursion. The text is validated UTF-8 up to `end`. The padding after it
/// reads as NUL, which `end` distinguishes from a NUL in the text.
///
/// Source: The JSON5 Data Interchange Format 1.0.0.
struct JSON5Parser {
  /// A container that is open at the current position.
  fileprivate enum Container {
    case array, object
    /// An object without its braces.
    case members
  }

  private enum Position {
    /// A value is expected.
    case value
    /// A member, an element or the end of the container is expected.
    case member
    case afterValue
  }

  let bytes: PaddedBytes
  let end: Int
  private let depthLimit: Int
  private let root: JSON.ParsingOptions.Root
  /// The offset of the next byte.
  var at: Int
  var builder = DocumentBuilder()
  /// The buffer in which a string or number is built.
  var scratch: [UInt8] = []
  private var containers: [Container] = []

  init(_ bytes: PaddedBytes, from start: Int, to end: Int, options: JSON.ParsingOptions) {
    self.bytes = bytes
    self.end = end
    at = start
    depthLimit = options.depthLimit
    root = options.root
    // Most documents have at most one word for every four bytes. The memory grows for others.
    builder.reserve(bytes: (end - start) / 2, words: (end - start) / 8)
  }

  /// Parses the whole text.
  mutating func parse() throws(ParseFailure) {
    try skipSpace()
    var position = Position.value
    switch root {
    case .container where byte != .openBrace && byte != .openBracket: throw failure(.fragment)
    case .members where byte != .openBrace:
      try begin(.members)
      position = .member
    default: break
    }
    while true {
      switch position {
      case .value: position = try parseValue()
      case .member:
        try skipSpace()
        guard !isAtEndOfContainer else {
          endContainer()
          position = .afterValue
          continue
        }
        if containers.last != .array { try parseKeyAndColon() }
        position = .value
      case .afterValue:
        try skipSpace()
        guard let container = containers.last else {
          guard at >= end else { throw failure(.trailingContent) }
          return
        }
        if byte == .comma {
          at &+= 1
          position = .member
        } else if isAtEndOfContainer {
          endContainer()
        } else {
          throw unexpected(container.expectation)
        }
      }
    }
  }

  /// Parses the value at `at`, but only the opening bracket if it is a container. Returns the position after that.
  private mutating func parseValue() throws(ParseFailure) -> Position {
    try skipSpace()
    switch byte {
    case .quote, .apostrophe: try parseString()
    case .openBrace, .openBracket:
      try begin(byte == .openBrace ? .object : .array)
      at &+= 1
      return .member
    case UInt8(ascii: "t"):
      try skip("true")
      builder.append(true)
    case UInt8(ascii: "f"):
      try skip("false")
      builder.append(false)
    case UInt8(ascii: "n"):
      try skip("null")
      builder.appendNull()
    case .plus, .minus, .period, .digit0 ... .digit9, UInt8(ascii: "I"), UInt8(ascii: "N"): try parseNumber()
    default: throw unexpected("a value")
    }
    return .afterValue
  }

  private mutating func parseKeyAndColon() throws(ParseFailure) {
    try parseKey()
    try skipSpace()
    guard byte == .colon else { throw unexpected("':'") }
    at &+= 1
  }

  private mutating func begin(_ container: Container) throws(ParseFailure) {
    guard containers.count < depthLimit else { throw failure(.tooDeep(limit: depthLimit)) }
    containers.append(container)
    if container == .array { builder.beginArray() } else { builder.beginObject() }
  }

  private var isAtEndOfContainer: Bool {
    switch containers.last {
    case .array: byte == .closeBracket
    case .object: byte == .closeBrace
    case .members: at >= end
    case nil: false
    }
  }

  private mutating func endContainer() {
    // Members without braces end without a closing byte.
    if containers.popLast() != .members { at &+= 1 }
    builder.endContainer()
  }

  /// The byte at `at`; NUL at the end.
  @inline(__always) var byte: UInt8 { at < end ? bytes[at] : 0 }

  /// The byte after the one at `at`; NUL at the end.
  @inline(__always) var secondByte: UInt8 { end &- at > 1 ? bytes[at &+ 1] : 0 }

  /// Moves after `word`, which is expected at `at`.
  mutating func skip(_ word: StaticString) throws(ParseFailure) {
    for expected in word.description.utf8 {
      guard byte == expected else { throw unexpected(word.description) }
      at &+= 1
    }
  }

  @inline(never)
  func failure(_ code: JSON.SyntaxError.Code) -> ParseFailure { ParseFailure(code: code, offset: min(at, end)) }

  @inline(never)
  func unexpected(_ expected: String) -> ParseFailure {
    at >= end ? failure(.unexpectedEnd) : failure(.unexpectedByte(bytes[at], expected: expected))
  }
}

extension JSON5Parser.Container {
  /// A description of the tokens that may follow a value in the container.
  fileprivate var expectation: String {
    switch self {
    case .array: "',' or ']'"
    case .object: "',' or '}'"
    case .members: "',' or the end of the text"
    }
  }
}

/// Keys without quotation marks. Source: ECMAScript 5.1 §7.6, `IdentifierName`. Reserved words are allowed as keys.
extension JSON5Parser {
  /// Moves after the identifier at `at`.
  ///
  /// - Returns: The location of the identifier's bytes in the text; `nil` if it has escapes. Its bytes are then in `scratch`.
  mutating func readIdentifier() throws(ParseFailure) -> (start: Int, length: Int)? {
    let start = at
    var isPlain = true
    while at < end {
      let place = at
      let scalar: Unicode.Scalar
      if byte == .backslash {
        if isPlain {
          scratch.removeAll(keepingCapacity: true)
          appendToScratch(from: start, to: at)
        }
        isPlain = false
        at &+= 1
        guard byte == UInt8(ascii: "u") else {
          throw ParseFailure(code: at >= end ? .unexpectedEnd : .invalidEscape, offset: place)
        }
        scalar = try readUnicodeEscape()
        // An escape must be a character of the identifier. It cannot end the identifier.
        guard scalar.isJSON5IdentifierPart(isFirst: place == start) else {
          throw ParseFailure(code: .invalidEscape, offset: place)
        }
      } else {
        let length: Int
        (scalar, length) = self.scalar(at: at)
        guard scalar.isJSON5IdentifierPart(isFirst: at == start) else { break }
        at &+= length
      }
      if !isPlain { appendToScratch(scalar) }
    }
    guard at > start else { throw unexpected("a key") }
    return isPlain ? (start, at &- start) : nil
  }
}

extension Unicode.Scalar {
  /// Returns whether the scalar is permitted in an identifier, as its first or a later one.
  @inline(never)
  fileprivate func isJSON5IdentifierPart(isFirst: Bool) -> Bool {
    switch self {
    case "$", "_", "A"..."Z", "a"..."z": return true
    case "0"..."9": return !isFirst
    case "\0"..."\u{7F}": return false
    // The joiners.
    case "\u{200C}", "\u{200D}": return !isFirst
    default: break
    }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: return true
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return !isFirst
    default: return false
    }
  }
}

/// Numbers, which are converted to the JSON notation.
extension JSON5Parser {
  /// The maximum number of digits of a hexadecimal integer after its leading zeros. The conversion to decimal is
  /// quadratic and takes 3 ms for this many digits.
  static let hexadecimalDigitLimit = 16384

  /// Parses the number at `at`, where there is a sign, a digit, a point, or the first letter of a name.
  mutating func parseNumber() throws(ParseFailure) {
    let isNegative = byte == .minus
    if isNegative || byte == .plus { at &+= 1 }
    switch byte {
    case UInt8(ascii: "I"):
      try skip("Infinity")
      builder.append(nonFinite: isNegative ? -.infinity : .infinity)
    case UInt8(ascii: "N"):
      try skip("NaN")
      builder.append(nonFinite: .nan)
    case .digit0 where secondByte | 0x20 == UInt8(ascii: "x"):
      at &+= 2
      try parseHexadecimal(isNegative: isNegative)
    case .period, .digit0 ... .digit9: try parseDecimal(isNegative: isNegative)
    default: throw unexpected("a number")
    }
  }

  private mutating func parseDecimal(isNegative: Bool) throws(ParseFailure) {
    scratch.removeAll(keepingCapacity: true)
    if isNegative { scratch.append(.minus) }
    var significand: UInt64 = 0
    let firstDigit = byte
    var digits = readDigits(into: &significand)
    guard digits < 2 || firstDigit != .digit0 else { throw failure(.invalidNumber) }
    if digits == 0 { scratch.append(.digit0) }
    var exponent = 0
    var isInteger = true
    if byte == .period {
      at &+= 1
      scratch.append(.period)
      let fraction = readDigits(into: &significand)
      guard digits + fraction > 0 else { throw failure(at >= end ? .unexpectedEnd : .invalidNumber) }
      // JSON does not allow a point without digits after it.
      if fraction == 0 { scratch.removeLast() } else { isInteger = false }
      digits += fraction
      exponent = -fraction
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      exponent += try readExponent()
    }
    if isInteger, let integer = TapeWord.shortInteger(significand, digits: digits, isNegative: isNegative) {
      return builder.append(integer: integer)
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
    while case let digit = byte &- .digit0, digit <= 9 {
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
    let isNegative = byte == .minus
    if isNegative || byte == .plus {
      scratch.append(byte)
      at &+= 1
    }
    let start = at
    var value = 0
    while case let digit = byte &- .digit0, digit <= 9 {
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
    while byte == .digit0 { at &+= 1 }
    let first = at
    var low: UInt64 = 0
    while let digit = byte.hexadecimalValue {
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
    let text = (first..<at).compactMap { bytes[$0].hexadecimalValue }.decimalText
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
    return words.dropLast().reversed().reduce(into: String(last)) { $0 += $1.text(digits: 19) }
  }
}

extension JSON5Parser {
  /// Moves to the next byte that is neither white space nor part of a comment, or to the end.
  ///
  /// - Throws: An error for an unterminated comment, and for a slash that does not start a comment.
  mutating func skipSpace() throws(ParseFailure) {
    while at < end {
      switch bytes[at] {
      case .tab ... .carriageReturn, .space: at &+= 1
      case .slash: try skipComment()
      case 0x80...:
        let (scalar, length) = self.scalar(at: at)
        guard scalar.isJSON5Space else { return }
        at &+= length
      default: return
      }
    }
  }

  private mutating func skipComment() throws(ParseFailure) {
    at &+= 1
    switch byte {
    case .slash:
      while at < end, !isAtLineEnd { at &+= 1 }
    case .asterisk:
      at &+= 1
      while byte != .asterisk || secondByte != .slash {
        guard at < end else { throw failure(.unexpectedEnd) }
        at &+= 1
      }
      at &+= 2
    default: throw unexpected("'/' or '*'")
    }
  }

  /// True if a line ends at `at`: LF, CR, U+2028 or U+2029.
  private var isAtLineEnd: Bool {
    switch bytes[at] {
    case .lineFeed, .carriageReturn: true
    case 0xE2: bytes[at &+ 1] == 0x80 && bytes[at &+ 2] & 0xFE == 0xA8
    default: false
    }
  }

  /// Returns the scalar that begins at `offset`, and its length in bytes.
  @inline(never)
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
    let lead = UInt32(bytes[offset])
    guard lead >= 0xC0 else { return (Unicode.Scalar(UInt8(lead)), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = lead & (0x7F &>> UInt32(length))
    for position in 1..<length { value = value &<< 6 | UInt32(bytes[offset &+ position] & 0x3F) }
    // The text has been validated, so that the value is a scalar.
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }
}

extension Unicode.Scalar {
  /// True if the scalar is white space or a line end in JSON5, as in ECMAScript 5.1 §7.2 and §7.3.
  var isJSON5Space: Bool {
    switch value {
    case 0xA0, 0xFEFF, 0x2028, 0x2029: true
    default: properties.generalCategory == .spaceSeparator
    }
  }
}

extension Document {
  /// Parses `source` from `start` on, which is JSON5 in UTF-8.
  static func parseJSON5(
    _ source: borrowing RawSpan, from start: Int, options: JSON.ParsingOptions
  ) throws(JSON.SyntaxError) -> Document {
    let bytes = PaddedBytes(copying: source)
    defer { bytes.deallocate() }
    let invalid = UTF8Validation.firstInvalidByte(in: bytes, from: start, to: bytes.count)
    var parser = JSON5Parser(bytes, from: start, to: invalid ?? bytes.count, options: options)
    do throws(ParseFailure) {
      do throws(ParseFailure) {
        try parser.parse()
      } catch {
        // Errors before the invalid byte take precedence. If the text seems to end at the invalid byte, that byte is
        // the error.
        if let invalid, error.code == .unexpectedEnd { throw ParseFailure(code: .invalidEncoding, offset: invalid) }
        throw error
      }
      if let invalid { throw ParseFailure(code: .invalidEncoding, offset: invalid) }
    } catch {
      throw JSON.SyntaxError(error, in: source)
    }
    do throws(DocumentBuilder.TooLarge) {
      return try parser.builder.finish()
    } catch {
      throw JSON.SyntaxError(ParseFailure(code: .tooLarge(limit: error.limit), offset: 0), in: source)
    }
  }
}
