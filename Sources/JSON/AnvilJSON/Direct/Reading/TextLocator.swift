public import AnvilBase

/// The context of a location in a text, found by reading the text up to it. Only errors use it.
///
/// The text need not be valid JSON after the location. Before the location it may be invalid if a caller passed an arbitrary offset. The
/// result is then meaningless but safe.
enum TextLocator {
  /// Returns the path from the outermost value to the one that contains `offset`.
  static func path(to offset: Int, in source: RawSpan) -> JSON.Path {
    paths(to: [offset], in: source)[0]
  }

  /// Returns the paths from the outermost value to those that contain the offsets, which are in ascending order.
  static func paths(to offsets: [Int], in source: RawSpan) -> [JSON.Path] {
    var tokens = TokenScanner(source)
    var path = TokenPath()
    var paths: [JSON.Path] = []
    for offset in offsets {
      path.read(&tokens, upTo: offset)
      paths.append(JSON.Path(steps: path.steps(in: tokens)))
    }
    return paths
  }

  /// Returns the start of the container that ends just before `end`; `nil` if no container ends there.
  static func startOfContainer(endingAt end: Int, in source: RawSpan) -> Int? {
    guard end > 0, end <= source.byteCount, [.closeBracket, .closeBrace].contains(source[end - 1]) else { return nil }
    var tokens = TokenScanner(source)
    var path = TokenPath()
    path.read(&tokens, upTo: end)
    return path.lastClosed
  }

  /// Returns the offset of the value at the end of `steps`, or of the last step that exists, from the value at `start`. Also returns the number
  /// of steps that exist.
  static func value(
    at steps: some Collection<JSON.Step>, from start: Int, in source: RawSpan
  ) -> (offset: Int, depth: Int) {
    var tokens = TokenScanner(source, at: start)
    guard var value = tokens.nextToken() else { return (start, 0) }
    for (depth, step) in steps.enumerated() {
      guard let next = tokens.child(at: step, of: value) else { return (value.range.lowerBound, depth) }
      value = next
    }
    return (value.range.lowerBound, steps.count)
  }

  /// Returns the beginning of the value at `offset`, at most 40 bytes. White space between tokens is reduced to one space.
  static func excerpt(at offset: Int, in source: RawSpan) -> String? {
    var bytes: [UInt8] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    for next in offset..<max(offset, source.byteCount) {
      let byte = source[next]
      let isWhitespace = byte.isJSONWhitespace
      if !isInString, depth == 0, next > offset, isWhitespace || [.comma, .closeBrace, .closeBracket].contains(byte) {
        break
      }
      guard bytes.count < 40 else {
        // Do not cut within a scalar.
        if byte & 0xC0 == 0x80, let lead = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
          bytes.removeSubrange(lead...)
        }
        return String(decoding: bytes, as: UTF8.self) + "…"
      }
      if !isInString, isWhitespace {
        if bytes.last != .space { bytes.append(.space) }
        continue
      }
      bytes.append(byte)
      if isInString {
        isInString = isEscaped || byte != .quote
        isEscaped = !isEscaped && byte == .backslash
      } else {
        isInString = byte == .quote
        if byte == .openBrace || byte == .openBracket { depth += 1 }
        if byte == .closeBrace || byte == .closeBracket { depth -= 1 }
      }
      if !isInString, depth <= 0, byte == .closeBrace || byte == .closeBracket || byte == .quote && bytes.count > 1 {
        break
      }
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension JSON {
  /// An error thrown if a text cannot be read, with its location.
  ///
  /// It is one word in size. When the error is created, the text is read again up to its location to find path, line and column.
  public struct ReadingError: Error, Sendable {
    /// The reason why a text cannot be read.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
      /// The text is not JSON.
      ///
      /// What to do: follow the advice of the ``JSON/SyntaxError/Code`` that this code contains.
      case syntax(SyntaxError.Code)
      /// The value is of another kind. `expected` is the name of a type, such as `Int8`, or `object`, `array` or `null`.
      ///
      /// What to do: change the type of the property, or mark it with `@CodableBy`.
      case typeMismatch(expected: String, found: Kind)
      /// A required member is missing.
      ///
      /// What to do: make the property optional, or mark it with `@CodableDefault` or `@CodableAlias`.
      case missingKey(String)
      /// The type with this name cannot represent the number, which is out of range or not whole.
      ///
      /// What to do: use a larger type, or `Double` or `Decimal` for fractions.
      case unrepresentableNumber(String)
      /// The type rejected the value for this reason.
      ///
      /// What to do: read the reason; correct the value or the strategy.
      case dataCorrupted(String)
    }

    /// The form that a rejected value should have, for reports.
    package struct ExpectedForm: Sendable {
      /// The name of a type, or a few words; `nil` if it is not known.
      package var name: String?
      /// The texts of the cases of an enumeration, if the value is not one of them.
      package var cases: [String]?

      package init(_ name: String?, cases: [String]? = nil) {
        self.name = name
        self.cases = cases
      }
    }

    private struct Contents: Sendable {
      var code: Code
      var offset: Int
      var position = TextPosition()
      var path = Path()
      var excerpt: String?
      var expectedForm: ExpectedForm?
    }

    private let storage: Box<Contents>

    private var contents: Contents { storage.value }

    private init(_ contents: Contents) { storage = Box(contents) }

    /// The reason why the text cannot be read.
    public var code: Code { contents.code }
    /// The number of bytes before the location of the error.
    public var offset: Int { contents.offset }
    /// The line of the error, counted from 1. Lines end in LF, CR LF or CR.
    public var line: Int { contents.position.line }
    /// The column of the error in its line, in Unicode scalars, counted from 1.
    public var column: Int { contents.position.column }
    /// The path from the outermost value to the one that failed. For a missing key, it is the path to the object that lacks the key.
    public var path: Path { contents.path }
    package var expectedForm: ExpectedForm? { contents.expectedForm }

    /// Creates an error at `offset` of `source`, which is UTF-8.
    init(_ code: Code, at offset: Int, in source: RawSpan, expecting form: ExpectedForm? = nil) {
      let offset = max(0, min(offset, source.byteCount))
      // A text that is too large is not read at all. For text that is not JSON, the code contains what was found.
      let isTooLarge = if case .syntax(.tooLarge) = code { true } else { false }
      let isSyntax = if case .syntax = code { true } else { false }
      self.init(
        Contents(
          code: code, offset: offset, position: TextPosition(of: isTooLarge ? 0 : offset, in: source),
          path: isTooLarge ? Path() : TextLocator.path(to: offset, in: source),
          excerpt: isSyntax ? nil : TextLocator.excerpt(at: offset, in: source), expectedForm: form))
    }

    /// Creates an error at `offset` without line, column and path.
    init(_ code: Code, withoutLocationAt offset: Int) {
      self.init(Contents(code: code, offset: offset))
    }

    /// Converts an error in the UTF-8 that `source` was transcoded to, so that its offset refers to `source`.
    @usableFromInline
    func located(in source: RawSpan) -> ReadingError {
      guard let encoding = TextEncoding(of: source) else { return self }
      var contents = contents
      if case .syntax(let code) = code { contents.code = .syntax(code.beforeTranscoding) }
      contents.offset = encoding.offset(in: source, ofUTF8: offset)
      return ReadingError(contents)
    }
  }
}

extension JSON.ReadingError: CustomStringConvertible {
  /// The location, the reason, and at most 40 bytes of the value found there:
  /// `ReadingError at object.repo.id, line 3, column 11 (byte 41): expected Int, found string in "12"`.
  public var description: String {
    let found = contents.excerpt.map { " in \($0)" } ?? ""
    return "ReadingError at \(path.place), line \(line), column \(column) (byte \(offset)): \(code)\(found)"
  }
}

extension JSON.ReadingError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

extension JSON.ReadingError.Code: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .syntax(let code): "\(code)"
    case .typeMismatch(let expected, let found): "expected \(expected), found \(found)"
    case .missingKey(let key): "missing key \(key)"
    case .unrepresentableNumber(let type): "number that \(type) cannot represent"
    case .dataCorrupted(let problem): problem
    }
  }
}
