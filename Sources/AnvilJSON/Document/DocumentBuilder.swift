/// Writes a document without a text: values one after another, as they would stand in one.
///
/// What it leaves is what the parser would have made of the same values: the kinds of ``TapeWord``, the text of every
/// number that is no 60-bit integer, every string's bytes. Containers are open from `begin…` to ``endContainer()``; in an
/// object each value follows its key. ``finish()`` closes nothing.
///
/// Offsets and spans have 32 bits. What would go beyond them, or beyond the limit, is not written, and ``finish()`` throws.
package struct DocumentBuilder {
  /// There was more to write than the limit.
  struct TooLarge: Error {
    /// The limit in bytes of memory.
    let limit: Int
  }

  var bytes: [UInt8] = []
  var words: [UInt64] = []
  /// The containers that are open, outermost first.
  var open: [(index: Int, count: Int)] = []
  private let sizeLimit: Int
  var isTooLarge = false
  /// Where the text of the next double is made.
  private var digits: DigitMemory?

  /// - Parameter sizeLimit: how many bytes of memory the document may take, those of strings and numbers' texts and eight
  ///   for each word.
  package init(sizeLimit: Int = .max) {
    self.sizeLimit = sizeLimit
  }

  /// Makes room, where it is known how much there will be.
  mutating func reserve(bytes byteCount: Int, words wordCount: Int) {
    bytes.reserveCapacity(byteCount)
    words.reserveCapacity(wordCount)
  }

  /// The document.
  ///
  /// - Throws: ``TooLarge``.
  consuming func finish() throws(TooLarge) -> Document {
    guard !isTooLarge else { throw TooLarge(limit: min(sizeLimit, Int(UInt32.max))) }
    assert(open.isEmpty, "a container is open")
    if words.isEmpty { words.append(TapeWord.null.bits) }
    let tape = TapeMemory(capacity: words.count)
    for index in words.indices { tape[index] = TapeWord(bits: words[index]) }
    // Safety: `UInt8` has no padding, and the array outlives the call.
    return Document(bytes: PaddedBytes(copying: unsafe bytes.span.bytes), tape: tape, wordCount: words.count)
  }

  // MARK: Containers

  package mutating func beginArray() { begin(.container(isObject: false, count: 0, span: 0)) }
  package mutating func beginObject() { begin(.container(isObject: true, count: 0, span: 0)) }

  private mutating func begin(_ word: TapeWord) {
    countValue()
    open.append((words.count, 0))
    push(word)
  }

  /// Closes the innermost open container.
  package mutating func endContainer() {
    guard let (index, count) = open.popLast(), !isTooLarge else { return }
    let isObject = TapeWord(bits: words[index]).is(.object)
    words[index] = TapeWord.container(isObject: isObject, count: count, span: words.count - index).bits
  }

  // MARK: Values

  package mutating func appendNull() { pushValue(.null) }
  package mutating func append(_ value: Bool) { pushValue(value ? .true : .false) }

  package mutating func append(_ value: String) {
    countValue()
    pushString(value)
  }

  /// The string that `text`, which is UTF-8, spells.
  mutating func append(utf8 text: Span<UInt8>) {
    countValue()
    pushString(text)
  }

  /// The key of the value that comes next.
  package mutating func appendKey(_ key: String) { pushString(key) }

  /// The key of the value that comes next: the one that `text`, which is UTF-8, spells.
  mutating func appendKey(utf8 text: Span<UInt8>) { pushString(text) }

  package mutating func append(integer value: some FixedWidthInteger) {
    if let value = Int64(exactly: value), TapeWord.fits(value) { return pushValue(.integer(value)) }
    appendNumber(String(value))
  }

  /// The shortest text that comes back as `value`; `null` for what is not finite, for which JSON has no number.
  package mutating func append(_ value: Double) {
    guard value.isFinite else { return appendNull() }
    if let whole = Int64(exactly: value), TapeWord.fits(whole), whole != 0 || value.sign == .plus {
      return pushValue(.integer(whole))
    }
    // What reads like an integer is one: let the parser say of which kind.
    if abs(value) < 1e21, value == value.rounded(.towardZero) {
      return appendNumber(value == 0 ? "-0" : String(decoding: ECMAScriptNumber.text(value), as: UTF8.self))
    }
    let digits = digits ?? DigitMemory()
    self.digits = digits
    digits.withText(of: value) { append(value, spelt: $0) }
  }

  /// The double that is nearest to what `text`, a number with a fraction or an exponent, spells.
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

  /// An infinity or NaN, which only JSON5 has: a number whose text, and so all output, is `null`.
  mutating func append(nonFinite value: Double) {
    countValue()
    let offset = bytes.count
    guard hasRoom(bytes: 4, words: 2) else { return }
    bytes += [0x6E, 0x75, 0x6C, 0x6C]
    push(.number(.double, offset: offset, length: 4, isIntegerLiteral: false))
    push(TapeWord(bits: value.bitPattern))
  }

  /// The number that `text` spells; `null` when it is none.
  package mutating func appendNumber(_ text: String) {
    guard let number = try? JSON(parsing: text), number.kind == .number else { return appendNull() }
    append(number)
  }
}

// MARK: - Words

extension DocumentBuilder {
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

  /// Whether so much more may be written; if not, nothing more is.
  mutating func hasRoom(bytes byteCount: Int, words wordCount: Int) -> Bool {
    // Sizes of what is in memory: their sum is far from overflowing.
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
}
