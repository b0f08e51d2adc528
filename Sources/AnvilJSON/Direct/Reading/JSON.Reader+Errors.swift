/// What is said of a text that cannot be read; made out of line.
extension JSON.Reader {
  /// That what begins at `offset` is JSON and of the right kind, but not what the type can take.
  ///
  ///     let offset = reader.offset
  ///     let hours = try reader.read(Int.self)
  ///     guard hours < 24 else { throw reader.dataCorrupted("an hour beyond 23", at: offset) }
  ///
  /// - Parameters:
  ///   - problem: what is wrong with it, in a few words.
  ///   - offset: what ``offset`` was before the value was read.
  /// - Complexity: O(*n*), *n* the bytes before the place: path, line and column are found by reading them again.
  @inline(never)
  public func dataCorrupted(_ problem: String, at offset: Int) -> JSON.ReadingError {
    JSON.ReadingError(.dataCorrupted(problem), at: offset, in: source)
  }

  @usableFromInline @inline(never)
  func noValue(of type: Any.Type, at offset: Int) -> JSON.ReadingError {
    dataCorrupted("no value of \(type)", at: offset)
  }

  /// That the member `key` is missing in the object that has just ended.
  @usableFromInline @inline(never)
  func missing(_ key: StaticString) -> JSON.ReadingError {
    let offset = TextPlace.startOfContainer(endingAt: scanner.at, in: source) ?? scanner.at
    return JSON.ReadingError(.missingKey(key.description), at: offset, in: source)
  }

  /// That what begins here is no `type`, or no value at all.
  @inline(never)
  func mismatch(_ type: Any.Type) -> JSON.ReadingError { mismatch(String(describing: type)) }

  /// That what begins here is not what was expected, or no value at all.
  @inline(never)
  func mismatch(_ expected: String) -> JSON.ReadingError {
    guard let kind else { return unexpected("a value") }
    return JSON.ReadingError(.typeMismatch(expected: expected, found: kind), at: scanner.at, in: source)
  }

  /// That the number at `offset` is out of `type`'s range, or has a fraction that `type` cannot hold.
  @inline(never)
  func unrepresentable(_ type: Any.Type, at offset: Int) -> JSON.ReadingError {
    JSON.ReadingError(.unrepresentableNumber(String(describing: type)), at: offset, in: source)
  }

  @inline(never)
  func unexpected(_ expected: String) -> JSON.ReadingError { error(scanner.unexpected(expected)) }

  @inline(never)
  func error(_ code: JSON.SyntaxError.Code, at offset: Int) -> JSON.ReadingError {
    JSON.ReadingError(.syntax(code), at: offset, in: source)
  }

  @inline(never)
  func error(_ failure: ParseFailure) -> JSON.ReadingError { error(failure.code, at: failure.offset) }
}

extension JSON.Kind {
  /// What a value that begins with `byte` can be; `nil` where none does.
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
