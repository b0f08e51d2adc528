public import AnvilBase

// Transparent, because the optimiser applies `@inline(__always)` only while the caller is small. In a type with forty
// members the functions were not inlined, so the keys were no longer constants, and the document twitter.json took 18 %
// more instructions.

extension JSON.Reader {
  /// Enters the object that begins here and moves to its first member.
  ///
  /// - Throws: ``JSON/ReadingError``, also if the value is not an object.
  public mutating func beginObject() throws(JSON.ReadingError) {
    isMemberRead = false
    let start = scanner.at
    if scanner.bytes[start] == .openBrace, depth < depthLimit {
      let key = predictedToken(from: start &+ 1, depth: depth &+ 1)
      if scanner.bytes[key] == .quote {
        depth &+= 1
        return beginKey(at: key)
      }
    }
    try beginUnpredictedObject()
  }

  @inline(never)
  private mutating func beginUnpredictedObject() throws(JSON.ReadingError) {
    guard scanner.bytes[scanner.at] == .openBrace else { throw mismatch("object") }
    try open()
    let byte = skipIndentation(of: depth)
    if byte == .closeBrace { endObject() } else { try beginMember(byte) }
  }

  /// Reads the value of the next member into `value` and moves on, provided that the member's key is `key` and `value` is still `nil`.
  /// Otherwise does nothing.
  ///
  /// If several members share a key, only the first is read, because `value` is not `nil` afterwards. For an optional
  /// property `value` must be an optional of the optional type, such as `String??`.
  ///
  /// - Parameter key: Any text. A key of more than 63 bytes, or with characters that JSON escapes, is only found after
  ///   another call of ``hasMoreMembers()``.
  /// - Complexity: The complexity of reading the value. If the key differs, only one or two comparisons.
  #if DEBUG
  @inlinable
  #else
  @_transparent
  #endif
  public mutating func read<Value: JSONReadable>(
    _ key: StaticString, into value: inout Value?
  ) throws(JSON.ReadingError) {
    // Checked first, so that nothing has to be released when the variable is set.
    if case .none = value, try beginValue(of: key) { value = try Value._readMember(from: &self) }
  }

  /// Reads the value of the next member with `read` into `value` and moves on, provided that the member's key is `key` and `value` is still
  /// `nil`. Otherwise does nothing.
  ///
  /// - Parameter read: Must leave the reader after the value.
  #if DEBUG
  @inlinable
  #else
  @_transparent
  #endif
  public mutating func read<Value>(
    _ key: StaticString, into value: inout Value?,
    by read: (inout JSON.Reader) throws(JSON.ReadingError) -> Value
  ) throws(JSON.ReadingError) {
    if case .none = value, try beginValue(of: key) {
      value = try read(&self)
      try nextMember()
    }
  }

  /// Returns whether the object has more members. Call it after all keys of the type have been tried in order.
  ///
  /// A member that was not read is skipped. If the members are in the order in which their keys are tried,
  /// one round reads all of them. Any other order needs more rounds but gives the same result.
  ///
  /// - Throws: ``JSON/ReadingError`` if a skipped member is not valid JSON.
  public mutating func hasMoreMembers() throws(JSON.ReadingError) -> Bool {
    if !isMemberRead { return try skipUnreadMember() }
    isMemberRead = false
    return keyStart != noKey
  }

  /// Skips the next member, or starts another round if its key has to be unescaped first. Returns whether the object
  /// has more members.
  @inline(never)
  private mutating func skipUnreadMember() throws(JSON.ReadingError) -> Bool {
    switch try beginUnreadMember() {
    case .none: return false
    case .anotherRound: return true
    case .value: try skip()
    }
    return try endUnreadMember()
  }

  private enum UnreadMember {
    /// The object has ended.
    case none
    /// The key must be compared again, because it is unescaped now or because there was white space before the colon.
    case anotherRound
    /// The reader is at the value of the member whose key begins at `start`.
    case value(start: Int, length: Int)
  }

  /// Moves to the value of the next member, whose key is not one of those that were tried, unless the key has to be unescaped first.
  @inline(__always)
  private mutating func beginUnreadMember() throws(JSON.ReadingError) -> UnreadMember {
    var (start, length) = (readKeyStart, readKeyLength)
    if readKeyLength < 0 {
      guard keyStart != noKey else { return .none }
      let key = try readKey()
      (start, length) = (key.start, key.length)
      if key.length > PaddedBytes.longestPlainKey || hasEscapes(key, end: scanner.at)
        || scanner.bytes[scanner.at] != .colon
      {
        readKeyStart = key.start
        readKeyLength = key.length
        try endKey()
        return .anotherRound
      }
      try endKey()
    }
    readKeyLength = -1
    return .value(start: start, length: length)
  }

  /// Moves from the end of a value to the next member. Returns whether the object has more members.
  @inline(__always)
  private mutating func endUnreadMember() throws(JSON.ReadingError) -> Bool {
    try nextMember()
    isMemberRead = false
    return keyStart != noKey
  }

  /// Does the same as ``hasMoreMembers()``, and adds a member that was not read to `rest` unless its key is one of `keys`. Of several
  /// members with one key, the first counts.
  public mutating func _hasMoreMembers<Value: JSONReadable, Keys: CodingKey>(
    rest: inout [String: Value], except keys: Keys.Type, _ tags: [String]
  ) throws(JSON.ReadingError) -> Bool {
    try hasMoreMembers(rest: &rest, except: keys, tags) {
      (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Value in
      try Value.read(from: &reader)
    }
  }

  /// Does the same for values that are only `Decodable`.
  @_disfavoredOverload
  public mutating func _hasMoreMembers<Value: Decodable, Keys: CodingKey>(
    rest: inout [String: Value], except keys: Keys.Type, _ tags: [String]
  ) throws(JSON.ReadingError) -> Bool {
    try hasMoreMembers(rest: &rest, except: keys, tags) {
      (reader: inout JSON.Reader) throws(JSON.ReadingError) -> Value in
      try reader.read(Value.self)
    }
  }

  private mutating func hasMoreMembers<Value, Keys: CodingKey>(
    rest: inout [String: Value], except keys: Keys.Type, _ tags: [String],
    by read: (inout JSON.Reader) throws(JSON.ReadingError) -> Value
  ) throws(JSON.ReadingError) -> Bool {
    if isMemberRead { return try hasMoreMembers() }
    switch try beginUnreadMember() {
    case .none: return false
    case .anotherRound: return true
    case .value(let start, let length):
      let key = scanner.bytes.string(at: start, length: length, isASCII: false)
      if keys.contains(key) || rest[key] != nil || tags.contains(where: key.hasSameBytes) {
        try skip()
      } else {
        rest[key] = try read(&self)
      }
    }
    return try endUnreadMember()
  }

  /// The position of a member whose key is an alias. Used by generated code.
  public struct _MemberPosition: Sendable {
    fileprivate let at: Int
    fileprivate let keyStart: Int
    fileprivate let readKeyStart: Int
    fileprivate let readKeyLength: Int
    fileprivate let isMemberRead: Bool
    fileprivate let depth: Int
    /// The value, in which skipping has resolved the escapes.
    fileprivate var value = 0..<0
  }

  /// Skips the next member and sets `position` to it, provided that the member's key is `key` and `position` is still `nil`. Otherwise does
  /// nothing.
  ///
  /// Only a value that is needed is read, because the value of an unused alias may have any type. Whether it is needed is not known before
  /// the end of the object.
  ///
  /// - Throws: ``JSON/ReadingError`` if the value is not valid JSON.
  public mutating func _skip(
    alias key: StaticString, _ position: inout _MemberPosition?
  ) throws(JSON.ReadingError) {
    var member = self.position
    guard case .none = position, try beginValue(of: key) else { return }
    let start = scanner.at
    try skip()
    member.value = start..<scanner.at
    position = member
    try nextMember()
  }

  /// Moves back to the member at `position`, whose value can then be read once, unless `value` has been read. Returns the position to
  /// continue from; `nil` if the reader does not move.
  public mutating func _return<Value>(to position: _MemberPosition?, unless value: Value?) -> _MemberPosition? {
    guard let position, case .none = value else { return nil }
    let end = self.position
    for offset in position.value { scanner.bytes[offset] = source[offset] }
    _continue(from: position)
    return end
  }

  /// Moves to `position`, after a member was read at a position before it.
  public mutating func _continue(from position: _MemberPosition) {
    scanner.at = position.at
    keyStart = position.keyStart
    readKeyStart = position.readKeyStart
    readKeyLength = position.readKeyLength
    isMemberRead = position.isMemberRead
    depth = position.depth
  }

  private var position: _MemberPosition {
    _MemberPosition(
      at: scanner.at, keyStart: keyStart, readKeyStart: readKeyStart, readKeyLength: readKeyLength,
      isMemberRead: isMemberRead, depth: depth)
  }

  /// Returns the value that was read for the member `key` of the object that has just ended.
  ///
  /// - Throws: ``JSON/ReadingError`` for a missing key, if `value` is `nil`.
  #if DEBUG
  @inlinable
  #else
  @_transparent
  #endif
  public mutating func require<Value>(_ value: consuming Value?, _ key: StaticString) throws(JSON.ReadingError) -> Value
  {
    guard let value else { throw missing(key) }
    return value
  }

  /// Returns the value that was read for the member at `pointer`, a JSON pointer from the object that has just ended.
  ///
  /// - Throws: ``JSON/ReadingError`` for the first key that is missing, if `value` is `nil`.
  #if DEBUG
  @inlinable
  #else
  @_transparent
  #endif
  public mutating func _require<Value>(
    _ value: consuming Value?, at pointer: StaticString
  ) throws(JSON.ReadingError) -> Value {
    guard let value else { throw missing(at: pointer) }
    return value
  }

  /// Returns the key of the next member and moves to its value; `nil` at the end of the object. Use it for objects whose keys are data:
  ///
  ///     try reader.beginObject()
  ///     while let key = try reader.nextKey() {
  ///       values[key] = try reader.read()
  ///       try reader.nextMember()
  ///     }
  ///
  /// - Complexity: O(*n*), where *n* is the length of the key; one allocation for more than 15 bytes of UTF-8.
  public mutating func nextKey() throws(JSON.ReadingError) -> String? {
    guard keyStart != noKey else { return nil }
    let key = try readKey()
    try endKey()
    return scanner.bytes.string(at: key.start, length: key.length, isASCII: !key.isNonASCII)
  }

  /// Moves from the end of a member's value to the next member, or after the object if there are no more members.
  public mutating func nextMember() throws(JSON.ReadingError) {
    isMemberRead = true
    let at = scanner.at
    if scanner.bytes[at] == .comma {
      let key = predictedToken(from: at &+ 1, depth: depth)
      if scanner.bytes[key] == .quote { return beginKey(at: key) }
    } else {
      let end = predictedToken(from: at, depth: depth &- 1)
      if scanner.bytes[end] == .closeBrace {
        scanner.at = end
        return endObject()
      }
    }
    try nextUnpredictedMember()
  }

  @inline(never)
  private mutating func nextUnpredictedMember() throws(JSON.ReadingError) {
    let byte = skipIndentation(of: depth &- 1)
    if byte == .comma {
      scanner.at &+= 1
      return try beginMember(skipIndentation(of: depth))
    }
    guard byte == .closeBrace else { throw unexpected("',' or '}'") }
    endObject()
  }

  /// Moves to the value of the next member and returns `true`, provided that the member's key is `key`. Otherwise returns `false`.
  @_transparent @usableFromInline
  mutating func beginValue(of key: StaticString) throws(JSON.ReadingError) -> Bool {
    guard scanner.bytes.hasKey(key, at: keyStart) else { return readKeyLength >= 0 && takesReadKey(key) }
    // In most cases the colon is followed by a value, with or without a space between them.
    let colon = keyStart &+ key.utf8CodeUnitCount &+ 1
    let value = scanner.bytes[colon &+ 1] == .space ? colon &+ 2 : colon &+ 1
    if scanner.bytes[value] > .space { scanner.at = value } else { endKey(atColon: colon) }
    return true
  }

  /// Moves from the colon after a key to the value.
  @usableFromInline @inline(never)
  mutating func endKey(atColon colon: Int) {
    scanner.at = colon &+ 1
    _ = scanner.skipWhitespace()
  }

  /// Moves from the closing quotation mark of a key to the value.
  @inline(never)
  private mutating func endKey() throws(JSON.ReadingError) {
    guard scanner.skipWhitespace() == .colon else { throw unexpected("':'") }
    scanner.at &+= 1
    _ = scanner.skipWhitespace()
  }

  /// Returns whether `key` equals the key that has been read. If it does, the key is consumed.
  @usableFromInline @inline(never)
  mutating func takesReadKey(_ key: StaticString) -> Bool {
    guard scanner.bytes.equals(key, at: readKeyStart, length: readKeyLength) else { return false }
    readKeyLength = -1
    return true
  }

  /// Reads the key of the next member and moves after its closing quotation mark.
  private mutating func readKey() throws(JSON.ReadingError) -> ScannedString {
    scanner.at = keyStart &- 1
    keyStart = noKey
    do throws(ParseFailure) { return try scanner.scanString() } catch { throw self.error(error) }
  }

  /// Returns whether `key`, whose closing quotation mark is before `end`, has escapes. It is then shorter than its text.
  private func hasEscapes(_ key: ScannedString, end: Int) -> Bool { key.start &+ key.length &+ 1 != end }

  /// Begins a member whose first byte, after any white space, is `byte`.
  @inline(__always)
  private mutating func beginMember(_ byte: UInt8) throws(JSON.ReadingError) {
    guard byte == .quote else { throw unexpected("a key in quotation marks") }
    beginKey(at: scanner.at)
  }

  /// Begins a member whose key has its opening quotation mark at `offset`.
  @inline(__always)
  private mutating func beginKey(at offset: Int) {
    scanner.at = offset
    keyStart = offset &+ 1
    readKeyLength = -1
  }

  @inline(__always)
  private mutating func endObject() {
    scanner.at &+= 1
    leaveContainer()
    keyStart = noKey
    readKeyLength = -1
  }

  /// Leaves a container. Does nothing if no container is open, which happens only if a caller calls functions in the wrong order.
  @inline(__always)
  mutating func leaveContainer() { depth = max(0, depth &- 1) }

  /// Enters a container.
  @inline(__always)
  mutating func open() throws(JSON.ReadingError) {
    guard depth < depthLimit else { throw error(.tooDeep(limit: depthLimit), at: scanner.at) }
    depth &+= 1
    scanner.at &+= 1
  }
}

/// Reading numbers, which are converted while they are scanned.
extension JSON.Reader {
  /// Reads the number that begins here, which must be whole and fit an `Int`. `type` is the type that is named in an error.
  @usableFromInline @inline(never)
  mutating func int(_ type: Any.Type) throws(JSON.ReadingError) -> Int {
    let start = scanner.at
    if let number = scanner.scanPlainInteger(), let value = Int(exactly: number) { return value }
    scanner.at = start
    guard let value = try wholeNumber(for: type)?.value(as: Int.self) else { throw unrepresentable(type, at: start) }
    return value
  }

  /// Scans the number that begins here. Returns `nil` if it is not whole or has more than 128 bits.
  @usableFromInline @inline(never)
  mutating func wholeNumber(for type: Any.Type) throws(JSON.ReadingError) -> WholeNumber? {
    let start = scanner.at
    let (number, isInteger) = try scanUncommonNumber(for: type)
    guard isInteger, number.digits <= 18 else { return wholeNumber(from: start) }
    return WholeNumber(magnitude: UInt128(number.significand), isNegative: number.isNegative)
  }

  /// Converts the number from `start` to the current position. All of its digits are used: 1.00000000000000000001 is not whole, although
  /// its nearest double is.
  @inline(never)
  private func wholeNumber(from start: Int) -> WholeNumber? {
    NumberText(scanner.bytes, from: start, to: scanner.at).wholeNumber()
  }

  @inline(__always)
  mutating func double() throws(JSON.ReadingError) -> Double {
    let start = scanner.at
    let (number, _) = try scanNumber(for: Double.self)
    let value = number.nearestDouble ?? exactDouble(from: start)
    guard value.isFinite else { throw unrepresentable(Double.self, at: start) }
    return value
  }

  @inline(__always)
  mutating func float() throws(JSON.ReadingError) -> Float {
    let start = scanner.at
    let (number, _) = try scanUncommonNumber(for: Float.self)
    let double = number.nearestDouble ?? exactDouble(from: start)
    let value = NearestFloat.nearest(double) { [scanner] in NumberText(scanner.bytes, from: start, to: scanner.at) }
    guard value.isFinite else { throw unrepresentable(Float.self, at: start) }
    return value
  }

  @inline(never)
  private func exactDouble(from start: Int) -> Double {
    NearestDouble.exact(scanner.bytes, from: start, to: scanner.at)
  }

  /// Reads the number that begins here, with as many of its digits as `Decimal` can store.
  mutating func decimal() throws(JSON.ReadingError) -> Decimal {
    let start = scanner.at
    _ = try scanUncommonNumber(for: Decimal.self)
    let text = scanner.bytes.string(at: start, length: scanner.at - start, isASCII: true)
    guard let value = Decimal(numberText: text) else { throw unrepresentable(Decimal.self, at: start) }
    return value
  }

  /// Scans the number that begins here like ``scanNumber(for:)``, without inlining.
  @inline(never)
  private mutating func scanUncommonNumber(
    for type: Any.Type
  ) throws(JSON.ReadingError) -> (ScannedNumber, isInteger: Bool) {
    try scanNumber(for: type)
  }

  /// Scans the number that begins here. Also returns whether it has neither a fraction nor an exponent.
  @inline(__always)
  private mutating func scanNumber(for type: Any.Type) throws(JSON.ReadingError) -> (ScannedNumber, isInteger: Bool) {
    let byte = scanner.bytes[scanner.at]
    guard byte == .minus || byte.isDigit else { throw mismatch(type) }
    do throws(ParseFailure) {
      var number = try scanner.scanInteger()
      guard scanner.isAtFraction else { return (number, true) }
      try scanner.scanFraction(of: &number)
      return (number, false)
    } catch {
      throw self.error(error)
    }
  }
}
