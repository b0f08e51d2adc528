public import AnvilBase

extension JSON {
  /// A parser of a document that is still coming, such as the arguments of a tool call in a stream of a language model.
  ///
  ///     var parser = JSON.PartialParser()
  ///     for try await piece in pieces {
  ///       try parser.append(piece)
  ///       if let value = parser.value { show(try JSON.Decoder().decode(Draft.self, from: value)) }
  ///     }
  ///     let report = try JSON.Decoder().decode(Report.self, from: parser.finish())
  ///
  /// ``value`` has what can be said so far:
  /// - A string, array or object that has begun is there with its content so far, and ``JSON/isOpen`` is true for it.
  /// - A number is there when the byte after it has arrived, and `true`, `false` and `null` when they are complete: `12` may become `123`.
  /// - A member is there when its value is there.
  ///
  /// A model is decoded from ``value`` as from any other. An open value that cannot be decoded yet, such as the date in `"2026-0`, counts as
  /// absent for an optional property, and for one with a default. In arrays, sets and dictionaries with string keys, it is left out, also if
  /// the property has `@CodableBy`.
  ///
  /// Nothing is read twice, whatever the size of the pieces: text may be cut anywhere, also within a character or an escape. The text
  /// is UTF-8, with or without a byte-order mark, and JSON as specified by RFC 8259.
  ///
  /// After an error, the parser keeps the last value, and throws the same error again.
  ///
  /// - Complexity: Appending is O(*n*) in the bytes of the piece. Taking a value is O(*n*) in the bytes since the values before, plus the
  ///   number of open containers, if the caller keeps no more than the last three values. If it keeps more, each value costs a copy of the
  ///   document so far: keep a `compactCopy()` of the part that you need.
  public struct PartialParser: @unchecked Sendable {
    // Safety: the only reference in the builder is its memory for doubles, which this parser does not use. The memories of values are
    // written only while no other reference to them exists.

    /// The kinds of text that may follow, outside of strings and numbers.
    private enum Place {
      case value, firstElement, firstKey, key, colon, afterValue, end
    }

    private enum NumberPart {
      case sign, zero, integer, point, fraction, exponentLetter, exponentSign, exponent
    }

    private struct OpenString {
      /// The offset of its content in the builder's bytes.
      let offset: Int
      let isKey: Bool
      var isNonASCII = false
    }

    /// The value so far; `nil` if none has begun.
    ///
    /// A value that has been taken does not change when more text is appended.
    public private(set) var value: JSON?

    private let depthLimit: Int
    private let sizeLimit: Int
    private var builder = DocumentBuilder()
    private var place = Place.value
    private var string: OpenString?
    /// The key whose value has not begun.
    private var key: (string: OpenString, length: Int)?
    /// The text of the number that has begun; empty outside of numbers.
    private var number: [UInt8] = []
    /// The part of the number in which its text so far ends.
    private var numberPart = NumberPart.integer
    /// The last bytes if they are the beginning of a literal, an escape, a character or a byte-order mark.
    private var tail: [UInt8] = []
    /// The position of the tail.
    private var position = TextPosition()
    private var failure: SyntaxError?
    /// The memories of the last values, which are used in turn.
    private var memories: [PartialMemory] = []

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - depthLimit: The maximum nesting depth of containers.
    ///   - sizeLimit: The maximum number of bytes of the document.
    public init(depthLimit: Int = 512, sizeLimit: Int = Int(UInt32.max)) {
      self.depthLimit = depthLimit
      self.sizeLimit = max(0, min(sizeLimit, Int(UInt32.max)))
    }
  }
}

extension JSON.PartialParser {
  /// Reads the next piece of the document.
  ///
  /// - Throws: ``JSON/SyntaxError`` if the document cannot be JSON, however it goes on. Its offset counts from the beginning of the
  ///   document. An invalid escape or character may be noticed only when the bytes after it have arrived.
  public mutating func append(_ piece: String) throws(JSON.SyntaxError) {
    try read(Array(piece.utf8), isLast: false)
  }

  /// Reads the next piece of the document. See ``append(_:)-(String)``.
  public mutating func append(_ piece: Data) throws(JSON.SyntaxError) {
    try read([UInt8](piece), isLast: false)
  }

  /// Ends the document, and returns its value.
  ///
  /// - Throws: ``JSON/SyntaxError`` if the document is not complete.
  public mutating func finish() throws(JSON.SyntaxError) -> JSON {
    try read([], isLast: true)
    // The outermost value is complete, so there is one.
    return value ?? JSON.null
  }

  /// True if the outermost value is complete, and only white space may follow. A number is complete when something has followed it.
  public var isComplete: Bool { place == .end && failure == nil }

  private mutating func updateValue() {
    let openString = string.flatMap { $0.isKey ? nil : $0 }
    guard openString != nil || !builder.words.isEmpty else { return }
    // Releases its memory, unless the caller has the value, too.
    value = nil
    let memory = takeMemory()
    guard let openString else {
      value = JSON(memory.document(of: builder))
      return
    }
    let count = builder.words.count
    let length = builder.bytes.count - openString.offset
    builder.pushString(offset: openString.offset, length: length, isNonASCII: openString.isNonASCII)
    value = JSON(memory.document(of: builder, openString: count))
    builder.words.removeLast(builder.words.count - count)
  }

  /// One more than the values that a caller can keep at no cost. What is new is copied once to each memory.
  private static var memoryLimit: Int { 4 }

  /// Returns a memory that no value uses, if possible the one that lacks the least.
  private mutating func takeMemory() -> PartialMemory {
    let free = memories.indices.filter { isKnownUniquelyReferenced(&memories[$0]) }
    if let best = free.max(by: { memories[$0].wordCount < memories[$1].wordCount }) { return memories[best] }
    let memory = PartialMemory()
    if memories.count == Self.memoryLimit { memories.removeFirst() }
    memories.append(memory)
    return memory
  }
}

extension JSON {
  /// True if the value was taken from a ``PartialParser``, and more text may belong to it: a string, array or object whose end has not
  /// arrived. This is also true for the value in a model that was decoded from such a value.
  public var isOpen: Bool { document.isOpen(at: index) }
}

extension JSON.PartialParser {
  private mutating func read(_ piece: [UInt8], isLast: Bool) throws(JSON.SyntaxError) {
    if let failure { throw failure }
    let text = tail.isEmpty ? piece : tail + piece
    // Safety: the array outlives the call, and `UInt8` has no padding.
    let source = unsafe text.elementSpan.bytes
    do throws(ParseFailure) {
      guard text.count <= sizeLimit - position.offset else {
        throw ParseFailure(code: .tooLarge(limit: sizeLimit), offset: sizeLimit - position.offset)
      }
      let bytes = PaddedBytes(copying: source, for: .call)
      defer { bytes.deallocate(after: .call) }
      let end = try scan(bytes, isLast: isLast)
      position.advance(over: source, in: 0..<end)
      tail = Array(text[end...])
      updateValue()
    } catch {
      let failure = position.moved(by: error.offset, in: source).error(error.code)
      self.failure = failure
      throw failure
    }
  }

  /// Reads `bytes`, and returns the number of bytes before those that have to be read again together with the next piece.
  private mutating func scan(_ bytes: PaddedBytes, isLast: Bool) throws(ParseFailure) -> Int {
    var scanner = TextScanner(bytes, at: 0)
    if position.offset == 0, bytes.count > 0, bytes[0] == 0xEF {
      if bytes.count < 3, !isLast { return 0 }
      if bytes[1] == 0xBB, bytes[2] == 0xBF { scanner.at = 3 }
    }
    while true {
      if string != nil {
        guard try scanString(&scanner, isLast: isLast) else { return scanner.at }
      } else if !number.isEmpty {
        guard try scanNumber(&scanner, isLast: isLast) else { return scanner.at }
      }
      let byte = scanner.skipWhitespace()
      guard !scanner.isAtEnd else {
        guard !isLast || place == .end else { throw scanner.failure(.unexpectedEnd) }
        return scanner.at
      }
      guard try scanToken(byte, &scanner, isLast: isLast) else { return scanner.at }
    }
  }

  /// Reads a bracket, a separator, a literal, or the beginning of a string or number. Returns false if the text ends within it.
  private mutating func scanToken(
    _ byte: UInt8, _ scanner: inout TextScanner, isLast: Bool
  ) throws(ParseFailure) -> Bool {
    switch place {
    case .firstElement where byte == .closeBracket, .firstKey where byte == .closeBrace:
      endContainer(&scanner)
    case .firstKey, .key:
      guard byte == .quote else { throw scanner.unexpected("a key in quotation marks") }
      beginString(&scanner, isKey: true)
    case .colon:
      guard byte == .colon else { throw scanner.unexpected("':'") }
      scanner.at += 1
      place = .value
    case .afterValue:
      if byte == .comma {
        scanner.at += 1
        place = builder.isInObject ? .key : .value
      } else if byte == (builder.isInObject ? .closeBrace : .closeBracket) {
        endContainer(&scanner)
      } else {
        throw unexpectedAfterValue(scanner)
      }
    case .end: throw unexpectedAfterValue(scanner)
    case .value, .firstElement: return try scanValue(byte, &scanner, isLast: isLast)
    }
    return true
  }

  private func unexpectedAfterValue(_ scanner: TextScanner) -> ParseFailure {
    if builder.depth == 0 { return scanner.failure(.trailingContent) }
    return scanner.unexpected(builder.isInObject ? "',' or '}'" : "',' or ']'")
  }

  private mutating func scanValue(
    _ byte: UInt8, _ scanner: inout TextScanner, isLast: Bool
  ) throws(ParseFailure) -> Bool {
    switch byte {
    case .quote: beginString(&scanner, isKey: false)
    case .openBrace, .openBracket:
      guard builder.depth < depthLimit else { throw scanner.failure(.tooDeep(limit: depthLimit)) }
      appendKey()
      if byte == .openBrace { builder.beginObject() } else { builder.beginArray() }
      place = byte == .openBrace ? .firstKey : .firstElement
      scanner.at += 1
    case UInt8(ascii: "t"):
      guard isLast || !scanner.isCut("true") else { return false }
      try scanner.scanTrue()
      appendKey()
      builder.append(true)
      endValue()
    case UInt8(ascii: "f"):
      guard isLast || !scanner.isCut("false") else { return false }
      try scanner.scanFalse()
      appendKey()
      builder.append(false)
      endValue()
    case UInt8(ascii: "n"):
      guard isLast || !scanner.isCut("null") else { return false }
      try scanner.scanNull()
      appendKey()
      builder.appendNull()
      endValue()
    case .minus, .digit0 ... .digit9:
      number = [byte]
      numberPart = byte == .minus ? .sign : byte == .digit0 ? .zero : .integer
      scanner.at += 1
    default: throw scanner.unexpected("a value")
    }
    return true
  }

  private mutating func endContainer(_ scanner: inout TextScanner) {
    builder.endContainer()
    scanner.at += 1
    endValue()
  }

  private mutating func endValue() {
    place = builder.depth == 0 ? .end : .afterValue
  }

  /// Writes the key of the value that begins.
  private mutating func appendKey() {
    guard let (string, length) = key else { return }
    builder.pushString(offset: string.offset, length: length, isNonASCII: string.isNonASCII)
    key = nil
  }

  private mutating func beginString(_ scanner: inout TextScanner, isKey: Bool) {
    if !isKey {
      appendKey()
      builder.countValue()
    }
    string = OpenString(offset: builder.bytes.count, isKey: isKey)
    scanner.at += 1
  }

  /// Reads the open string from the position of `scanner` on. Returns false if the text ends within it.
  private mutating func scanString(_ scanner: inout TextScanner, isLast: Bool) throws(ParseFailure) -> Bool {
    guard var string else { return true }
    let (end, isClosed) = scanner.endOfString(isLast: isLast)
    if !isClosed, !isLast { scanner.bytes.writeQuotationMark(at: end) }
    // The scanner expects to be at the opening quotation mark, which it does not read.
    scanner.at -= 1
    let content = try scanner.scanString()
    scanner.bytes.withSpan(at: content.start, length: content.length) { builder.bytes.append(contentsOf: $0) }
    string.isNonASCII = string.isNonASCII || content.isNonASCII
    guard isClosed else {
      self.string = string
      scanner.at = end
      return false
    }
    self.string = nil
    let length = builder.bytes.count - string.offset
    if string.isKey {
      key = (string, length)
      place = .colon
    } else {
      builder.pushString(offset: string.offset, length: length, isNonASCII: string.isNonASCII)
      endValue()
    }
    return true
  }
}

extension TextScanner {
  /// Returns the end of the string whose content continues at `at`: its closing quotation mark or a control character, or else the end of
  /// the text that can be read without what follows. Returns also whether the string ends there.
  ///
  /// - Parameter isLast: True if nothing follows. The end is then that of the text.
  fileprivate func endOfString(isLast: Bool) -> (end: Int, isClosed: Bool) {
    var next = at
    var plain = at
    while next < bytes.count {
      let lanes = bytes.stringLanes(at: next)
      guard lanes.specials != 0 else {
        next += 16
        continue
      }
      next += lanes.plainCount
      guard next < bytes.count else { break }
      // A control character is an error, which reading the string finds.
      guard bytes[next] == .backslash else { return (next, true) }
      guard let length = lengthOfEscape(at: next) else { return (isLast ? bytes.count : next, false) }
      next += length
      plain = next
    }
    return (isLast ? bytes.count : endOfCharacters(from: plain), false)
  }

  /// Returns the length of the escape at `start`; `nil` if the text ends within it, or between the halves of a pair.
  private func lengthOfEscape(at start: Int) -> Int? {
    let length = bytes.count - start
    guard length >= 2 else { return nil }
    guard bytes[start + 1] == UInt8(ascii: "u") else { return 2 }
    guard length >= 6 else { return nil }
    let isHighSurrogate = bytes[start + 2] | 0x20 == UInt8(ascii: "d") && "89ABab".utf8.contains(bytes[start + 3])
    guard isHighSurrogate, length == 6 || bytes[start + 6] == .backslash,
      length <= 7 || bytes[start + 7] == UInt8(ascii: "u")
    else {
      return 6
    }
    return length >= 12 ? 12 : nil
  }

  /// Returns the end of the last complete character from `start` to the end of the text.
  private func endOfCharacters(from start: Int) -> Int {
    var lead = bytes.count - 1
    while lead >= start, lead > bytes.count - 4, bytes[lead] & 0xC0 == 0x80 { lead -= 1 }
    guard lead >= start else { return bytes.count }
    let length: Int
    switch bytes[lead] {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return bytes.count
    }
    return bytes.count - lead < length ? lead : bytes.count
  }

  /// Returns whether the text ends within `literal`, which begins at `at`.
  fileprivate func isCut(_ literal: StaticString) -> Bool {
    let count = bytes.count - at
    guard count < literal.utf8CodeUnitCount else { return false }
    return "\(literal)".utf8.prefix(count).enumerated().allSatisfy { bytes[at + $0.offset] == $0.element }
  }
}

extension JSON.PartialParser {
  /// Reads the number that has begun, from the position of `scanner` on. Returns false if the text ends within it.
  private mutating func scanNumber(_ scanner: inout TextScanner, isLast: Bool) throws(ParseFailure) -> Bool {
    let start = scanner.at
    var isValid = true
    while isValid, scanner.bytes[scanner.at].canBeInNumber {
      isValid = continueNumber(with: scanner.bytes[scanner.at])
      scanner.at += 1
    }
    scanner.bytes.withSpan(at: start, length: scanner.at - start) { number.append(contentsOf: $0) }
    // A number that cannot be valid any more is read at once, which throws the error.
    guard isLast || !scanner.isAtEnd || !isValid else { return false }

    // Safety: the array outlives the call, and `UInt8` has no padding.
    let bytes = PaddedBytes(copying: unsafe number.elementSpan.bytes, for: .call)
    defer { bytes.deallocate(after: .call) }
    /// The offset at which the number begins, which may be before the text of `scanner`.
    let base = scanner.at - number.count
    var digits = TextScanner(bytes, at: 0)
    do throws(ParseFailure) {
      var value = try digits.scanInteger()
      let isInteger = !digits.isAtFraction
      if !isInteger { try digits.scanFraction(of: &value) }
      appendKey()
      if isInteger, let integer = value.shortInteger {
        builder.append(integer: integer)
      } else if !isInteger, let double = value.nearestDouble, digits.at < TapeWord.longestLength {
        bytes.withSpan(at: 0, length: digits.at) { builder.append(double, spelt: $0) }
      } else {
        builder.appendNumber(String(decoding: number.prefix(digits.at), as: UTF8.self))
      }
      endValue()
      guard digits.isAtEnd else { throw unexpectedAfterValue(digits) }
    } catch {
      // At the end of the digits, the text may go on with something else.
      var error = error
      if error.code == .unexpectedEnd, !scanner.isAtEnd { error.code = .invalidNumber }
      throw ParseFailure(code: error.code, offset: base + error.offset)
    }
    number.removeAll(keepingCapacity: true)
    return true
  }

  /// Moves ``numberPart`` over `byte`. Returns false if no number goes on like this.
  private mutating func continueNumber(with byte: UInt8) -> Bool {
    let isDigit = byte.isDigit
    switch (numberPart, byte) {
    case (.sign, .digit0): numberPart = .zero
    case (.sign, _) where isDigit, (.integer, _) where isDigit: numberPart = .integer
    case (.zero, .period), (.integer, .period): numberPart = .point
    case (.point, _) where isDigit, (.fraction, _) where isDigit: numberPart = .fraction
    case (.zero, UInt8(ascii: "e")), (.integer, UInt8(ascii: "e")), (.fraction, UInt8(ascii: "e")),
      (.zero, UInt8(ascii: "E")), (.integer, UInt8(ascii: "E")), (.fraction, UInt8(ascii: "E")):
      numberPart = .exponentLetter
    case (.exponentLetter, .plus), (.exponentLetter, .minus): numberPart = .exponentSign
    case (.exponentLetter, _) where isDigit, (.exponentSign, _) where isDigit, (.exponent, _) where isDigit:
      numberPart = .exponent
    default: return false
    }
    return true
  }
}
