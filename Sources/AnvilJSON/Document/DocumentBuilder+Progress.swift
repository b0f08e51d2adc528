/// The state of the unfinished document, and removal of its last part.
extension DocumentBuilder {
  /// The number of open containers.
  package var depth: Int { open.count }

  /// The number of values in the innermost open container.
  var countInContainer: Int { open.last?.count ?? 0 }

  /// True if the innermost open container is an object.
  var isInObject: Bool { open.last.map { words.indices.contains($0.index) && word(at: $0.index).is(.object) } ?? false }

  /// Returns true if the innermost open container, which is an object, has a member `key`.
  ///
  /// - Complexity: O(*n*), *n* the number of members.
  func hasMember(_ key: String) -> Bool {
    guard let start = open.last?.index, !isTooLarge else { return false }
    let utf8 = key.utf8
    var next = start + 1
    while next < words.count {
      let word = word(at: next)
      let length = word.is(.string) ? word.length : Int(words[next + 1])
      if length == utf8.count, bytes[word.offset..<(word.offset + length)].elementsEqual(utf8) { return true }
      next += word.span
      guard next < words.count else { return false }
      next += self.word(at: next).span
    }
    return false
  }

  private func word(at index: Int) -> TapeWord { TapeWord(bits: words[index]) }

  /// A state to which the builder can be reset.
  struct Checkpoint {
    fileprivate let bytes: Int
    fileprivate let words: Int
    fileprivate let depth: Int
    fileprivate let count: Int
    fileprivate let isTooLarge: Bool
  }

  var checkpoint: Checkpoint {
    Checkpoint(
      bytes: bytes.count, words: words.count, depth: depth, count: countInContainer, isTooLarge: isTooLarge)
  }

  /// Removes everything written since `checkpoint`, whose containers must still be open.
  mutating func rewind(to checkpoint: Checkpoint) {
    assert(depth >= checkpoint.depth && words.count >= checkpoint.words)
    bytes.removeLast(bytes.count - checkpoint.bytes)
    words.removeLast(words.count - checkpoint.words)
    open.removeLast(depth - checkpoint.depth)
    if !open.isEmpty { open[open.count - 1].count = checkpoint.count }
    isTooLarge = checkpoint.isTooLarge
  }
}
