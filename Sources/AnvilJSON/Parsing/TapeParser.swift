/// Turns a text into a tape in one pass.
///
/// Strings with escapes are resolved in place: what they stand for is never longer. Numbers are converted as they are
/// read, their text stays. Containers that are open keep in their own tape word the index of the one around them, so that
/// nesting needs no stack.
struct TapeParser {
  let bytes: PaddedBytes
  let tape: TapeMemory
  private let depthLimit: Int
  /// The next byte.
  var at = 0
  /// The next word.
  var end = 0

  private init(_ bytes: PaddedBytes, _ tape: TapeMemory, depthLimit: Int) {
    self.bytes = bytes
    self.tape = tape
    self.depthLimit = depthLimit
  }

  /// Parses all of `bytes` into `tape`, which has at least the capacity for them, and returns how many words there are.
  ///
  /// - Complexity: O(*n*), nothing is allocated but for numbers of more than 19 digits.
  static func parse(
    _ bytes: PaddedBytes, from start: Int, into tape: TapeMemory, options: JSON.ParsingOptions
  ) throws(ParseFailure) -> Int {
    var parser = TapeParser(bytes, tape, depthLimit: options.depthLimit)
    parser.at = start
    if options.root == .container, case let byte = parser.skipWhitespace(), byte != 0x7B, byte != 0x5B {
      throw ParseFailure(code: .fragment, offset: parser.at)
    }
    try parser.parseDocument()
    return parser.end
  }

  private mutating func parseDocument() throws(ParseFailure) {
    /// The open container's word, and how many members it has so far.
    var container = -1
    var count = 0
    var depth = 0
    var isObject = false
    var byte = skipWhitespace()
    while true {
      // A value begins at `at` with `byte`.
      switch byte {
      case 0x22: try parseString()
      case 0x7B, 0x5B:
        guard depth < depthLimit else { throw failure(.tooDeep(limit: depthLimit)) }
        depth &+= 1
        if container >= 0 {
          tape[container] = .open(isObject: isObject, count: count, around: tape[container].around)
        }
        tape[end] = .open(isObject: byte == 0x7B, count: 0, around: container)
        container = end
        end &+= 1
        count = 0
        isObject = byte == 0x7B
        at &+= 1
        byte = skipWhitespace()
        if isObject, byte != 0x7D {
          try parseKey(byte)
          byte = skipWhitespace()
          continue
        }
        if !isObject, byte != 0x5D { continue }
        // Empty: closed below, as if after a value.
        count = -1
      case 0x74:
        guard bytes.load(UInt32.self, at: at) == 0x6575_7274 else { throw misspelt("true") }
        at &+= 4
        push(.true)
      case 0x66:
        guard bytes.load(UInt32.self, at: at) == 0x736C_6166, bytes[at &+ 4] == 0x65 else { throw misspelt("false") }
        at &+= 5
        push(.false)
      case 0x6E:
        guard bytes.load(UInt32.self, at: at) == 0x6C6C_756E else { throw misspelt("null") }
        at &+= 4
        push(.null)
      default:
        guard byte == 0x2D || byte &- 0x30 <= 9 else { throw unexpected("a value") }
        try parseNumber()
      }

      // After a value: the next member, or the ends of as many containers as end here.
      while true {
        byte = skipWhitespace()
        guard container >= 0 else {
          guard at >= bytes.count else { throw failure(.trailingContent) }
          return
        }
        count &+= 1
        if byte == 0x2C {
          at &+= 1
          byte = skipWhitespace()
          if isObject {
            try parseKey(byte)
            byte = skipWhitespace()
          }
          break
        }
        guard byte == (isObject ? 0x7D : 0x5D) else { throw unexpected(isObject ? "',' or '}'" : "',' or ']'") }
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

  /// Moves to the next byte that is no white space, and returns it: NUL at the end.
  @inline(__always)
  mutating func skipWhitespace() -> UInt8 {
    let byte = bytes[at]
    if byte > 0x20 { return byte }
    // A single space or line end is what there mostly is.
    let isWhitespace = (1 &<< 0x20 | 1 &<< 0x0D | 1 &<< 0x0A | 1 &<< 0x09 as UInt64) &>> UInt64(byte) & 1 == 1
    at &+= isWhitespace ? 1 : 0
    let next = bytes[at]
    if next > 0x20 { return next }
    return isWhitespace ? skipMoreWhitespace() : next
  }

  @inline(never)
  private mutating func skipMoreWhitespace() -> UInt8 {
    while true {
      let lane = bytes.load(ByteVector.self, at: at).nonWhitespace.firstSetLane
      at &+= lane
      if lane < 16 { return bytes[at] }
    }
  }
}

/// What is said of a text that is no JSON; made out of line.
extension TapeParser {
  @inline(never)
  func failure(_ code: JSON.SyntaxError.Code) -> ParseFailure {
    ParseFailure(code: code, offset: min(at, bytes.count))
  }

  @inline(never)
  func unexpected(_ expected: String) -> ParseFailure {
    at >= bytes.count ? failure(.unexpectedEnd) : failure(.unexpectedByte(bytes[at], expected: expected))
  }
}

extension TapeParser {
  /// A literal that begins like `name` and goes on otherwise.
  @inline(never)
  private mutating func misspelt(_ name: String) -> ParseFailure {
    for byte in name.utf8 where bytes[at] == byte { at &+= 1 }
    return unexpected(name)
  }
}

extension TapeWord {
  /// The word of a container that is still open: how many members it has, and which container is around it (-1: none).
  @inline(__always)
  fileprivate static func open(isObject: Bool, count: Int, around: Int) -> TapeWord {
    container(isObject: isObject, count: count, span: around)
  }

  /// The index of the container around this open one; -1 for none.
  @inline(__always)
  fileprivate var around: Int {
    let index = UInt32(truncatingIfNeeded: bits &>> 32)
    return index == .max ? -1 : Int(index)
  }
}
