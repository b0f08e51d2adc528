/// A member of an object: the indices of the words of its key and its value. Both are the same for an element of an array.
struct Member: Hashable {
  let key: Int
  let value: Int
}

/// The members of a container, in the order of the text.
struct TapeMembers: Sequence, IteratorProtocol {
  let document: Document
  let isObject: Bool
  /// The index of the key or element that is next.
  var start: Int
  let end: Int

  @inline(__always)
  mutating func next() -> Member? {
    guard start < end else { return nil }
    let member = Member(key: start, value: isObject ? start &+ document.tape[start].span : start)
    start = member.value &+ document.tape[member.value].span
    return member
  }
}

extension Document {
  /// Returns the members of the container at `index`, from the one that begins at `start` on.
  @inline(__always)
  func members(ofContainerAt index: Int, from start: Int? = nil) -> TapeMembers {
    let word = tape[index]
    return TapeMembers(
      document: self, isObject: word.is(.object), start: start ?? index &+ 1, end: index &+ word.containerSpan)
  }
}

enum KeyOrder {
  /// The order by Unicode scalars, which is the order of the bytes of UTF-8.
  case scalars
  /// The order by UTF-16 code units. Scalars beyond U+FFFF come before U+E000.
  case utf16
}

extension Document {
  /// Returns the members of the object at `index`, sorted by key. Members that share a key keep the order of the document.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of members.
  func sortedMembers(ofObjectAt index: Int, by order: KeyOrder) -> [Member] {
    members(ofContainerAt: index).sorted { compareStrings(at: $0.key, with: $1.key, by: order) < 0 }
  }

  /// Returns the members of the object at `index`, sorted by key. If several members share a key, only the first is included.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of members.
  func sortedFirstMembers(ofObjectAt index: Int, by order: KeyOrder) -> [Member] {
    var members = sortedMembers(ofObjectAt: index, by: order)
    var previous: Member?
    members.removeAll { member in
      defer { previous = member }
      return previous.map { stringsAreEqual(at: $0.key, and: member.key, of: self) } ?? false
    }
    return members
  }

  /// Compares two strings. The result is negative if the string at `index` comes before the string at `otherIndex`, 0 if they are equal, and
  /// positive otherwise.
  private func compareStrings(at index: Int, with otherIndex: Int, by order: KeyOrder) -> Int {
    withStrings(at: index, and: otherIndex, of: self) { left, right in
      for position in 0..<min(left.count, right.count) where left[position] != right[position] {
        return Self.rank(left[position], in: order) - Self.rank(right[position], in: order)
      }
      return left.count - right.count
    }
  }

  /// Returns whether two strings have the same scalars.
  func stringsAreEqual(at index: Int, and otherIndex: Int, of other: Document) -> Bool {
    withStrings(at: index, and: otherIndex, of: other) { left, right in
      guard left.count == right.count else { return false }
      for position in left.indices where left[position] != right[position] { return false }
      return true
    }
  }

  @inline(__always)
  private func withStrings<Result>(
    at index: Int, and otherIndex: Int, of other: Document, _ body: (Span<UInt8>, Span<UInt8>) -> Result
  ) -> Result {
    withString(at: index) { left in other.withString(at: otherIndex) { right in body(left, right) } }
  }

  /// Returns the rank by which `byte` is ordered if it is the first byte in which two UTF-8 texts differ.
  ///
  /// The first bytes in which two texts differ each begin a scalar, or belong to scalars with the same first byte. Only
  /// the first bytes of U+E000–U+FFFF (EE, EF) and of the scalars beyond (F0–F4) have the reverse order in UTF-16.
  private static func rank(_ byte: UInt8, in order: KeyOrder) -> Int {
    order == .utf16 && (byte == 0xEE || byte == 0xEF) ? Int(byte) + 0x10 : Int(byte)
  }
}
