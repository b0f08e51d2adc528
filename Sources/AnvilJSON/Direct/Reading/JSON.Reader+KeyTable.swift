extension JSON {
  /// The position in a table of keys while the members of one object are read.
  public struct KeyCursor {
    /// The number of the key that is expected next, and the offset in the table at which it begins.
    var index = 0
    var offset = 0
    /// True if a member has been found, whose value has been read since.
    var isAfterValue = false

    /// Creates a cursor at the first key of a table.
    public init() {}
  }
}

/// Reading the members of an object by a table of keys, as `@JSONDecodable` does.
///
/// The loop over a table takes a few instructions more for each member than a comparison with each key in the code of the type. That
/// code is far smaller, though, compiles in a fraction of the time, and reads members in any order in one round.
extension JSON.Reader {
  /// Moves to the value of the next member whose key is in `table` and returns the number of the key, counted from 0; a negative number at
  /// the end of the object. Members with other keys are skipped.
  ///
  ///     var cursor = JSON.KeyCursor()
  ///     try reader.beginObject()
  ///     while case let key = try reader.nextMember(in: #"login"id"        "#, &cursor), key >= 0 {
  ///       switch key {
  ///       case 0: try reader.readFirst(into: &login)
  ///       default: try reader.readFirst(into: &id)
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - table: The keys, each followed by a quotation mark, and eight spaces. No key has characters that JSON escapes.
  ///   - cursor: The same variable for all members of the object. The value of a member must be read before the next call.
  /// - Throws: ``JSON/ReadingError`` if a member, also one that is skipped, is not valid JSON.
  /// - Complexity: O(1) for a member that follows, in the table, on the one before it; otherwise O(*n*), where *n* is the length of the table.
  @inline(never)
  public mutating func nextMember(
    in table: StaticString, _ cursor: inout JSON.KeyCursor
  ) throws(JSON.ReadingError) -> Int {
    if cursor.isAfterValue { try nextMember() }
    cursor.isAfterValue = true
    let table = KeyTable(table)
    while keyStart != noKey {
      let first = cursor.offset
      // From the key that is expected on, and from the beginning after the end.
      repeat {
        let length = table.lengthOfKey(at: cursor.offset, ifIn: scanner.bytes, at: keyStart)
        if length >= 0 {
          let index = cursor.index
          try endKey(at: keyStart &+ length &+ 1)
          table.advance(&cursor, by: length)
          return index
        }
        table.advance(&cursor, by: table.lengthOfKey(at: cursor.offset))
      } while cursor.offset != first
      let key = try readKey()
      let end = scanner.at
      try endKey()
      if hasEscapes(key, end: end), let index = table.index(of: key, in: scanner.bytes) { return index }
      try skip()
      try nextMember()
    }
    return -1
  }

  /// Reads the value that begins here into `value`, or skips it if `value` has been read before: of several members that share a key, the
  /// first counts.
  @inlinable
  public mutating func readFirst<Value: JSONReadable>(into value: inout Value?) throws(JSON.ReadingError) {
    if case .none = value { value = try Value.read(from: &self) } else { try skip() }
  }

  /// Reads the value that begins here with the `init(from:)` of its type into `value`, or skips it if `value` has been read before.
  @_disfavoredOverload @inlinable
  public mutating func readFirst<Value: Decodable>(into value: inout Value?) throws(JSON.ReadingError) {
    if case .none = value { value = try read(Value.self) } else { try skip() }
  }
}

/// Keys that are each followed by a quotation mark.
///
/// Safety: `start` points to a literal, which lives as long as the process. All loads of a word begin at least eight bytes before its end,
/// because that is where the last key ends.
@safe
private struct KeyTable {
  private let start: UnsafeRawPointer
  /// The end of the last key's quotation mark.
  private let end: Int

  init(_ text: StaticString) {
    precondition(text.hasPointerRepresentation && text.utf8CodeUnitCount >= 8, "a table of keys ends in eight spaces")
    unsafe start = UnsafeRawPointer(text.utf8Start)
    end = text.utf8CodeUnitCount &- 8
  }

  /// Returns the length of the key at `offset` if `text` has the same bytes and a quotation mark at `position`; otherwise -1.
  @inline(__always)
  func lengthOfKey(at offset: Int, ifIn text: PaddedBytes, at position: Int) -> Int {
    guard offset < end else { return -1 }
    var length = 0
    while true {
      let key = unsafe PaddedBytes.word(start, offset &+ length)
      let difference = key ^ UInt64(littleEndian: text.load(UInt64.self, at: position &+ length))
      let quotes = Self.quotes(key)
      if quotes != 0 {
        // The bytes up to the quotation mark, which is the lowest.
        let upToQuote = quotes ^ (quotes &- 1)
        return difference & upToQuote == 0 ? length &+ quotes.trailingZeroBitCount &>> 3 : -1
      }
      guard difference == 0 else { return -1 }
      length &+= 8
    }
  }

  /// Returns the length of the key at `offset`.
  @inline(__always)
  func lengthOfKey(at offset: Int) -> Int {
    var length = 0
    while offset &+ length < end {
      let quotes = unsafe Self.quotes(PaddedBytes.word(start, offset &+ length))
      if quotes != 0 { return length &+ quotes.trailingZeroBitCount &>> 3 }
      length &+= 8
    }
    return 0
  }

  /// Moves to the key after one of `length` bytes; from the last to the first.
  @inline(__always)
  func advance(_ cursor: inout JSON.KeyCursor, by length: Int) {
    cursor.offset &+= length &+ 1
    cursor.index &+= 1
    if cursor.offset >= end { (cursor.offset, cursor.index) = (0, 0) }
  }

  /// Returns the number of a key that is not written as in the table, with its escapes resolved; `nil` if there is no such key.
  @inline(never)
  func index(of key: ScannedString, in text: PaddedBytes) -> Int? {
    var cursor = JSON.KeyCursor()
    guard end > 0 else { return nil }
    repeat {
      let length = lengthOfKey(at: cursor.offset)
      let bytes = unsafe UnsafeBufferPointer(
        start: (start + cursor.offset).assumingMemoryBound(to: UInt8.self), count: length)
      if length == key.length, unsafe text.equals(Span(_unsafeElements: bytes), at: key.start) { return cursor.index }
      advance(&cursor, by: length)
    } while cursor.offset != 0
    return nil
  }

  /// Returns the highest bit of each byte that is a quotation mark, exact up to the lowest of them.
  @inline(__always)
  private static func quotes(_ word: UInt64) -> UInt64 {
    let others = word ^ 0x2222_2222_2222_2222
    return (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
  }
}
