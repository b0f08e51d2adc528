/// What the words of a tape stand for.
extension Document {
  /// The string or key whose word is at `index`.
  ///
  /// - Complexity: O(*n*), *n* its length; one allocation beyond 15 bytes.
  @inline(__always)
  func string(at index: Int) -> String {
    let word = tape[index]
    return bytes.string(at: word.offset, length: stringLength(at: index), isASCII: !word.isNonASCII)
  }

  /// How many bytes of UTF-8 the string or key at `index` has.
  @inline(__always)
  func stringLength(at index: Int) -> Int {
    let word = tape[index]
    return word.is(.string) ? word.length : Int(tape[index + 1].bits)
  }

  /// Whether the key at `index` has the bytes of `text`.
  @inline(__always)
  func key(at index: Int, equals text: Span<UInt8>) -> Bool {
    stringLength(at: index) == text.count && bytes.equals(text, at: tape[index].offset)
  }

  /// The index of the value of `key` in the object at `index`, of its first member where several have that key;
  /// `nil` when none has.
  ///
  /// - Complexity: O(*n*), *n* the number of members.
  func value(of key: String, inObjectAt index: Int) -> Int? {
    key.withUTF8Span { key in
      let end = index + tape[index].span
      var next = index + 1
      while next < end {
        let value = next + tape[next].span
        if self.key(at: next, equals: key) { return value }
        next = value + tape[value].span
      }
      return nil
    }
  }

  /// The index of the element numbered `position` of the array at `index`; `nil` when there are not as many.
  ///
  /// - Complexity: O(*n*), *n* the position.
  func element(_ position: Int, ofArrayAt index: Int) -> Int? {
    guard position >= 0 else { return nil }
    let end = index + tape[index].span
    var next = index + 1
    for _ in 0..<position {
      guard next < end else { return nil }
      next += tape[next].span
    }
    return next < end ? next : nil
  }

  /// How many members the container at `index` has.
  func count(ofContainerAt index: Int) -> Int {
    let word = tape[index]
    guard word.count == TapeWord.saturatedCount else { return word.count }
    let end = index + word.span
    var next = index + 1
    var count = 0
    while next < end {
      if word.is(.object) { next += tape[next].span }
      next += tape[next].span
      count += 1
    }
    return count
  }
}
