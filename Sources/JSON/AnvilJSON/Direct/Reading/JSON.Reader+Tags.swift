internal import AnvilBase

/// Looking ahead, for types that are distinguished by a member.
extension JSON.Reader {
  /// Returns the text of the member `key` of the object that begins here, without moving. If several members share the key, the first is
  /// used.
  ///
  ///     switch try reader.tag("type") {
  ///     case "circle": return .circle(try reader.read())
  ///     case "square": return .square(try reader.read())
  ///     case let tag: throw reader.dataCorrupted("no shape \(tag)", at: reader.offset)
  ///     }
  ///
  /// The text of a whole number is its digits, without a fraction or an exponent; that of a Boolean is `true` or `false`.
  ///
  /// - Throws: ``JSON/ReadingError`` if the value is not an object, if the member is missing, `null` or a container, and if the tags of one
  ///   object are read more often than containers may be nested, as by a type that contains itself in the same object.
  /// - Complexity: O(*n*), where *n* is the length of the object up to the end of the member. It is fastest if the member is the first. The
  ///   text of nested tagged objects is read again a constant number of times, however deeply they are nested.
  public mutating func tag(_ key: StaticString) throws(JSON.ReadingError) -> String {
    guard scanner.bytes[scanner.at] == .openBrace else { throw mismatch("object") }
    guard let tag = try beginningOfTag(key) else { throw error(.missingKey(key.description), at: scanner.at) }
    if let text = text(ofTag: tag) { return text }
    let start = tag.range.lowerBound
    let kind = start < source.byteCount ? JSON.Kind(valueBeginningWith: source[start]) : nil
    guard let kind else { throw error(.unexpectedEnd, at: start) }
    throw error(.typeMismatch(expected: "string", found: kind), at: start)
  }

  /// Returns the text of the member `key` of the object that begins here, without moving, as ``tag(_:)`` does. Returns `nil` if the value is
  /// not an object, and if the member is missing, `null` or a container.
  ///
  /// - Throws: ``JSON/ReadingError`` if the tags of one object are read more often than containers may be nested.
  public mutating func _tagIfPresent(_ key: StaticString) throws(JSON.ReadingError) -> String? {
    guard scanner.bytes[scanner.at] == .openBrace, let tag = try beginningOfTag(key) else { return nil }
    return text(ofTag: tag)
  }

  /// Returns the first token of the value of the first member with the key `key`; `nil` if it is missing.
  ///
  /// The original text is read, because escapes are resolved in the reader's copy, and must not be resolved twice. Nothing is validated: the
  /// members are read afterwards, and that is when errors are found.
  private mutating func beginningOfTag(_ key: StaticString) throws(JSON.ReadingError) -> Token? {
    // A value that contains itself in the same object would be read without end.
    tagCount = tagOffset == scanner.at ? tagCount + 1 : 1
    tagOffset = scanner.at
    guard tagCount <= depthLimit else { throw error(.tooDeep(limit: depthLimit), at: scanner.at) }
    let name = Array(key.description.utf8)
    var tokens = TokenScanner(source, at: scanner.at + 1)
    while let member = tokens.nextChild(ofObject: true) {
      if let key = member.key, tokens.matches(key, name) { return member.value }
      containerEnds.skip(member.value, ofObjectAt: scanner.at, &tokens)
    }
    return nil
  }

  private func text(ofTag token: Token) -> String? {
    switch token.kind {
    case .string: TokenScanner(source).string(token)
    case .word: (try? JSON(parsing: token.range.map { source[$0] }))?.tagText
    default: nil
    }
  }
}

// A value in the object of a tag may keep the members that it does not know, among which the tag is not.
extension JSON.Reader {
  /// Notes that the object that begins here is read as the value of a case of `enumeration`, until ``endTaggedValue()`` is called.
  package mutating func beginTaggedValue(of enumeration: any Any.Type) {
    taggedValues.append((scanner.at, enumeration))
  }

  package mutating func endTaggedValue() { taggedValues.removeLast() }

  /// The enumerations with a case whose value is the object that begins here, the innermost last.
  package var enumerationsOfTaggedValue: [any Any.Type] {
    let start = scanner.at
    return taggedValues.reversed().prefix { $0.offset == start }.reversed().map(\.enumeration)
  }
}

extension JSON {
  /// The text of a tag: a string, the digits of a whole number, another number as it is written, `true` or `false`. `nil` for other values.
  package var tagText: String? {
    switch kind {
    case .string: return string
    case .bool: return bool.map { $0 ? "true" : "false" }
    case .number:
      if let integer = integer(as: Int64.self) { return "\(integer)" }
      if let integer = integer(as: UInt64.self) { return "\(integer)" }
      if let double, let integer = Int64(exactly: double) { return "\(integer)" }
      return serializedText()
    case .null, .array, .object: return nil
    }
  }
}

/// The ends of containers in a part of a text that has been scanned.
///
/// To find a tag behind nested content, the content is scanned. Each tagged object in the content would scan its own content again, which
/// would be quadratic for nested objects. The scan therefore records where the containers end, and the scans of nested objects skip the
/// containers in them.
///
/// Only every eighth level of containers is recorded, and only long containers. Each byte is then scanned at most nine times, and the ends
/// need no more memory than a few times the text.
struct ContainerEnds {
  private static var recordedLevels: Int { 8 }
  private static var shortLength: Int { 64 }
  /// Texts that are nested more deeply are not read.
  private static var depthLimit: Int { 4096 }

  /// The part of the text whose containers are recorded.
  private var range = 0..<0
  /// The recorded containers in the order of their starts.
  private var starts: [Int] = []
  private var ends: [Int] = []
  /// The number of bytes that have been scanned, for tests.
  private(set) var scannedCount = 0

  /// Moves `tokens` after the value that begins with `token`. Skips the recorded containers in it, or records its containers.
  ///
  /// - Parameter object: The start of the object whose member the value is.
  mutating func skip(_ token: Token, ofObjectAt object: Int, _ tokens: inout TokenScanner) {
    guard case .open = token.kind else { return tokens.skip(token) }
    let start = token.range.lowerBound
    if range.contains(start) {
      if let end = end(ofContainerAt: start) {
        tokens.offset = end
        return
      }
      var skippedCount = 0
      tokens.skip(
        token,
        enter: { start, _ in
          let end = end(ofContainerAt: start)
          if let end { skippedCount += end - start }
          return end
        }, leave: { _, _ in })
      scannedCount += tokens.offset - start - skippedCount
      return
    }
    if range.isEmpty || start < range.upperBound || object > range.lowerBound {
      starts.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      range = start..<start
    }
    /// The indices of the open containers that are recorded.
    var open: [Int] = []
    func isRecorded(_ depth: Int) -> Bool { depth % Self.recordedLevels == 0 && depth < Self.depthLimit }
    func record(_ start: Int) {
      open.append(starts.count)
      starts.append(start)
      ends.append(0)
    }
    record(start)
    tokens.skip(
      token,
      enter: { start, depth in
        if isRecorded(depth) { record(start) }
        return nil
      },
      leave: { end, depth in if isRecorded(depth), let index = open.popLast() { close(index, at: end) } })
    // The text ends within these.
    for index in open { ends[index] = tokens.offset }
    scannedCount += tokens.offset - start
    range = range.lowerBound..<tokens.offset
  }

  private mutating func close(_ index: Int, at end: Int) {
    ends[index] = end
    // A short container is scanned again. The containers in it are shorter and have been removed already.
    guard end - starts[index] < Self.shortLength, index == starts.count - 1 else { return }
    starts.removeLast()
    ends.removeLast()
  }

  private func end(ofContainerAt start: Int) -> Int? {
    let index = starts.firstIndex(after: start - 1)
    return index < starts.count && starts[index] == start ? ends[index] : nil
  }
}
