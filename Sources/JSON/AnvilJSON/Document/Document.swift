internal import AnvilBase

/// A parsed text, consisting of its bytes and its tape. It is immutable.
///
/// `@unchecked Sendable`: both memories are written, by the parser or a builder, before the document exists, and are only read
/// afterwards. The hint is atomic.
@safe
@usableFromInline
final class Document: @unchecked Sendable {
  let bytes: PaddedBytes
  let tape: TapeMemory
  let wordCount: Int
  /// The likely position of the next key that the mapping looks up.
  let memberHint = MemberHint()

  private let lifetime: PaddedBytes.Lifetime
  /// The owner of both memories if the document was taken from a partial parser.
  private let partial: PartialMemory?
  /// The indices of the values that are open, outermost first.
  let open: [Int]

  init(
    bytes: PaddedBytes, tape: TapeMemory, wordCount: Int, for lifetime: PaddedBytes.Lifetime = .kept,
    in partial: PartialMemory? = nil, open: [Int] = []
  ) {
    self.lifetime = lifetime
    self.partial = partial
    self.open = open
    self.bytes = bytes
    self.tape = tape
    self.wordCount = wordCount
  }

  deinit {
    guard partial == nil else { return }
    bytes.deallocate(after: lifetime)
    tape.deallocate(used: wordCount)
  }

  /// Returns whether more text may belong to the value at `index`, because the document was taken from a partial parser.
  @usableFromInline @inline(never)
  func isOpen(at index: Int) -> Bool { open.contains(index) }

  /// The encodings that a text may have, as known before the text is examined.
  enum KnownEncoding {
    /// The encoding is unknown. It may be UTF-8, UTF-16 or UTF-32.
    case any
    /// The text is UTF-8. NULs therefore belong to the text and do not indicate another encoding.
    case utf8
    /// The text has been converted to UTF-8. A byte-order mark therefore belongs to the text and is not skipped.
    case utf8WithoutMark
  }

  /// Parses `source`.
  ///
  /// - Throws: ``JSON/SyntaxError``.
  static func parse(
    _ source: borrowing RawSpan, options: JSON.ParsingOptions, for lifetime: PaddedBytes.Lifetime = .kept,
    in encoding: KnownEncoding = .any
  ) throws(JSON.SyntaxError) -> Document {
    let limit = options.effectiveSizeLimit
    guard source.byteCount <= limit else {
      throw JSON.SyntaxError(code: .tooLarge(limit: limit), offset: limit, line: 1, column: 1)
    }
    if encoding == .any, let encoding = TextEncoding(of: source) {
      let text = encoding.transcoded(source)
      do throws(JSON.SyntaxError) {
        // Safety: the array outlives the call, and `UInt8` has no padding.
        return try parse(unsafe text.elementSpan.bytes, options: options, for: lifetime, in: .utf8WithoutMark)
      } catch {
        let offset = encoding.offset(in: source, ofUTF8: error.offset)
        throw JSON.SyntaxError(
          code: error.code.beforeTranscoding, offset: offset, line: error.line, column: error.column)
      }
    }
    let start = encoding != .utf8WithoutMark && TextEncoding.hasUTF8Mark(source) ? 3 : 0
    if options.syntax == .json5 { return try parseJSON5(source, from: start, options: options) }
    if options.root == .members { return try parseMembers(source, from: start, options: options, for: lifetime) }
    return try parseUTF8(source, from: start, options: options, for: lifetime)
  }

  /// Parses `source`, which does not exceed the size limit, from `start` on as JSON in UTF-8.
  ///
  /// - Throws: ``JSON/SyntaxError``.
  static func parseUTF8(
    _ source: borrowing RawSpan, from start: Int, options: JSON.ParsingOptions, for lifetime: PaddedBytes.Lifetime
  ) throws(JSON.SyntaxError) -> Document {
    let bytes = PaddedBytes(copying: source, for: lifetime)
    let tape = TapeMemory(
      parsingUpTo: TapeMemory.capacity(for: source.byteCount, depthLimit: options.depthLimit))
    do throws(ParseFailure) {
      let count = try TapeParser.parse(bytes, from: start, into: tape, options: options)
      return Document(
        bytes: bytes, tape: lifetime == .kept ? tape.shrunk(to: count) : tape, wordCount: count, for: lifetime)
    } catch {
      bytes.deallocate(after: lifetime)
      tape.deallocate(used: tape.capacity)
      throw JSON.SyntaxError(error, in: source)
    }
  }
}

/// The numbers of a tape as Swift types.
///
/// A number is an integer if its value is whole, in any notation: `1`, `1.0` and `10e-1` are the same. Types of up
/// to 128 bits and `Decimal` are read from the text if 64 bits do not suffice, so that no digit is lost.
extension Document {
  /// Returns the integer at `index`; `nil` if the value is not an integer or `Value` cannot hold it.
  @inline(__always)
  func integer<Value: FixedWidthInteger>(at index: Int, as type: Value.Type = Value.self) -> Value? {
    let word = tape[index]
    if word.is(.integer) { return Value(exactly: word.integer) }
    return uncommonInteger(at: index, as: type)
  }

  @inline(never)
  private func uncommonInteger<Value: FixedWidthInteger>(at index: Int, as type: Value.Type) -> Value? {
    let word = tape[index]
    switch word.kind {
    case .signed: return Value(exactly: Int64(bitPattern: tape[index + 1].bits))
    case .unsigned: return Value(exactly: tape[index + 1].bits)
    case .double:
      guard !isNonFinite(at: index) else { return nil }
      // Uses the digits: the nearest double of 1.00000000000000000001 is whole, but the number is not.
      return NumberText(bytes, from: word.offset, to: endOfNumber(at: index)).wholeNumber()?.value(as: type)
    default: return nil
    }
  }

  /// Returns true if the value at `index` is an infinity or NaN, which exist in JSON5. Its text is `null`.
  func isNonFinite(at index: Int) -> Bool {
    let word = tape[index]
    return word.is(.double) && !word.isOutOfRange && !Double(bitPattern: tape[index + 1].bits).isFinite
  }

  /// Returns the double nearest to the number at `index`; `nil` if the value is not a number or is out of range.
  @inline(__always)
  func double(at index: Int) -> Double? {
    let word = tape[index]
    switch word.kind {
    case .double: return word.isOutOfRange ? nil : Double(bitPattern: tape[index + 1].bits)
    case .integer: return Double(word.integer)
    case .signed: return Double(Int64(bitPattern: tape[index + 1].bits))
    case .unsigned: return Double(tape[index + 1].bits)
    default: return nil
    }
  }

  /// Returns the float nearest to the number at `index`; `nil` if the value is not a number or is out of range.
  func float(at index: Int) -> Float? {
    let word = tape[index]
    switch word.kind {
    case .double:
      guard !word.isOutOfRange else { return nil }
      let double = Double(bitPattern: tape[index + 1].bits)
      // JSON5 has non-finite numbers, which have no digits.
      guard double.isFinite else { return Float(double) }
      let float = NearestFloat.nearest(double) { NumberText(bytes, from: word.offset, to: endOfNumber(at: index)) }
      return float.isFinite ? float : nil
    case .integer: return Float(word.integer)
    case .signed: return Float(Int64(bitPattern: tape[index + 1].bits))
    case .unsigned: return Float(tape[index + 1].bits)
    default: return nil
    }
  }

  /// Returns the text of the number at `index`; `nil` if the value is not a number. Most numbers have the text of the document. Integers of
  /// up to 60 bits are formatted, and non-finite numbers have their names in JSON5.
  func numberText(at index: Int) -> String? {
    let word = tape[index]
    switch word.kind {
    case .integer: return String(word.integer)
    case .double where isNonFinite(at: index):
      let value = Double(bitPattern: tape[index + 1].bits)
      return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    case .double, .signed, .unsigned:
      let end = endOfNumber(at: index)
      return bytes.string(at: word.offset, length: end - word.offset, isASCII: true)
    default: return nil
    }
  }

  /// Returns the number at `index` with every digit that `Decimal` can hold; `nil` if it is not a number or is out of range.
  func decimal(at index: Int) -> Decimal? {
    let word = tape[index]
    if word.is(.integer) { return Decimal(word.integer) }
    guard !isNonFinite(at: index) else { return nil }
    return numberText(at: index).flatMap { Decimal(numberText: $0) }
  }

  /// Returns the offset after the text of the number at `index`. A stored length of ``TapeWord/longestLength`` means that length or more.
  private func endOfNumber(at index: Int) -> Int {
    let word = tape[index]
    var end = word.offset + word.length
    guard word.length == TapeWord.longestLength else { return end }
    while bytes[end].canBeInNumber { end += 1 }
    return end
  }
}

extension Document {
  /// Returns the string or key whose word is at `index`.
  ///
  /// - Complexity: O(*n*), *n* its length; one allocation beyond 15 bytes.
  @inline(__always)
  func string(at index: Int) -> String {
    let word = tape[index]
    return bytes.string(at: word.offset, length: stringLength(at: index), isASCII: !word.isNonASCII)
  }

  /// Calls `body` with the UTF-8 of the string or key at `index`.
  @inline(__always)
  func withString<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    bytes.withSpan(at: tape[index].offset, length: stringLength(at: index), body)
  }

  /// Returns the number of UTF-8 bytes in the string or key at `index`.
  @inline(__always)
  func stringLength(at index: Int) -> Int {
    let word = tape[index]
    return word.is(.string) ? word.length : Int(tape[index + 1].bits)
  }

  @inline(__always)
  func key(at index: Int, equals text: Span<UInt8>) -> Bool {
    stringLength(at: index) == text.count && bytes.equals(text, at: tape[index].offset)
  }

  /// Returns the index of the value of `key` in the object at `index`; `nil` if no member has the key. If several members have it, the
  /// first is used.
  ///
  /// - Complexity: O(*n*), *n* the number of members.
  func value(of key: String, inObjectAt index: Int) -> Int? {
    key.withUTF8Span { key in
      for member in members(ofContainerAt: index) where self.key(at: member.key, equals: key) { return member.value }
      return nil
    }
  }

  /// Returns the index of the element numbered `position` of the array at `index`; `nil` if the array has too few elements.
  ///
  /// - Complexity: O(*n*), *n* the position.
  func element(_ position: Int, ofArrayAt index: Int) -> Int? {
    position >= 0 ? members(ofContainerAt: index).dropFirst(position).first { _ in true }?.value : nil
  }

  func count(ofContainerAt index: Int) -> Int {
    let count = tape[index].count
    return count == TapeWord.saturatedCount ? members(ofContainerAt: index).count { _ in true } : count
  }
}
