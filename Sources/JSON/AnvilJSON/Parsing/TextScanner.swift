internal import AnvilBase

/// Scans the tokens of a text from left to right. The tape parser and the direct reader share it.
///
/// Each function named `scan…` begins at the first byte of a token and moves after the last one. Strings with escapes are resolved in
/// place. A scan does not depend on earlier text, so a scanner can be moved to the beginning of any token.
///
/// Functions that are not inlined receive a copy of the scanner. If its address is not shared, its position can stay in a
/// register, which matters because reading each byte depends on it.
@usableFromInline
struct TextScanner {
  @usableFromInline let bytes: PaddedBytes
  /// The offset of the next byte.
  @usableFromInline var at: Int

  init(_ bytes: PaddedBytes, at: Int) {
    self.bytes = bytes
    self.at = at
  }

  var isAtEnd: Bool { at >= bytes.count }

  /// Moves to the next byte that is not white space, and returns it. Returns NUL at the end of the text.
  @inline(__always)
  mutating func skipWhitespace() -> UInt8 {
    let byte = bytes[at]
    if byte > .space { return byte }
    let whitespace: UInt64 = 1 &<< UInt8.space | 1 &<< UInt8.carriageReturn | 1 &<< UInt8.lineFeed | 1 &<< UInt8.tab
    guard whitespace &>> UInt64(byte) & 1 == 1 else { return byte }
    // A single space or line end is the most common case.
    at &+= 1
    let next = bytes[at]
    if next > .space { return next }
    at = Self.endOfWhitespace(in: bytes, from: at)
    return bytes[at]
  }

  /// Returns the offset of the first byte from `start` on that is not white space.
  ///
  /// It is static, so that the position of the calling scanner can stay in a register.
  @inline(never)
  private static func endOfWhitespace(in bytes: PaddedBytes, from start: Int) -> Int {
    var at = start
    // An indentation consists of spaces, which are compared word by word. If the branches are predicted, the next token need not wait
    // for the count, as it had to with one vector (citm_catalog 1790 -> 2390 MB/s).
    let spaces: UInt64 = 0x2020_2020_2020_2020
    var others = UInt64(littleEndian: bytes.load(UInt64.self, at: at)) ^ spaces
    while others == 0 {
      at &+= 8
      others = UInt64(littleEndian: bytes.load(UInt64.self, at: at)) ^ spaces
    }
    at &+= others.trailingZeroBitCount &>> 3
    if bytes[at] > .space { return at }
    while true {
      let others = bytes.lanesOtherThanWhitespace(at: at)
      if others != 0 { return at &+ others.trailingZeroBitCount }
      at &+= 16
    }
  }

  /// Moves to the outermost value.
  ///
  /// - Throws: ``JSON/SyntaxError/Code/fragment`` if it must be a container but is not one.
  mutating func checkRoot(_ root: JSON.ParsingOptions.Root) throws(ParseFailure) {
    let byte = skipWhitespace()
    guard root == .anyValue || byte == .openBrace || byte == .openBracket else {
      throw ParseFailure(code: .fragment, offset: at)
    }
  }
}

extension TextScanner {
  /// Scans `true`. Its first letter has already been checked.
  @inline(__always)
  mutating func scanTrue() throws(ParseFailure) {
    guard bytes.load(UInt32.self, at: at) == UInt32(littleEndian: 0x6575_7274) else { throw misspelt("true") }
    at &+= 4
  }

  /// Scans `false`. Its first letter has already been checked.
  @inline(__always)
  mutating func scanFalse() throws(ParseFailure) {
    guard bytes.load(UInt32.self, at: at) == UInt32(littleEndian: 0x736C_6166), bytes[at &+ 4] == UInt8(ascii: "e")
    else {
      throw misspelt("false")
    }
    at &+= 5
  }

  /// Scans `null`. Its first letter has already been checked.
  @inline(__always)
  mutating func scanNull() throws(ParseFailure) {
    guard bytes.load(UInt32.self, at: at) == UInt32(littleEndian: 0x6C6C_756E) else { throw misspelt("null") }
    at &+= 4
  }
}

/// The errors of texts that are not JSON, created out of line.
extension TextScanner {
  @inline(never)
  func failure(_ code: JSON.SyntaxError.Code) -> ParseFailure {
    ParseFailure(code: code, offset: min(at, bytes.count))
  }

  @inline(never)
  func unexpected(_ expected: String) -> ParseFailure {
    isAtEnd ? failure(.unexpectedEnd) : failure(.unexpectedByte(bytes[at], expected: expected))
  }

  /// Returns the error for a literal that begins like `name` but continues differently.
  @inline(never)
  private func misspelt(_ name: String) -> ParseFailure {
    var other = self
    for byte in name.utf8 {
      guard bytes[other.at] == byte else { break }
      other.at &+= 1
    }
    return other.unexpected(name)
  }
}

extension TextScanner {
  /// Moves after the value at `at`, which is validated as by the parser.
  ///
  /// - Parameter depthLimit: The maximum nesting depth of containers in the value.
  /// - Complexity: O(*n*), where *n* is the length of the value. There is no recursion. Each open container needs one bit, and the first
  ///   64 need no allocation.
  mutating func skipValue(depthLimit: Int) throws(ParseFailure) {
    var open = OpenContainers()
    var byte = bytes[at]
    while true {
      // A value begins at `at` with `byte`.
      switch byte {
      case .quote: _ = try scanString()
      case .openBrace, .openBracket:
        guard open.count < depthLimit else { throw failure(.tooDeep(limit: depthLimit)) }
        let isObject = byte == .openBrace
        open.push(isObject: isObject)
        at &+= 1
        byte = skipWhitespace()
        // An empty one is closed below, as if after a value.
        if byte != (isObject ? .closeBrace : .closeBracket) {
          if isObject {
            _ = try scanKey(byte)
            byte = skipWhitespace()
          }
          continue
        }
      case UInt8(ascii: "t"): try scanTrue()
      case UInt8(ascii: "f"): try scanFalse()
      case UInt8(ascii: "n"): try scanNull()
      default:
        guard byte == .minus || byte.isDigit else { throw unexpected("a value") }
        var number = try scanInteger()
        if isAtFraction { try scanFraction(of: &number) }
      }

      // After a value: the next member, or the ends of one or more containers.
      while true {
        guard open.count > 0 else { return }
        let isObject = open.isInnermostObject
        byte = skipWhitespace()
        if byte == .comma {
          at &+= 1
          byte = skipWhitespace()
          if isObject {
            _ = try scanKey(byte)
            byte = skipWhitespace()
          }
          break
        }
        guard byte == (isObject ? .closeBrace : .closeBracket) else {
          throw unexpected(isObject ? "',' or '}'" : "',' or ']'")
        }
        at &+= 1
        open.pop()
      }
    }
  }
}

/// A stack of bits, one for each open container, which is set for an object.
private struct OpenContainers {
  private(set) var count = 0
  /// The bits of the innermost containers, up to 64. The lowest bit is that of the innermost one.
  private var innermost: UInt64 = 0
  /// The bits of the other containers, 64 in each word.
  private var others: [UInt64] = []

  var isInnermostObject: Bool { innermost & 1 == 1 }

  mutating func push(isObject: Bool) {
    if count & 63 == 0, count > 0 { others.append(innermost) }
    innermost = innermost &<< 1 | (isObject ? 1 : 0)
    count &+= 1
  }

  mutating func pop() {
    innermost &>>= 1
    count &-= 1
    if count & 63 == 0, let word = others.popLast() { innermost = word }
  }
}

/// The parser's internal error. ``JSON/SyntaxError`` is created from it out of line.
struct ParseFailure: Error {
  var code: JSON.SyntaxError.Code
  /// The number of bytes before the error, in the UTF-8 that was parsed.
  var offset: Int
}
