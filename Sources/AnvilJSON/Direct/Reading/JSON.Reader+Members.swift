/// Objects.
extension JSON.Reader {
  /// Moves into the object that begins here, to its first member.
  ///
  /// - Throws: ``JSON/ReadingError``, also for what is no object.
  public mutating func beginObject() throws(JSON.ReadingError) {
    guard scanner.bytes[scanner.at] == 0x7B else { throw mismatch("object") }
    try open()
    isMemberRead = false
    let byte = scanner.skipWhitespace()
    if byte == 0x7D { return endObject() }
    try readKey(byte)
  }

  /// Reads the next member's value into `value` and moves on, where its key is `key` and `value` is still `nil`; else does
  /// nothing.
  ///
  /// Of several members with one key the first counts, since behind it `value` is `nil` no longer. For an optional property
  /// `value` has to be an optional of its type, `String??`.
  ///
  /// - Complexity: what the value takes; two comparisons where the key is of another length.
  @inlinable @inline(__always)
  public mutating func read<Value: JSONReadable>(
    _ key: StaticString, into value: inout Value?
  ) throws(JSON.ReadingError) {
    guard isNext(key), value == nil else { return }
    value = try Value.read(from: &self)
    try nextMember()
  }

  /// Reads the next member's value by `read` into `value` and moves on, where its key is `key` and `value` is still `nil`;
  /// else does nothing.
  ///
  /// - Parameter read: leaves the reader behind the value.
  @inlinable @inline(__always)
  public mutating func read<Value>(
    _ key: StaticString, into value: inout Value?,
    by read: (inout JSON.Reader) throws(JSON.ReadingError) -> Value
  ) throws(JSON.ReadingError) {
    guard isNext(key), value == nil else { return }
    value = try read(&self)
    try nextMember()
  }

  /// Whether the object goes on, after all of its type's keys have been tried in their order.
  ///
  /// A member that none of them has read is skipped. So, where the members come in the order in which their keys are tried,
  /// one round reads all; in any other order it takes more rounds, but nothing else changes.
  ///
  /// - Throws: ``JSON/ReadingError`` for what is no JSON in a member that is skipped.
  public mutating func hasMoreMembers() throws(JSON.ReadingError) -> Bool {
    guard keyLength >= 0 else { return false }
    if !isMemberRead {
      try skip()
      try nextMember()
    }
    isMemberRead = false
    return keyLength >= 0
  }

  /// What was read of the member `key` of the object that has just ended.
  ///
  /// - Throws: ``JSON/ReadingError`` that the key is missing, for `nil`.
  @inlinable @inline(__always)
  public func require<Value>(_ value: consuming Value?, _ key: StaticString) throws(JSON.ReadingError) -> Value {
    guard let value else { throw missing(key) }
    return value
  }

  /// The next member's key; `nil` at the object's end. For objects whose keys are data:
  ///
  ///     try reader.beginObject()
  ///     while let key = reader.key {
  ///       values[key] = try reader.read()
  ///       try reader.nextMember()
  ///     }
  ///
  /// - Complexity: O(*n*), *n* its length; one allocation beyond 15 bytes of UTF-8.
  public var key: String? {
    guard keyLength >= 0 else { return nil }
    return scanner.bytes.string(at: keyStart, length: keyLength, isASCII: !isKeyNonASCII)
  }

  /// Moves to the next member, from behind the value of this one; or behind the object, where there is none.
  public mutating func nextMember() throws(JSON.ReadingError) {
    isMemberRead = true
    let byte = scanner.skipWhitespace()
    if byte == 0x2C {
      scanner.at &+= 1
      return try readKey(scanner.skipWhitespace())
    }
    guard byte == 0x7D else { throw unexpected("',' or '}'") }
    endObject()
  }

  /// Whether the next member's key is `key`.
  @inlinable @inline(__always)
  func isNext(_ key: StaticString) -> Bool {
    keyLength == key.utf8CodeUnitCount && scanner.bytes.begins(with: key, at: keyStart)
  }

  /// The key, which begins with `byte`, and what is between it and its value.
  @inline(__always)
  private mutating func readKey(_ byte: UInt8) throws(JSON.ReadingError) {
    do throws(ParseFailure) {
      let key = try scanner.scanKey(byte)
      keyStart = key.start
      keyLength = key.length
      isKeyNonASCII = key.isNonASCII
    } catch {
      throw self.error(error)
    }
    _ = scanner.skipWhitespace()
  }

  @inline(__always)
  private mutating func endObject() {
    scanner.at &+= 1
    depth &-= 1
    keyLength = -1
  }

  /// Moves into a container.
  @inline(__always)
  mutating func open() throws(JSON.ReadingError) {
    guard depth < depthLimit else { throw error(.tooDeep(limit: depthLimit), at: scanner.at) }
    depth &+= 1
    scanner.at &+= 1
  }
}
