/// The values that the words of a tape represent.
extension Document {
  /// Returns the string or key whose word is at `index`.
  ///
  /// - Complexity: O(*n*), *n* its length; one allocation beyond 15 bytes.
  @inline(__always)
  func string(at index: Int) -> String {
    let word = tape[index]
    return bytes.string(at: word.offset, length: stringLength(at: index), isASCII: !word.isNonASCII)
  }

  /// Returns the number of UTF-8 bytes in the string or key at `index`.
  @inline(__always)
  func stringLength(at index: Int) -> Int {
    let word = tape[index]
    return word.is(.string) ? word.length : Int(tape[index + 1].bits)
  }

  /// Returns true if the key at `index` has the bytes of `text`.
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

  /// Returns the index of the element numbered `position` of the array at `index`; `nil` if the array has too few elements.
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

  /// Returns the number of elements or members of the container at `index`.
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
