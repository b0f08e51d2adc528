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
  ///
  /// - Complexity: O(*n*), *n* the length of the text.
  mutating func parse() throws(ParseFailure) {
    try skipSpace()
    var position = Position.value
    switch root {
    case .container where byte != 0x7B && byte != 0x5B: throw failure(.fragment)
    case .members where byte != 0x7B:
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
        if byte == 0x2C {
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
    case 0x22, 0x27: try parseString()
    case 0x7B, 0x5B:
      try begin(byte == 0x7B ? .object : .array)
      at &+= 1
      return .member
    case 0x74:
      try skip("true")
      builder.append(true)
    case 0x66:
      try skip("false")
      builder.append(false)
    case 0x6E:
      try skip("null")
      builder.appendNull()
    case 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x49, 0x4E: try parseNumber()
    default: throw unexpected("a value")
    }
    return .afterValue
  }

  private mutating func parseKeyAndColon() throws(ParseFailure) {
    try parseKey()
    try skipSpace()
    guard byte == 0x3A else { throw unexpected("':'") }
    at &+= 1
  }

  // MARK: Containers

  private mutating func begin(_ container: Container) throws(ParseFailure) {
    guard containers.count < depthLimit else { throw failure(.tooDeep(limit: depthLimit)) }
    containers.append(container)
    if container == .array { builder.beginArray() } else { builder.beginObject() }
  }

  private var isAtEndOfContainer: Bool {
    switch containers.last {
    case .array: byte == 0x5D
    case .object: byte == 0x7D
    case .members: at >= end
    case nil: false
    }
  }

  private mutating func endContainer() {
    // Members without braces end without a closing byte.
    if containers.popLast() != .members { at &+= 1 }
    builder.endContainer()
  }

  // MARK: Bytes

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
