internal import AnvilBase

/// A parser that converts a text to a tape in one pass.
///
/// Strings with escapes are resolved in place, since the result is never longer. Numbers are converted as they are
/// read, and their text is kept. The tape word of an open container stores the index of the container around it, so
/// nesting needs no stack.
struct TapeParser {
  var scanner: TextScanner
  let tape: TapeMemory
  private let depthLimit: Int
  /// The index of the next word.
  var end = 0

  private init(_ scanner: TextScanner, _ tape: TapeMemory, depthLimit: Int) {
    self.scanner = scanner
    self.tape = tape
    self.depthLimit = depthLimit
  }

  @inline(__always)
  private var at: Int {
    get { scanner.at }
    set { scanner.at = newValue }
  }

  /// Parses all of `bytes` into `tape`, which must have enough capacity for them, and returns the number of words.
  ///
  /// - Complexity: O(*n*). Only numbers of more than 19 digits need an allocation.
  @inline(never)
  static func parse(
    _ bytes: PaddedBytes, from start: Int, into tape: TapeMemory, options: JSON.ParsingOptions
  ) throws(ParseFailure) -> Int {
    var scanner = TextScanner(bytes, at: start)
    try scanner.checkRoot(options.root)
    var parser = TapeParser(scanner, tape, depthLimit: options.depthLimit)
    try parser.parseDocument()
    return parser.end
  }

  @inline(__always)
  private mutating func parseDocument() throws(ParseFailure) {
    /// The index of the word of the innermost open container; -1 if no container is open. `count` is the number of its members so far.
    var container = -1
    var count = 0
    var depth = 0
    var isObject = false
    var byte = scanner.skipWhitespace()
    while true {
      // A value begins at `at` with `byte`.
      switch byte {
      case .quote: try parseString()
      case .openBrace, .openBracket:
        guard depth < depthLimit else { throw scanner.failure(.tooDeep(limit: depthLimit)) }
        depth &+= 1
        if container >= 0 {
          tape[container] = .open(isObject: isObject, count: count, around: tape[container].around)
        }
        tape[end] = .open(isObject: byte == .openBrace, count: 0, around: container)
        container = end
        end &+= 1
        count = 0
        isObject = byte == .openBrace
        at &+= 1
        byte = scanner.skipWhitespace()
        if isObject, byte != .closeBrace {
          try parseKey(byte)
          byte = scanner.skipWhitespace()
          continue
        }
        if !isObject, byte != .closeBracket { continue }
        // Empty: closed below, as if after a value.
        count = -1
      case UInt8(ascii: "t"):
        try scanner.scanTrue()
        push(.true)
      case UInt8(ascii: "f"):
        try scanner.scanFalse()
        push(.false)
      case UInt8(ascii: "n"):
        try scanner.scanNull()
        push(.null)
      default:
        guard byte == .minus || byte.isDigit else { throw scanner.unexpected("a value") }
        try parseNumber()
      }

      // After a value: the next member, or the ends of one or more containers.
      while true {
        byte = scanner.skipWhitespace()
        guard container >= 0 else {
          guard scanner.isAtEnd else { throw scanner.failure(.trailingContent) }
          return
        }
        count &+= 1
        if byte == .comma {
          at &+= 1
          byte = scanner.skipWhitespace()
          if isObject {
            try parseKey(byte)
            byte = scanner.skipWhitespace()
          }
          break
        }
        guard byte == (isObject ? .closeBrace : .closeBracket) else {
          throw scanner.unexpected(isObject ? "',' or '}'" : "',' or ']'")
        }
        at &+= 1
        depth &-= 1
        let around = tape[container].around
        tape[container] = .container(isObject: isObject, count: count, span: end &- container)
        container = around
        if container >= 0 {
          let word = tape[container]
          isObject = word.is(.object)
          count = word.count
        }
      }
    }
  }

  @inline(__always)
  mutating func push(_ word: TapeWord) {
    tape[end] = word
    end &+= 1
  }

  /// Parses a key, which begins with `byte`, and the colon after it.
  @inline(__always)
  private mutating func parseKey(_ byte: UInt8) throws(ParseFailure) {
    push(try scanner.scanKey(byte))
  }

  @inline(__always)
  private mutating func parseString() throws(ParseFailure) {
    push(try scanner.scanString())
  }

  @inline(__always)
  private mutating func push(_ string: ScannedString) {
    guard string.length <= TapeWord.longestLength else {
      push(.longString(offset: string.start, isNonASCII: string.isNonASCII))
      return push(TapeWord(bits: UInt64(string.length)))
    }
    push(.string(offset: string.start, length: string.length, isNonASCII: string.isNonASCII))
  }
}

extension TapeWord {
  /// Returns the word of an open container, which stores the number of its members so far and the index of the container around it (-1 for
  /// the outermost container).
  @inline(__always)
  fileprivate static func open(isObject: Bool, count: Int, around: Int) -> TapeWord {
    container(isObject: isObject, count: count, span: around)
  }

  /// The index of the container around this open container; -1 for the outermost container.
  @inline(__always)
  fileprivate var around: Int {
    let index = UInt32(truncatingIfNeeded: bits &>> 32)
    return index == .max ? -1 : Int(index)
  }
}

extension TapeParser {
  /// Parses the number at the position of the scanner, where there is a digit or a minus.
  @inline(__always)
  mutating func parseNumber() throws(ParseFailure) {
    let number = try scanner.scanInteger()
    if !scanner.isAtFraction, let integer = number.shortInteger { return push(.integer(integer)) }
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
      let (sum, carry) = product.addingReportingOverflow(UInt64(scanner.bytes[offset] &- .digit0))
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
