// Transparent, because the optimiser honours `@inline(__always)` only as long as the caller stays small: in a type of forty
// members it no longer did, keys were no constants any more, and twitter took 18 % more instructions.

/// Objects.
extension JSON.Reader {
  /// Moves into the object that begins here, to its first member.
  ///
  /// - Throws: ``JSON/ReadingError``, also for what is no object.
  public mutating func beginObject() throws(JSON.ReadingError) {
    guard scanner.bytes[scanner.at] == 0x7B else { throw mismatch("object") }
    try open()
    let byte = skipIndentation(of: depth)
    if byte == 0x7D { endObject() } else { try beginMember(byte) }
    isMemberRead = false
  }

  /// Reads the next member's value into `value` and moves on, where its key is `key` and `value` is still `nil`; else does
  /// nothing.
  ///
  /// Of several members with one key the first counts, since behind it `value` is `nil` no longer. For an optional property
  /// `value` has to be an optional of its type, `String??`.
  ///
  /// - Parameter key: any text; of more than 63 bytes, or with characters that JSON escapes, it costs a second round.
  /// - Complexity: what the value takes; a comparison or two where the key is another.
  @_transparent
  public mutating func read<Value: JSONReadable>(
    _ key: StaticString, into value: inout Value?
  ) throws(JSON.ReadingError) {
    // Asked first, so that nothing has to be released when the variable is set.
    if case .none = value, try beginValue(of: key) {
      value = try Value.read(from: &self)
      try nextMember()
    }
  }

  /// Reads the next member's value by `read` into `value` and moves on, where its key is `key` and `value` is still `nil`;
  /// else does nothing.
  ///
  /// - Parameter read: leaves the reader behind the value.
  @_transparent
  public mutating func read<Value>(
    _ key: StaticString, into value: inout Value?,
    by read: (inout JSON.Reader) throws(JSON.ReadingError) -> Value
  ) throws(JSON.ReadingError) {
    if case .none = value, try beginValue(of: key) {
      value = try read(&self)
      try nextMember()
    }
  }

  /// Whether the object goes on, after all of its type's keys have been tried in their order.
  ///
  /// A member that none of them has read is skipped. So, where the members come in the order in which their keys are tried,
  /// one round reads all; in any other order it takes more rounds, but nothing else changes.
  ///
  /// - Throws: ``JSON/ReadingError`` for what is no JSON in a member that is skipped.
  public mutating func hasMoreMembers() throws(JSON.ReadingError) -> Bool {
    if !isMemberRead {
      if readKeyLength < 0 {
        guard keyStart != noKey else { return false }
        let key = try readKey()
        // Another round, in which what the key stands for is compared.
        if key.length > PaddedBytes.longestPlainKey || hasEscapes(key, end: scanner.at) {
          readKeyStart = key.start
          readKeyLength = key.length
          try endKey()
          return true
        }
        try endKey()
      }
      try skip()
      try nextMember()
    }
    isMemberRead = false
    return keyStart != noKey
  }

  /// What was read of the member `key` of the object that has just ended.
  ///
  /// - Throws: ``JSON/ReadingError`` that the key is missing, for `nil`.
  @_transparent
  public func require<Value>(_ value: consuming Value?, _ key: StaticString) throws(JSON.ReadingError) -> Value {
    guard let value else { throw missing(key) }
    return value
  }

  /// The next member's key, behind which its value begins; `nil` at the object's end. For objects whose keys are data:
  ///
  ///     try reader.beginObject()
  ///     while let key = try reader.nextKey() {
  ///       values[key] = try reader.read()
  ///       try reader.nextMember()
  ///     }
  ///
  /// - Complexity: O(*n*), *n* its length; one allocation beyond 15 bytes of UTF-8.
  public mutating func nextKey() throws(JSON.ReadingError) -> String? {
    guard keyStart != noKey else { return nil }
    let key = try readKey()
    try endKey()
    return scanner.bytes.string(at: key.start, length: key.length, isASCII: !key.isNonASCII)
  }

  /// Moves to the next member, from behind the value of this one; or behind the object, where there is none.
  public mutating func nextMember() throws(JSON.ReadingError) {
    isMemberRead = true
    let byte = skipIndentation(of: depth &- 1)
    if byte == 0x2C {
      scanner.at &+= 1
      return try beginMember(skipIndentation(of: depth))
    }
    guard byte == 0x7D else { throw unexpected("',' or '}'") }
    endObject()
  }
}

/// The ways in and out of objects and members.
extension JSON.Reader {
  /// Moves to the next member's value where its key is `key`; tells whether it is.
  @_transparent @usableFromInline
  mutating func beginValue(of key: StaticString) throws(JSON.ReadingError) -> Bool {
    guard scanner.bytes.hasKey(key, at: keyStart) else { return readKeyLength >= 0 && takesReadKey(key) }
    try endKey(at: keyStart &+ key.utf8CodeUnitCount &+ 1)
    return true
  }

  /// Moves from `end`, behind a key's quotation mark, to the value.
  @_transparent @usableFromInline
  mutating func endKey(at end: Int) throws(JSON.ReadingError) {
    scanner.at = end
    // `:` and a value, or a space between, are what there mostly is.
    if scanner.bytes[end] == 0x3A {
      let isSpaced = scanner.bytes[end &+ 1] == 0x20
      let value = end &+ (isSpaced ? 2 : 1)
      if scanner.bytes[value] > 0x20 {
        scanner.at = value
        return
      }
    }
    try endKey()
  }

  /// Moves from behind a key's quotation mark to the value.
  @usableFromInline @inline(never)
  mutating func endKey() throws(JSON.ReadingError) {
    guard scanner.skipWhitespace() == 0x3A else { throw unexpected("':'") }
    scanner.at &+= 1
    _ = scanner.skipWhitespace()
  }

  /// Whether the key that has been read is `key`.
  @usableFromInline @inline(never)
  mutating func takesReadKey(_ key: StaticString) -> Bool {
    scanner.bytes.equals(key, at: readKeyStart, length: readKeyLength)
  }

  /// The next member's key; moves behind its quotation mark.
  private mutating func readKey() throws(JSON.ReadingError) -> ScannedString {
    scanner.at = keyStart &- 1
    keyStart = noKey
    do throws(ParseFailure) { return try scanner.scanString() } catch { throw self.error(error) }
  }

  /// Whether `key`, whose closing quotation mark is before `end`, is shorter than its text.
  private func hasEscapes(_ key: ScannedString, end: Int) -> Bool { key.start &+ key.length &+ 1 != end }

  /// Begins a member, of which the first byte that is no white space is `byte`.
  @inline(__always)
  private mutating func beginMember(_ byte: UInt8) throws(JSON.ReadingError) {
    guard byte == 0x22 else { throw unexpected("a key in quotation marks") }
    keyStart = scanner.at &+ 1
    readKeyLength = -1
  }

  @inline(__always)
  private mutating func endObject() {
    scanner.at &+= 1
    leaveContainer()
    keyStart = noKey
    readKeyLength = -1
  }

  /// Moves out of a container; where none is open, after calls out of order, out of none.
  @inline(__always)
  mutating func leaveContainer() { depth = max(0, depth &- 1) }

  /// Moves into a container.
  @inline(__always)
  mutating func open() throws(JSON.ReadingError) {
    guard depth < depthLimit else { throw error(.tooDeep(limit: depthLimit), at: scanner.at) }
    depth &+= 1
    scanner.at &+= 1
  }
}
