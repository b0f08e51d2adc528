extension JSON {
  /// Why a text could not be read, and where.
  ///
  /// One word. Path, line and column are found when the error is made, by reading the text again up to the place.
  public struct ReadingError: Error, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
      /// The text is not JSON.
      case syntax(SyntaxError.Code)
      /// A value of another kind: `expected` is a type's name, `Int8`, or `object`, `array` or `null`.
      case typeMismatch(expected: String, found: Kind)
      /// A member that the type needs is not there.
      case missingKey(String)
      /// A number that the type of this name cannot hold: out of its range, or not whole.
      case unrepresentableNumber(String)
      /// What the type itself says is wrong.
      case dataCorrupted(String)
    }

    private final class Storage: Sendable {
      let code: Code
      let offset: Int
      let position: TextPosition
      let path: Path
      let excerpt: String?

      init(code: Code, offset: Int, position: TextPosition, path: Path, excerpt: String?) {
        self.code = code
        self.offset = offset
        self.position = position
        self.path = path
        self.excerpt = excerpt
      }
    }

    private let storage: Storage

    private init(storage: Storage) { self.storage = storage }

    /// What is wrong.
    public var code: Code { storage.code }
    /// Bytes of the text before the place.
    public var offset: Int { storage.offset }
    /// The place's line, counted from 1; ends are LF, CR LF and CR.
    public var line: Int { storage.position.line }
    /// The place's column in its line, in Unicode scalars, counted from 1.
    public var column: Int { storage.position.column }
    /// The way from the text's outermost value to the one that failed; for a missing key, to the object without it.
    public var path: Path { storage.path }

    /// An error at `offset` of `source`, which is UTF-8.
    init(_ code: Code, at offset: Int, in source: RawSpan) {
      let offset = max(0, min(offset, source.byteCount))
      // What is too large is not read at all, and of what is no JSON the code says what there is.
      let isTooLarge = if case .syntax(.tooLarge) = code { true } else { false }
      let isSyntax = if case .syntax = code { true } else { false }
      storage = Storage(
        code: code, offset: offset, position: TextPosition(of: isTooLarge ? 0 : offset, in: source),
        path: isTooLarge ? Path() : TextPlace.path(to: offset, in: source),
        excerpt: isSyntax ? nil : TextPlace.excerpt(at: offset, in: source))
    }

    /// The error in the UTF-8 that `source` was transcoded to, with the offset that it has in `source`.
    @usableFromInline
    func located(in source: RawSpan) -> ReadingError {
      guard let encoding = TextEncoding(of: source) else { return self }
      let code: Code = if case .syntax(let code) = code { .syntax(code.beforeTranscoding) } else { code }
      return ReadingError(
        storage: Storage(
          code: code, offset: encoding.offset(in: source, ofUTF8: offset), position: storage.position, path: path,
          excerpt: storage.excerpt))
    }
  }
}

extension JSON.ReadingError: CustomStringConvertible {
  /// Where, what is wrong, and the beginning of what is there, 40 bytes of it at most:
  /// `ReadingError at object.repo.id, line 3, column 11 (byte 41): expected Int, found string in "12"`.
  public var description: String {
    var place = "object"
    for step in path.steps { place.append(step) }
    let found = storage.excerpt.map { " in \($0)" } ?? ""
    return "ReadingError at \(place), line \(line), column \(column) (byte \(offset)): \(code)\(found)"
  }
}

extension JSON.ReadingError.Code: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .syntax(let code): "\(code)"
    case .typeMismatch(let expected, let found): "expected \(expected), found \(found)"
    case .missingKey(let key): "missing key \(key)"
    case .unrepresentableNumber(let type): "number that is no \(type)"
    case .dataCorrupted(let problem): problem
    }
  }
}
