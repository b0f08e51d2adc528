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
    guard let start = try startOfTag(key) else { throw error(.missingKey(key.description), at: scanner.at) }
    if let text = text(ofTagAt: start) { return text }
    let kind = start < source.byteCount ? JSON.Kind(valueBeginningWith: source[start]) : nil
    guard let kind else { throw error(.unexpectedEnd, at: start) }
    throw error(.typeMismatch(expected: "string", found: kind), at: start)
  }

  /// Returns the text of the member `key` of the object that begins here, without moving, as ``tag(_:)`` does. Returns `nil` if the value is
  /// not an object, and if the member is missing, `null` or a container.
  ///
  /// - Throws: ``JSON/ReadingError`` if the tags of one object are read more often than containers may be nested.
  public mutating func tagIfPresent(_ key: StaticString) throws(JSON.ReadingError) -> String? {
    guard scanner.bytes[scanner.at] == .openBrace, let start = try startOfTag(key) else { return nil }
    return text(ofTagAt: start)
  }

  /// Returns the offset of the value of the member `key`; `nil` if it is missing.
  private mutating func startOfTag(_ key: StaticString) throws(JSON.ReadingError) -> Int? {
    // A value that contains itself in the same object would be read without end.
    tagCount = tagOffset == scanner.at ? tagCount + 1 : 1
    tagOffset = scanner.at
    guard tagCount <= depthLimit else { throw error(.tooDeep(limit: depthLimit), at: scanner.at) }
    var ends = ContainerEnds()
    swap(&ends, &containerEnds)
    var finder = MemberFinder(source, ofObjectAt: scanner.at, ends)
    let start = finder.value(of: Array(key.description.utf8))
    containerEnds = finder.takeEnds()
    return start
  }

  private func text(ofTagAt start: Int) -> String? {
    guard start < source.byteCount, source[start] != .openBrace, source[start] != .openBracket else { return nil }
    let end =
      source[start] == .quote
      ? TextLocator.endOfString(from: start, in: source) : TextLocator.endOfValue(from: start, in: source)
    if source[start] == .quote { return TextLocator.string(at: start..<end, in: source) }
    return (try? JSON(parsing: (start..<end).map { source[$0] }))?.tagText
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

/// Finds a member in the text of an object. Nothing is validated: the members are read afterwards, and that is when errors are found.
///
/// The finder reads the original text and not the reader's copy, because escapes are resolved in that copy and must not be resolved twice.
private struct MemberFinder: ~Escapable {
  private let text: RawSpan
  private let object: Int
  private var next: Int
  private var ends: ContainerEnds

  /// Creates a finder at the first member of the object that begins at `object`.
  @_lifetime(copy text)
  init(_ text: RawSpan, ofObjectAt object: Int, _ ends: consuming ContainerEnds) {
    self.text = text
    self.object = object
    self.ends = ends
    next = object + 1
  }

  /// Returns the known ends of containers, and leaves none.
  mutating func takeEnds() -> ContainerEnds {
    var taken = ContainerEnds()
    swap(&taken, &ends)
    return taken
  }

  /// Returns the offset of the value of the first member whose key is `key`; `nil` if no member has it.
  mutating func value(of key: [UInt8]) -> Int? {
    while true {
      skipWhitespace()
      guard byte == .quote else { return nil }
      let start = next
      skipString()
      let isKey = matches(key, from: start + 1, to: next - 1)
      skipWhitespace()
      guard byte == .colon else { return nil }
      next += 1
      skipWhitespace()
      if isKey { return next }
      next = ends.endOfValue(from: next, ofObjectAt: object, in: text)
      skipWhitespace()
      guard byte == .comma else { return nil }
      next += 1
    }
  }

  /// The next byte; NUL at the end.
  private var byte: UInt8 { next < text.byteCount ? text[next] : 0 }

  private func matches(_ key: [UInt8], from start: Int, to end: Int) -> Bool {
    var isEqual = end - start == key.count
    for offset in start..<max(start, end) {
      if text[offset] == .backslash { return Array(TextLocator.string(at: start - 1..<end + 1, in: text).utf8) == key }
      if isEqual { isEqual = text[offset] == key[offset - start] }
    }
    return isEqual
  }

  private mutating func skipWhitespace() {
    while next < text.byteCount, text[next] <= .space { next += 1 }
  }

  private mutating func skipString() { next = TextLocator.endOfString(from: next, in: text) }
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

  /// Returns the offset after the value that begins at `start`.
  ///
  /// - Parameter object: The start of the object whose member the value is.
  mutating func endOfValue(from start: Int, ofObjectAt object: Int, in text: RawSpan) -> Int {
    guard start < text.byteCount, text[start] == .openBrace || text[start] == .openBracket else {
      return TextLocator.endOfValue(from: start, in: text)
    }
    if range.contains(start) { return scan(from: start, in: text, isRecorded: true) }
    if range.isEmpty || start < range.upperBound || object > range.lowerBound {
      starts.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      range = start..<start
    }
    let end = scan(from: start, in: text, isRecorded: false)
    range = range.lowerBound..<end
    return end
  }

  /// Returns the offset after the container that begins at `start`. Skips recorded containers if `isRecorded` is true, and otherwise records
  /// those that it scans.
  private mutating func scan(from start: Int, in text: RawSpan, isRecorded: Bool) -> Int {
    var next = start
    var depth = 0
    /// The indices of the open containers that are recorded.
    var open: [Int] = []
    while next < text.byteCount {
      let before = next
      switch text[next] {
      case .quote: next = TextLocator.endOfString(from: next, in: text)
      case .openBrace, .openBracket:
        if isRecorded, let end = end(ofContainerAt: next) {
          next = end
          if depth == 0 { return next }
          continue
        }
        if !isRecorded, depth % Self.recordedLevels == 0, depth < Self.depthLimit {
          open.append(starts.count)
          starts.append(next)
          ends.append(text.byteCount)
        }
        depth += 1
        next += 1
      case .closeBrace, .closeBracket:
        depth -= 1
        next += 1
        if !isRecorded, depth % Self.recordedLevels == 0, depth < Self.depthLimit, let index = open.popLast() {
          close(index, at: next)
        }
        if depth == 0 { return next }
      default: next += 1
      }
      scannedCount += next - before
    }
    return next
  }

  private mutating func close(_ index: Int, at end: Int) {
    ends[index] = end
    // A short container is scanned again. The containers in it are shorter and have been removed already.
    guard end - starts[index] < Self.shortLength, index == starts.count - 1 else { return }
    starts.removeLast()
    ends.removeLast()
  }

  private func end(ofContainerAt start: Int) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = low + (high - low) / 2
      if starts[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low < starts.count && starts[low] == start ? ends[low] : nil
  }
}
