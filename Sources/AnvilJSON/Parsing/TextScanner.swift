/// Reads a text's tokens from left to right: what the tape parser and the direct reader have in common.
///
/// Each `scan…` begins at its token's first byte and ends behind its last; strings with escapes are resolved in place.
/// Nothing looks at what has been read before, so that a scanner can be put anywhere a token begins.
///
/// What is called and not inlined gets a copy of the scanner: one whose address is known to nobody else has its place in a
/// register, which every byte waits for.
@usableFromInline
struct TextScanner {
  @usableFromInline let bytes: PaddedBytes
  /// The next byte.
  @usableFromInline var at: Int

  init(_ bytes: PaddedBytes, at: Int) {
    self.bytes = bytes
    self.at = at
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { at >= bytes.count }

  /// Moves to the next byte that is no white space, and returns it: NUL at the end.
  @inline(__always)
  mutating func skipWhitespace() -> UInt8 {
    let byte = bytes[at]
    if byte > 0x20 { return byte }
    let whitespace: UInt64 = 1 &<< 0x20 | 1 &<< 0x0D | 1 &<< 0x0A | 1 &<< 0x09
    guard whitespace &>> UInt64(byte) & 1 == 1 else { return byte }
    // A single space or line end is what there mostly is.
    at &+= 1
    let next = bytes[at]
    if next > 0x20 { return next }
    at = Self.endOfWhitespace(in: bytes, from: at)
    return bytes[at]
  }

  /// The first byte from `start` on that is no white space.
  ///
  /// Changes no scanner, so that the place of one that calls it can stay in a register.
  @inline(never)
  private static func endOfWhitespace(in bytes: PaddedBytes, from start: Int) -> Int {
    var at = start
    // An indentation, which is made of spaces, word after word: where the branches are foreseen the next token need not wait
    // for the count, as it had to with one vector (citm_catalog 1790 -> 2390 MB/s).
    let spaces: UInt64 = 0x2020_2020_2020_2020
    var others = UInt64(littleEndian: bytes.load(UInt64.self, at: at)) ^ spaces
    while others == 0 {
      at &+= 8
      others = UInt64(littleEndian: bytes.load(UInt64.self, at: at)) ^ spaces
    }
    at &+= others.trailingZeroBitCount &>> 3
    if bytes[at] > 0x20 { return at }
    while true {
      let others = bytes.lanesOtherThanWhitespace(at: at)
      if others != 0 { return at &+ others.trailingZeroBitCount }
      at &+= 16
    }
  }

  /// Moves to the outermost value.
  ///
  /// - Throws: ``JSON/SyntaxError/Code/fragment`` where it has to be a container and is none.
  mutating func checkRoot(_ root: JSON.ParsingOptions.Root) throws(ParseFailure) {
    let byte = skipWhitespace()
    guard root == .anyValue || byte == 0x7B || byte == 0x5B else { throw ParseFailure(code: .fragment, offset: at) }
  }
}

/// The names.
extension TextScanner {
  /// `true`, of which the first letter has been seen.
  @inline(__always)
  mutating func scanTrue() throws(ParseFailure) {
    guard bytes.load(UInt32.self, at: at) == UInt32(littleEndian: 0x6575_7274) else { throw misspelt("true") }
    at &+= 4
  }

  /// `false`, of which the first letter has been seen.
  @inline(__always)
  mutating func scanFalse() throws(ParseFailure) {
    guard bytes.load(UInt32.self, at: at) == UInt32(littleEndian: 0x736C_6166), bytes[at &+ 4] == 0x65 else {
      throw misspelt("false")
    }
    at &+= 5
  }

  /// `null`, of which the first letter has been seen.
  @inline(__always)
  mutating func scanNull() throws(ParseFailure) {
    guard bytes.load(UInt32.self, at: at) == UInt32(littleEndian: 0x6C6C_756E) else { throw misspelt("null") }
    at &+= 4
  }
}

/// What is said of a text that is no JSON; made out of line.
extension TextScanner {
  @inline(never)
  func failure(_ code: JSON.SyntaxError.Code) -> ParseFailure {
    ParseFailure(code: code, offset: min(at, bytes.count))
  }

  @inline(never)
  func unexpected(_ expected: String) -> ParseFailure {
    isAtEnd ? failure(.unexpectedEnd) : failure(.unexpectedByte(bytes[at], expected: expected))
  }

  /// A name that begins like `name` and goes on otherwise.
  @inline(never)
  private func misspelt(_ name: String) -> ParseFailure {
    var other = self
    for byte in name.utf8 where bytes[other.at] == byte { other.at &+= 1 }
    return other.unexpected(name)
  }
}
