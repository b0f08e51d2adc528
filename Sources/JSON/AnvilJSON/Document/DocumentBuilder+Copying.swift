/// Copying of parts of other documents.
extension DocumentBuilder {
  /// Appends a copy of the key at `index` of `document`, as the key of the next value.
  mutating func appendKey(at index: Int, of document: Document) {
    copyWords(of: document, index..<(index + document.tape[index].span))
  }

  /// Appends a copy of `value` with all of its members.
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
    document.appendBytes(at: offset, length: length, to: &bytes)
    return start
  }
}

extension Document {
  /// Returns the number of bytes in the text of the number at `index`, which is not a 60-bit integer.
  func numberLength(at index: Int) -> Int {
    let length = tape[index].length
    return length < TapeWord.longestLength ? length : numberText(at: index)?.utf8.count ?? 0
  }

  /// Appends a part of the document's bytes to `output`.
  @inline(__always)
  func appendBytes(at offset: Int, length: Int, to output: inout [UInt8]) {
    bytes.withSpan(at: offset, length: length) { output.append(contentsOf: $0) }
  }
}
