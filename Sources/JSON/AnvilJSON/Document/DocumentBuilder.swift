internal import AnvilBase

/// Builds a document without a text. Values are appended in the order in which they would appear in a text.
///
/// The result equals that of parsing the same values: the kinds of ``TapeWord``, the text of every number that is not a
/// 60-bit integer, and every string's bytes. A container is open from `begin…` to ``endContainer()``. In an object each value
/// follows its key. ``finish()`` closes no containers.
///
/// Offsets and spans have 32 bits. Values that exceed them, or the size limit, are not written, and ``finish()`` throws.
package struct DocumentBuilder {
  struct TooLarge: Error {
    /// The limit in bytes of memory.
    let limit: Int
  }

  var bytes: [UInt8] = []
  var words: [UInt64] = []
  /// The open containers, outermost first.
  var open: [(index: Int, count: Int)] = []
  private let sizeLimit: Int
  var isTooLarge = false
  /// The working memory for the text of a double.
  private var digits: DigitMemory?

  /// Creates a builder without content.
  ///
  /// - Parameter sizeLimit: The maximum number of bytes of memory for the document: the bytes of strings and of the texts of numbers, and
  ///   eight for each word.
  package init(sizeLimit: Int = .max) {
    self.sizeLimit = sizeLimit
  }

  mutating func reserve(bytes byteCount: Int, words wordCount: Int) {
    bytes.reserveCapacity(byteCount)
    words.reserveCapacity(wordCount)
  }

  /// - Parameter open: The indices of the values that are marked as open.
  consuming func finish(open: [Int] = []) throws(TooLarge) -> Document {
    guard !isTooLarge else { throw TooLarge(limit: min(sizeLimit, Int(UInt32.max))) }
    assert(self.open.isEmpty, "a container is open")
    if words.isEmpty { words.append(TapeWord.null.bits) }
    let tape = TapeMemory(capacity: words.count)
    for index in words.indices { tape[index] = TapeWord(bits: words[index]) }
    // Safety: `UInt8` has no padding, and the array outlives the call.
    return Document(
      bytes: PaddedBytes(copying: unsafe bytes.elementSpan.bytes), tape: tape, wordCount: words.count, open: open)
  }

  package mutating func beginArray() { begin(.container(isObject: false, count: 0, span: 0)) }
  package mutating func beginObject() { begin(.container(isObject: true, count: 0, span: 0)) }

  private mutating func begin(_ word: TapeWord) {
    countValue()
    open.append((words.count, 0))
    push(word)
  }

  package mutating func endContainer() {
    guard let (index, count) = open.popLast(), !isTooLarge else { return }
    let isObject = TapeWord(bits: words[index]).is(.object)
    words[index] = TapeWord.container(isObject: isObject, count: count, span: words.count - index).bits
  }

  package mutating func appendNull() { pushValue(.null) }
  package mutating func append(_ value: Bool) { pushValue(value ? .true : .false) }

  package mutating func append(_ value: String) {
    countValue()
    pushString(value)
  }

  mutating func append(utf8 text: Span<UInt8>) {
    countValue()
    pushString(text)
  }

  package mutating func appendKey(_ key: String) { pushString(key) }

  mutating func appendKey(utf8 text: Span<UInt8>) { pushString(text) }

  package mutating func append(integer value: some FixedWidthInteger) {
    if let value = Int64(exactly: value), TapeWord.fits(value) { return pushValue(.integer(value)) }
    appendNumber(String(value))
  }

  /// Appends the shortest number that reads as `value`; `null` if `value` is not finite, because JSON has no such numbers.
  package mutating func append(_ value: Double) {
    guard value.isFinite else { return appendNull() }
    if let whole = Int64(exactly: value), TapeWord.fits(whole), whole != 0 || value.sign == .plus {
      return pushValue(.integer(whole))
    }
    let digits = digits ?? DigitMemory()
    self.digits = digits
    // A text in the form of an integer is stored as one; the parser determines its kind.
    if abs(value) < 1e21, value == value.rounded(.towardZero) {
      return appendNumber(value == 0 ? "-0" : digits.text(of: value))
    }
    digits.withText(of: value) { append(value, spelt: $0) }
  }

  /// Appends the double nearest to the number in `text`, which has a fraction or an exponent.
  mutating func append(_ value: Double, spelt text: Span<UInt8>) {
    assert(text.count < TapeWord.longestLength)
    countValue()
    let offset = bytes.count
    guard hasRoom(bytes: text.count, words: 2) else { return }
    bytes.append(contentsOf: text)
    push(
      .number(
        .double, offset: offset, length: text.count, isIntegerLiteral: false, isOutOfRange: !value.isFinite))
    push(TapeWord(bits: value.bitPattern))
  }

  /// Appends an infinity or NaN, which exist only in JSON5. The text of the number is `null`, and so is all output of it.
  mutating func append(nonFinite value: Double) {
    countValue()
    let offset = bytes.count
    guard hasRoom(bytes: 4, words: 2) else { return }
    bytes += "null".utf8
    push(.number(.double, offset: offset, length: 4, isIntegerLiteral: false))
    push(TapeWord(bits: value.bitPattern))
  }

  /// Appends the number in `text`; `null` if it is not a number.
  package mutating func appendNumber(_ text: String) {
    guard let number = try? JSON(parsing: text), number.kind == .number else { return appendNull() }
    append(number)
  }
}

extension DocumentBuilder {
  /// The number of open containers.
  var depth: Int { open.count }

  /// True if the innermost open container is an object.
  var isInObject: Bool { open.last.map { TapeWord(bits: words[$0.index]).is(.object) } ?? false }

  mutating func countValue() {
    if !open.isEmpty { open[open.count - 1].count += 1 }
  }

  private mutating func pushValue(_ word: TapeWord) {
    countValue()
    push(word)
  }

  mutating func push(_ word: TapeWord) {
    guard hasRoom(bytes: 0, words: 1) else { return }
    words.append(word.bits)
  }

  /// Returns true if `byteCount` more bytes and `wordCount` more words are within the limits. After the first time that they are not,
  /// nothing more is written.
  mutating func hasRoom(bytes byteCount: Int, words wordCount: Int) -> Bool {
    // These are sizes of data in memory, so their sum cannot overflow.
    let allBytes = bytes.count &+ byteCount
    let allWords = words.count &+ wordCount
    let fits =
      !isTooLarge && allBytes <= Int(UInt32.max) && allWords <= Int(UInt32.max)
      && allBytes &+ 8 &* allWords <= sizeLimit
    if !fits { isTooLarge = true }
    return fits
  }

  private mutating func pushString(_ value: String) {
    value.withUTF8Span { pushString($0) }
  }

  private mutating func pushString(_ text: Span<UInt8>) {
    let offset = bytes.count
    guard hasRoom(bytes: text.count, words: 2) else { return }
    bytes.append(contentsOf: text)
    pushString(offset: offset, length: text.count, isNonASCII: !text.isASCII)
  }

  mutating func pushString(offset: Int, length: Int, isNonASCII: Bool) {
    guard length > TapeWord.longestLength else {
      return push(.string(offset: offset, length: length, isNonASCII: isNonASCII))
    }
    push(.longString(offset: offset, isNonASCII: isNonASCII))
    push(TapeWord(bits: UInt64(length)))
  }

  mutating func append(_ value: JSON) {
    countValue()
    copyWords(of: value.document, value.index..<(value.index + value.word.span))
  }

  /// Appends copies of the words in a range of `document` and of the text that they refer to. The copies keep their spans and counts.
  @inline(never)
  private mutating func copyWords(of document: Document, _ range: Range<Int>) {
    guard hasRoom(bytes: 0, words: range.count) else { return }
    var index = range.lowerBound
    while index < range.upperBound, !isTooLarge {
      let word = document.tape[index]
      switch word.kind {
      case .null, .false, .true, .integer, .array, .object: push(word)
      case .string, .longString:
        let length = document.stringLength(at: index)
        let offset = copyBytes(of: document, at: word.offset, length: length)
        pushString(offset: offset, length: length, isNonASCII: word.isNonASCII)
      case .double, .signed, .unsigned:
        let length = document.numberLength(at: index)
        let offset = copyBytes(of: document, at: word.offset, length: length)
        // A number whose stored length saturates ends at the first character that cannot be part of it.
        if length >= TapeWord.longestLength { bytes.append(0) }
        push(
          .number(
            word.kind, offset: offset, length: word.length, isIntegerLiteral: word.isIntegerLiteral,
            isOutOfRange: word.kind == .double && word.isOutOfRange))
        push(document.tape[index + 1])
      }
      index += word.isContainer ? 1 : word.span
    }
  }

  /// Copies bytes and returns their new offset.
  @inline(never)
  private mutating func copyBytes(of document: Document, at offset: Int, length: Int) -> Int {
    let start = bytes.count
    guard hasRoom(bytes: length + 1, words: 0) else { return start }
    document.bytes.withSpan(at: offset, length: length) { bytes.append(contentsOf: $0) }
    return start
  }
}

extension Document {
  /// Returns the number of bytes in the text of the number at `index`, which is not a 60-bit integer.
  func numberLength(at index: Int) -> Int {
    let length = tape[index].length
    return length < TapeWord.longestLength ? length : numberText(at: index)?.utf8.count ?? 0
  }
}
