/// Looking ahead, for types that are distinguished by a member.
extension JSON.Reader {
  /// Returns the string of the member `key` of the object that begins here, without moving. If several members share
  /// the key, the first is used.
  ///
  ///     switch try reader.tag("type") {
  ///     case "circle": return .circle(try reader.read())
  ///     case "square": return .square(try reader.read())
  ///     case let tag: throw reader.dataCorrupted("no shape \(tag)", at: reader.offset)
  ///     }
  ///
  /// - Throws: ``JSON/ReadingError`` if the value is not an object, or the member is missing or not a string.
  /// - Complexity: O(*n*), where *n* is the length of the object up to the end of the member. It is fastest if the
  ///   member is the first. The text of nested tagged objects is read once more for each level.
  public func tag(_ key: StaticString) throws(JSON.ReadingError) -> String {
    guard scanner.bytes[scanner.at] == 0x7B else { throw mismatch("object") }
    var finder = MemberFinder(source, from: scanner.at + 1)
    guard let start = finder.value(of: Array(key.description.utf8)) else {
      throw error(.missingKey(key.description), at: scanner.at)
    }
    guard start < source.byteCount, source[start] == 0x22 else {
      let kind = start < source.byteCount ? JSON.Kind(valueBeginningWith: source[start]) : nil
      guard let kind else { throw error(.unexpectedEnd, at: start) }
      throw error(.typeMismatch(expected: "string", found: kind), at: start)
    }
    return finder.string(from: start)
  }
}

/// Finds a member in the text of an object. Nothing is validated: the members are read afterwards, and that is when errors are found.
///
/// The finder reads the original text and not the reader's copy, because escapes are resolved in that copy and must not be resolved twice.
private struct MemberFinder: ~Escapable {
  private let text: RawSpan
  private var next: Int

  /// Creates a finder at the first member of an object.
  @_lifetime(copy text)
  init(_ text: RawSpan, from start: Int) {
    self.text = text
    next = start
  }

  /// Returns the offset of the value of the first member whose key is `key`; `nil` if no member has it.
  mutating func value(of key: [UInt8]) -> Int? {
    while true {
      skipWhitespace()
      guard byte == 0x22 else { return nil }
      let start = next
      skipString()
      let isKey = matches(key, from: start + 1, to: next - 1)
      skipWhitespace()
      guard byte == 0x3A else { return nil }
      next += 1
      skipWhitespace()
      if isKey { return next }
      skipValue()
      skipWhitespace()
      guard byte == 0x2C else { return nil }
      next += 1
    }
  }

  /// Returns the string whose opening quotation mark is at `start`.
  func string(from start: Int) -> String {
    var end = self
    end.next = start
    end.skipString()
    return TextLocator.string(at: start..<end.next, in: text)
  }

  /// The next byte; NUL at the end.
  private var byte: UInt8 { next < text.byteCount ? text[next] : 0 }

  /// Returns whether the key between two offsets is `key`.
  private func matches(_ key: [UInt8], from start: Int, to end: Int) -> Bool {
    var isEqual = end - start == key.count
    for offset in start..<max(start, end) {
      if text[offset] == 0x5C { return Array(TextLocator.string(at: start - 1..<end + 1, in: text).utf8) == key }
      if isEqual { isEqual = text[offset] == key[offset - start] }
    }
    return isEqual
  }

  private mutating func skipWhitespace() {
    while next < text.byteCount, text[next] <= 0x20 { next += 1 }
  }

  private mutating func skipString() { next = TextLocator.endOfString(from: next, in: text) }

  private mutating func skipValue() { next = TextLocator.endOfValue(from: next, in: text) }
}
