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
  public mutating func readIfValid<Value: JSONReadable & Decodable>(
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

  /// Moves back to the value that begins at `start`, and restores its text, in which the attempt has resolved escapes. Reading the value
  /// again resolves them in the same places, so that ``ParsedURLs`` still finds its texts.
  private mutating func moveBack(to start: Int, depth: Int) {
    for offset in start..<TextLocator.endOfValue(from: start, in: source) { scanner.bytes[offset] = source[offset] }
    scanner.at = start
    self.depth = depth
    keyStart = noKey
    readKeyLength = -1
  }
}
