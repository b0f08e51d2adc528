/// A member of an object: where its key's and its value's words are.
struct Member: Hashable {
  let key: Int
  let value: Int
}

/// An order of keys.
enum KeyOrder {
  /// By Unicode scalars, which is by bytes of UTF-8.
  case scalars
  /// By code units of UTF-16, in which what is beyond U+FFFF comes before U+E000.
  case utf16
}

extension Document {
  /// The members of the object at `index` by key; those that share a key in the order of the document.
  ///
  /// - Complexity: O(*n* log *n*), *n* the number of members.
  func sortedMembers(ofObjectAt index: Int, by order: KeyOrder) -> [Member] {
    var members: [Member] = []
    members.reserveCapacity(count(ofContainerAt: index))
    let end = index + tape[index].span
    var next = index + 1
    while next < end {
      let value = next + tape[next].span
      members.append(Member(key: next, value: value))
      next = value + tape[value].span
    }
    members.sort { left, right in
      let comparison = compareStrings(at: left.key, with: right.key, of: self, by: order)
      return comparison == 0 ? left.key < right.key : comparison < 0
    }
    return members
  }

  /// The members of the object at `index` by key, of those that share a key the first.
  ///
  /// - Complexity: O(*n* log *n*), *n* the number of members.
  func sortedFirstMembers(ofObjectAt index: Int, by order: KeyOrder) -> [Member] {
    var members = sortedMembers(ofObjectAt: index, by: order)
    var previous: Member?
    members.removeAll { member in
      defer { previous = member }
      return previous.map { stringsAreEqual(at: $0.key, and: member.key, of: self) } ?? false
    }
    return members
  }

  /// Negative when the string at `index` comes before the one at `otherIndex` of `other`, 0 when they are the same.
  func compareStrings(at index: Int, with otherIndex: Int, of other: Document, by order: KeyOrder) -> Int {
    withStrings(at: index, and: otherIndex, of: other) { left, right in
      for position in 0..<min(left.count, right.count) where left[position] != right[position] {
        return Self.rank(left[position], in: order) - Self.rank(right[position], in: order)
      }
      return left.count - right.count
    }
  }

  /// Whether two strings have the same scalars.
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
    bytes.withSpan(at: tape[index].offset, length: stringLength(at: index)) { left in
      other.bytes.withSpan(at: other.tape[otherIndex].offset, length: other.stringLength(at: otherIndex)) { right in
        body(left, right)
      }
    }
  }

  /// Where a byte of UTF-8 stands among those that may be in its place.
  ///
  /// The first bytes in which two texts differ begin a scalar each, or belong to scalars with the same first byte: only
  /// the first bytes of U+E000–U+FFFF (EE, EF) and of what is beyond (F0–F4) are the other way round in UTF-16.
  private static func rank(_ byte: UInt8, in order: KeyOrder) -> Int {
    order == .utf16 && (byte == 0xEE || byte == 0xEF) ? Int(byte) + 0x10 : Int(byte)
  }
}
