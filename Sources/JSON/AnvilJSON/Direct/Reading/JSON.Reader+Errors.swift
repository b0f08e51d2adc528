/// The errors of texts that cannot be read. They are created out of line.
extension JSON.Reader {
  /// Returns an error for the value at `offset`, which is JSON of the right kind but is not valid for the type.
  ///
  ///     let offset = reader.offset
  ///     let hours = try reader.read(Int.self)
  ///     guard hours < 24 else { throw reader.dataCorrupted("an hour beyond 23", at: offset) }
  ///
  /// - Parameters:
  ///   - problem: The problem, in a few words.
  ///   - offset: The value of ``offset`` before the value was read.
  /// - Complexity: O(*n*), where *n* is the number of bytes before the value. They are read again to find path, line and column.
  @inline(never)
  public func dataCorrupted(_ problem: String, at offset: Int) -> JSON.ReadingError {
    error(.dataCorrupted(problem), at: offset)
  }

  @usableFromInline @inline(never)
  func noValue(of type: Any.Type, at offset: Int) -> JSON.ReadingError {
    dataCorrupted("not a valid value of \(type)", at: offset)
  }

  /// Returns the error for the member `key`, which is missing in the object that has just ended.
  ///
  /// The function is mutating to keep its callers fast. They would copy the reader for a function that is not mutating,
  /// even if the member is present.
  @usableFromInline @inline(never)
  mutating func missing(_ key: StaticString) -> JSON.ReadingError {
    var offset = scanner.at
    if !isAttempting { offset = TextLocator.startOfContainer(endingAt: offset, in: source) ?? offset }
    return error(.missingKey(key.description), at: offset)
  }

  /// Returns the error for a value that is not a `type`, or for text that is not a value.
  @inline(never)
  func mismatch(_ type: Any.Type) -> JSON.ReadingError { mismatch(name(of: type)) }

  /// Returns the error for a value that is not as expected, or for text that is not a value.
  @inline(never)
  func mismatch(_ expected: String) -> JSON.ReadingError {
    guard let kind else { return unexpected("a value") }
    return error(.typeMismatch(expected: expected, found: kind), at: scanner.at)
  }

  /// Returns the error for the number at `offset`, which is out of range for `type` or has a fraction that `type` cannot represent.
  @usableFromInline @inline(never)
  func unrepresentable(_ type: Any.Type, at offset: Int) -> JSON.ReadingError {
    error(.unrepresentableNumber(name(of: type)), at: offset)
  }

  /// Returns the name of `type`. The name is left out of a discarded error, because it would take longer than the rest
  /// of the attempt.
  private func name(of type: Any.Type) -> String { isAttempting ? "another type" : String(describing: type) }

  @inline(never)
  func unexpected(_ expected: String) -> JSON.ReadingError { error(scanner.unexpected(expected)) }

  @inline(never)
  func error(_ code: JSON.SyntaxError.Code, at offset: Int) -> JSON.ReadingError { error(.syntax(code), at: offset) }

  /// Returns an error at `offset`. A discarded error is not located, because locating many of them would be quadratic.
  @inline(never)
  func error(_ code: JSON.ReadingError.Code, at offset: Int) -> JSON.ReadingError {
    isAttempting
      ? JSON.ReadingError(code, withoutLocationAt: offset) : JSON.ReadingError(code, at: offset, in: source)
  }

  @inline(never)
  func error(_ failure: ParseFailure) -> JSON.ReadingError { error(failure.code, at: failure.offset) }
}

extension JSON.Kind {
  /// Creates the kind of a value that begins with `byte`; `nil` if no value does.
  init?(valueBeginningWith byte: UInt8) {
    switch byte {
    case 0x22: self = .string
    case 0x7B: self = .object
    case 0x5B: self = .array
    case 0x74, 0x66: self = .bool
    case 0x6E: self = .null
    case 0x2D, 0x30...0x39: self = .number
    default: return nil
    }
  }
}
