internal import AnvilBase

extension JSON {
  /// A position in a JSON text that is read from its first byte to its last.
  ///
  /// A ``JSONReadable`` type receives a reader at the first byte of its value and leaves it after the last one. A reader is valid during
  /// ``JSON/read(_:from:options:)-(_,Data,_)`` and cannot be kept. Each value is read once or skipped: a reader never moves back, except for
  /// lenient types. Calls in the wrong order are memory-safe. They only make the text appear to be invalid.
  ///
  /// Everything is validated as in ``JSON/init(parsing:options:)-(Data,_)``, including skipped values.
  public struct Reader: ~Copyable, ~Escapable {
    /// The position in the reader's own copy of the text, in which escapes are resolved.
    @usableFromInline var scanner: TextScanner
    /// The original text, which errors refer to.
    let source: RawSpan
    /// The offset of the first character of the next member's key; ``noKey`` if there is no next key, or if it has been read.
    @usableFromInline var keyStart: Int
    /// The offset of a key that has been read because it has escapes or is too long to be compared in the text.
    var readKeyStart = 0
    /// The number of bytes of the key that has been read; -1 if no key has been read.
    @usableFromInline var readKeyLength = -1
    /// True if a member has been read in the current round, in which each key of the type is tried once.
    var isMemberRead = false
    /// The number of spaces by which each depth is indented. It is only a prediction; the text is compared with it.
    var indentation = 0
    /// The number of open containers.
    @usableFromInline var depth = 0
    /// True while `readIfValid(_:)` reads a value, which is discarded if it is invalid.
    @usableFromInline var isAttempting = false
    let depthLimit: Int
    /// The ends of containers that were skipped to find a tag.
    var containerEnds = ContainerEnds()
    /// The object whose tags were read last, and how often.
    var tagOffset = -1
    var tagCount = 0
    /// The values that are being read from objects with a tag, by the offsets of the objects.
    var taggedValues: [(offset: Int, enumeration: any Any.Type)] = []
    var urls = ParsedURLs()
    let dates: DateForm

    /// Creates a reader of `source`, which is UTF-8, from `start` on, for values whose dates have the form `dates`.
    @usableFromInline
    @_lifetime(copy source)
    init(_ source: RawSpan, from start: Int, depthLimit: Int, dates: DateForm) {
      self.source = source
      self.depthLimit = depthLimit
      self.dates = dates
      scanner = TextScanner(PaddedBytes(copying: source, for: .call), at: start)
      keyStart = source.byteCount + 1
    }

    /// An offset after the text, where no key can begin.
    var noKey: Int { scanner.bytes.count &+ 1 }

    deinit {
      scanner.bytes.deallocate(after: .call)
    }

    /// Moves to the outermost value.
    @usableFromInline
    mutating func start(_ options: ParsingOptions) throws(ReadingError) {
      do throws(ParseFailure) { try scanner.checkRoot(options.root) } catch { throw self.error(error) }
    }

    /// Checks that nothing follows the outermost value.
    @usableFromInline
    mutating func finish() throws(ReadingError) {
      _ = scanner.skipWhitespace()
      guard scanner.isAtEnd else { throw error(.trailingContent, at: scanner.at) }
    }

    /// The number of bytes before the current position. Before a value is read, it is the offset of that value. For UTF-16 and UTF-32,
    /// it counts the bytes of the text in UTF-8.
    public var offset: Int { scanner.at }

    /// The kind of the value that begins here, derived from its first byte; `nil` if no value begins here. Use it in types whose JSON form
    /// varies.
    public var kind: Kind? { Kind(valueBeginningWith: scanner.bytes[scanner.at]) }

    /// Reads the value of `type` that begins here, with its ``JSONReadable/read(from:)``.
    @inlinable @inline(__always)
    public mutating func read<Value: JSONReadable>(
      _ type: Value.Type = Value.self
    ) throws(ReadingError) -> Value {
      try Value.read(from: &self)
    }

    /// Moves after the value that begins here, regardless of its kind.
    ///
    /// - Throws: ``ReadingError`` if the value is not valid JSON: skipped values are validated too.
    /// - Complexity: O(*n*), where *n* is the length of the value. There is no recursion.
    public mutating func skip() throws(ReadingError) {
      do throws(ParseFailure) { try scanner.skipValue(depthLimit: depthLimit - depth) } catch {
        throw self.error(error)
      }
    }

    /// Reads the value that begins here as a separate document.
    mutating func json() throws(ReadingError) -> JSON {
      let start = scanner.at
      try skip()
      // It has just been validated, including the limits. Escapes resolved in the copy are unchanged in the source.
      let options = ParsingOptions(depthLimit: .max)
      do throws(SyntaxError) {
        return JSON(try Document.parse(source.extracting(start..<scanner.at), options: options))
      } catch {
        throw self.error(error.code, at: start + error.offset)
      }
    }
  }
}

/// Reading of values that may be invalid.
extension JSON.Reader {
  /// Reads the value that begins here, or moves after it and returns `nil` if it is not a valid `type`.
  ///
  ///     if try reader.beginArray() {
  ///       repeat {
  ///         if let user = try reader.readIfValid(User.self) { users.append(user) }
  ///       } while try reader.nextElement()
  ///     }
  ///
  /// A value that cannot be read is decoded again with the `init(from:)` of its type. It is invalid only if that fails
  /// too. Dates have the same format in both cases.
  ///
  /// Errors within the value are discarded. They have a code and an offset, but no path, line, column or type name.
  ///
  /// - Throws: ``JSON/ReadingError`` if the value is not valid JSON.
  /// - Complexity: O(*n*), where *n* is the length of the value. A failed attempt also ends the attempts around it, so
  ///   no value is decoded again more than once, however deeply it is nested.
  @inlinable
  package mutating func readIfValid<Value: JSONReadable & Decodable>(
    _ type: Value.Type = Value.self
  ) throws(JSON.ReadingError) -> Value? {
    guard !isAttempting else { return try Value.read(from: &self) }
    let (start, depth) = (scanner.at, self.depth)
    isAttempting = true
    do throws(JSON.ReadingError) {
      let value = try Value.read(from: &self)
      isAttempting = false
      return value
    } catch {
      isAttempting = false
      return try decodeIfValid(type, from: start, depth: depth)
    }
  }

  /// Moves back to `start`, decodes the value that begins there with the `init(from:)` of `type`, and moves after it. Returns `nil` if
  /// the value is not valid.
  @usableFromInline @inline(never)
  mutating func decodeIfValid<Value: Decodable>(
    _ type: Value.Type, from start: Int, depth: Int
  ) throws(JSON.ReadingError) -> Value? {
    moveBack(to: start, depth: depth)
    let json = try json()
    return try? containerDecoder.decode(type, from: json)
  }

  /// Moves back to the value that begins at `start`, and then after it, as if it had not been read.
  @usableFromInline @inline(never)
  mutating func skip(from start: Int, depth: Int) throws(JSON.ReadingError) {
    moveBack(to: start, depth: depth)
    try skip()
  }

  /// Moves back to the value that begins at `start`, and restores its text, in which the attempt has resolved escapes. Reading the value
  /// again resolves them in the same places, so that ``ParsedURLs`` still finds its texts.
  private mutating func moveBack(to start: Int, depth: Int) {
    var tokens = TokenScanner(source, at: start)
    if let token = tokens.next() { tokens.skip(token) }
    for offset in start..<tokens.offset { scanner.bytes[offset] = source[offset] }
    scanner.at = start
    self.depth = depth
    keyStart = noKey
    readKeyLength = -1
  }
}

/// Reading types that are only `Decodable`, as parts of types with a direct path.
extension JSON.Reader {
  /// Reads the value that begins here with the `init(from:)` of `type`, which is slower than a ``JSONReadable`` type.
  ///
  /// Dates have the same format as on the direct path.
  ///
  /// - Throws: ``JSON/ReadingError``, with the description of the error of `init(from:)`.
  @_disfavoredOverload @inline(never)
  public mutating func read<Value: Decodable>(_ type: Value.Type = Value.self) throws(JSON.ReadingError) -> Value {
    let offset = offset
    let json = try json()
    do {
      return try containerDecoder.decode(type, from: json)
    } catch {
      throw located(error, from: offset)
    }
  }

  /// Returns the error for `error`, which `init(from:)` of the type of the value at `offset` has thrown.
  @inline(never)
  private func located(_ error: any Error, from offset: Int) -> JSON.ReadingError {
    guard let error = error as? DecodingError else { return dataCorrupted("\(error)", at: offset) }
    let steps = error.context.codingPath.map { $0.intValue.map { .index($0) } ?? JSON.Step.key($0.stringValue) }
    let place = self.offset(of: steps, from: offset).offset
    if case .keyNotFound(let key, _) = error { return self.error(.missingKey(key.stringValue), at: place) }
    let cases = UnknownCase.cases(of: error)
    let underlying = error.context.underlyingError as? any ExpectedFormError
    let form = JSON.ReadingError.ExpectedForm(underlying?.expectedForm, cases: cases)
    return dataCorrupted(error.reason, from: place, expecting: form)
  }

  /// A decoder for parts of the text, with the reader's format of dates.
  var containerDecoder: JSON.Decoder { JSON.Decoder(dates: dates) }

  /// Reads the value of the next member with the `init(from:)` of `Value` into `value` and moves on, provided that the member's key is
  /// `key` and `value` is still `nil`. Otherwise does nothing.
  @_disfavoredOverload @inlinable
  public mutating func read<Value: Decodable>(
    _ key: StaticString, into value: inout Value?
  ) throws(JSON.ReadingError) {
    try read(key, into: &value) { (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Value in
      try reader.read(Value.self)
    }
  }
}

extension JSON.Reader {
  /// Enters the array that begins here. Moves to its first element, or returns `false` and moves after the array if it is empty.
  ///
  ///     if try reader.beginArray() {
  ///       repeat { numbers.append(try reader.read()) } while try reader.nextElement()
  ///     }
  ///
  /// - Throws: ``JSON/ReadingError``, also if the value is not an array.
  public mutating func beginArray() throws(JSON.ReadingError) -> Bool {
    let start = scanner.at
    if scanner.bytes[start] == .openBracket, depth < depthLimit {
      let element = predictedToken(from: start &+ 1, depth: depth &+ 1)
      let byte = scanner.bytes[element]
      if byte > .space, byte != .closeBracket {
        depth &+= 1
        scanner.at = element
        return true
      }
    }
    return try beginUnpredictedArray()
  }

  @inline(never)
  private mutating func beginUnpredictedArray() throws(JSON.ReadingError) -> Bool {
    guard scanner.bytes[scanner.at] == .openBracket else { throw mismatch("array") }
    try open()
    guard skipIndentation(of: depth) == .closeBracket else { return true }
    endArray()
    return false
  }

  /// Moves from the end of an element to the next one. Returns `false` and moves after the array if there are no more elements.
  public mutating func nextElement() throws(JSON.ReadingError) -> Bool {
    let at = scanner.at
    if scanner.bytes[at] == .comma {
      let element = predictedToken(from: at &+ 1, depth: depth)
      if scanner.bytes[element] > .space {
        scanner.at = element
        return true
      }
    } else {
      let end = predictedToken(from: at, depth: depth &- 1)
      if scanner.bytes[end] == .closeBracket {
        scanner.at = end
        endArray()
        return false
      }
    }
    return try nextUnpredictedElement()
  }

  @inline(never)
  private mutating func nextUnpredictedElement() throws(JSON.ReadingError) -> Bool {
    let byte = skipIndentation(of: depth &- 1)
    if byte == .comma {
      scanner.at &+= 1
      _ = skipIndentation(of: depth)
      return true
    }
    guard byte == .closeBracket else { throw unexpected("',' or ']'") }
    endArray()
    return false
  }

  @inline(__always)
  private mutating func endArray() {
    scanner.at &+= 1
    leaveContainer()
  }
}

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

  /// Returns an error for the value at the end of `steps` from the value at `offset`.
  @inline(never)
  package func dataCorrupted(
    _ problem: String, at steps: [JSON.Step] = [], from offset: Int,
    expecting form: JSON.ReadingError.ExpectedForm? = nil
  ) -> JSON.ReadingError {
    error(.dataCorrupted(problem), at: self.offset(of: steps, from: offset).offset, expecting: form)
  }

  /// Returns the keys of a JSON pointer.
  private static func steps(to pointer: StaticString) -> [JSON.Step] {
    ((try? JSON.Pointer(pointer.description))?.tokens ?? []).map { .key($0) }
  }

  /// Returns the offset of the value at the end of `steps` from the value at `start`, and how many of the steps exist. A discarded error is
  /// not located.
  private func offset(of steps: some Collection<JSON.Step>, from start: Int) -> (offset: Int, depth: Int) {
    isAttempting || steps.isEmpty ? (start, 0) : TextLocator.value(at: steps, from: start, in: source)
  }

  @usableFromInline @inline(never)
  func noValue(of type: Any.Type, at offset: Int) -> JSON.ReadingError {
    let isEnumeration = !isAttempting && type is any RawRepresentable.Type
    let form = JSON.ReadingError.ExpectedForm(
      name(of: type), cases: isEnumeration ? EnumMetadata.rawValues(of: type) : nil)
    return dataCorrupted("not a valid value of \(type)", from: offset, expecting: form)
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

  /// Returns the error for the member at `pointer`, which is missing in the object that has just ended: the first key that does not exist.
  @usableFromInline @inline(never)
  mutating func missing(at pointer: StaticString) -> JSON.ReadingError {
    let steps = Self.steps(to: pointer)
    let start = isAttempting ? nil : TextLocator.startOfContainer(endingAt: scanner.at, in: source)
    let (offset, depth) = offset(of: steps.dropLast(), from: start ?? scanner.at)
    guard depth < steps.count, case .key(let key) = steps[depth] else { return missing(pointer) }
    return error(.missingKey(key), at: offset)
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
  func error(
    _ code: JSON.ReadingError.Code, at offset: Int, expecting form: JSON.ReadingError.ExpectedForm? = nil
  ) -> JSON.ReadingError {
    isAttempting
      ? JSON.ReadingError(code, withoutLocationAt: offset)
      : JSON.ReadingError(code, at: offset, in: source, expecting: form)
  }

  @inline(never)
  func error(_ failure: ParseFailure) -> JSON.ReadingError { error(failure.code, at: failure.offset) }
}

extension JSON.Kind {
  /// Creates the kind of a value that begins with `byte`; `nil` if no value does.
  init?(valueBeginningWith byte: UInt8) {
    switch byte {
    case .quote: self = .string
    case .openBrace: self = .object
    case .openBracket: self = .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
    case UInt8(ascii: "n"): self = .null
    case .minus, .digit0 ... .digit9: self = .number
    default: return nil
    }
  }
}

/// The white space before members and elements, which usually grows by the same number of spaces with each depth.
extension JSON.Reader {
  /// Moves to the next byte that is not white space and returns it. `depth` is the number of containers around the
  /// member or element that begins there, or around the container that ends there.
  @inline(__always)
  mutating func skipIndentation(of depth: Int) -> UInt8 {
    let predicted = predictedToken(from: scanner.at, depth: depth)
    let byte = scanner.bytes[predicted]
    guard byte > .space else { return skipUnpredicted(depth) }
    scanner.at = predicted
    return byte
  }

  /// Returns the predicted offset of the next token after `start`: after no white space, one space, or a new line with
  /// the expected indentation. If the prediction is wrong, there is white space at the returned offset.
  ///
  /// With a prediction, the processor continues during the comparison instead of waiting for the white space to be
  /// counted.
  @inline(__always)
  func predictedToken(from start: Int, depth: Int) -> Int {
    let first = scanner.bytes[start]
    if first > .space { return start }
    if first == .space { return start &+ 1 }
    // The result is less than the number of padding bytes for every depth. As an unsigned number, a negative depth is
    // large.
    let spaces = min(UInt(bitPattern: depth &* indentation), 62)
    let others = ~UInt64(scanner.bytes.spaces(at: start &+ 1))
    let isExpected = first == .lineFeed && others & ((1 &<< UInt64(spaces)) &- 1) == 0
    return isExpected ? start &+ 1 &+ Int(bitPattern: spaces) : start
  }

  /// Moves to the next byte that is not white space and returns it. Records the indentation.
  @inline(never)
  private mutating func skipUnpredicted(_ depth: Int) -> UInt8 {
    let start = scanner.at
    let byte = scanner.skipWhitespace()
    let spaces = scanner.at &- start &- 1
    if scanner.bytes[start] == .lineFeed, depth > 0, spaces <= 62 { indentation = spaces / depth }
    return byte
  }
}

extension JSON.Reader {
  /// Returns the location of the string that begins here, and moves after it.
  ///
  /// - Parameter type: The type that is read from the string, for errors.
  @inline(__always)
  mutating func scanString(for type: Any.Type) throws(JSON.ReadingError) -> ScannedString {
    guard scanner.bytes[scanner.at] == .quote else { throw mismatch(type) }
    do throws(ParseFailure) { return try scanner.scanString() } catch { throw self.error(error) }
  }

  @inline(__always)
  mutating func string(for type: Any.Type) throws(JSON.ReadingError) -> String {
    let string = try scanString(for: type)
    return scanner.bytes.string(at: string.start, length: string.length, isASCII: !string.isNonASCII)
  }

  mutating func bool() throws(JSON.ReadingError) -> Bool {
    let byte = scanner.bytes[scanner.at]
    guard byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") else { throw mismatch(Bool.self) }
    do throws(ParseFailure) {
      if byte == UInt8(ascii: "t") { try scanner.scanTrue() } else { try scanner.scanFalse() }
    } catch {
      throw self.error(error)
    }
    return byte == UInt8(ascii: "t")
  }

  /// True if the value that begins here can only be `null`.
  @inlinable @inline(__always)
  var isAtNull: Bool { scanner.bytes[scanner.at] == UInt8(ascii: "n") }

  /// Moves after the value that begins here if it is `null`, and returns whether it is.
  ///
  /// - Throws: ``JSON/ReadingError`` for text that begins like `null` but is not.
  @inlinable
  public mutating func readNullIfPresent() throws(JSON.ReadingError) -> Bool {
    guard isAtNull else { return false }
    try readNull()
    return true
  }

  /// Moves after the `null` that begins here.
  ///
  /// - Throws: ``JSON/ReadingError`` for anything else.
  @usableFromInline
  mutating func readNull() throws(JSON.ReadingError) {
    guard isAtNull else { throw mismatch("null") }
    do throws(ParseFailure) { try scanner.scanNull() } catch { throw self.error(error) }
  }
}
