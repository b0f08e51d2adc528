extension JSON {
  /// The members of an object in document order, including members that share a key; empty if the value is not an object.
  ///
  /// The collection is a view: only the strings of the keys are built. ``JSON/subscript(_:)-(String)`` returns the first of the members
  /// that share a key.
  public var members: Members {
    Members(document: document, start: index + 1, end: word.is(.object) ? index + word.span : index + 1)
  }

  /// The keys of an object in document order, repeated if members share one; empty if the value is not an object.
  public var keys: some Collection<String> { members.lazy.map(\.key) }

  /// The members of an object: a view into the document.
  public struct Members: Sendable {
    fileprivate let document: Document
    fileprivate let start: Int
    fileprivate let end: Int
  }
}

extension JSON.Members: Collection {
  /// A key and its value.
  public typealias Element = (key: String, value: JSON)

  /// The position of a member.
  public struct Index: Comparable, Sendable {
    fileprivate let offset: Int

    /// Compares two positions by their order in the document.
    public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
  }

  /// The position of the first member.
  public var startIndex: Index { Index(offset: start) }
  /// The position after the last member.
  public var endIndex: Index { Index(offset: end) }

  /// The number of members.
  ///
  /// - Complexity: O(1) up to 2²⁸ members, O(*n*) beyond.
  public var count: Int { start < end ? document.count(ofContainerAt: start - 1) : 0 }

  /// Returns the position after `index`.
  ///
  /// - Complexity: O(1), regardless of the size of the member.
  public func index(after index: Index) -> Index {
    precondition(index.offset >= start && index.offset < end, "the index is out of range")
    return Index(offset: document.nextMember(afterKeyAt: index.offset))
  }

  /// Accesses the member at `index`, which must be an index of this collection.
  public subscript(index: Index) -> Element {
    precondition(index.offset >= start && index.offset < end, "the index is out of range")
    return document.member(withKeyAt: index.offset)
  }

  /// An iterator over the members of an object.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate let document: Document
    fileprivate var offset: Int
    fileprivate let end: Int

    /// Returns the next member; `nil` after the last one.
    public mutating func next() -> Element? {
      guard offset < end else { return nil }
      defer { offset = document.nextMember(afterKeyAt: offset) }
      return document.member(withKeyAt: offset)
    }
  }

  /// Returns an iterator that starts at the first member.
  public func makeIterator() -> Iterator { Iterator(document: document, offset: start, end: end) }
}

extension Document {
  @inline(never)
  fileprivate func member(withKeyAt index: Int) -> JSON.Members.Element {
    (string(at: index), JSON(self, at: index + tape[index].span))
  }

  fileprivate func nextMember(afterKeyAt index: Int) -> Int {
    let value = index + tape[index].span
    return value + tape[value].span
  }
}

/// Reading many objects whose members have the same keys, without building strings of the keys.
extension JSON {
  /// The keys of an object in document order.
  package struct KeyList: Sendable {
    /// The UTF-8 of the keys, one after the other.
    private let bytes: [UInt8]
    /// The offset after each key.
    private let ends: [Int]

    package init(_ object: JSON) {
      var (bytes, ends): ([UInt8], [Int]) = ([], [])
      for key in object.keys {
        bytes += key.utf8
        ends.append(bytes.count)
      }
      (self.bytes, self.ends) = (bytes, ends)
    }

    fileprivate func isEqual(toKeysOfObjectAt index: Int, in document: Document) -> Bool {
      guard document.tape[index].count == ends.count else { return false }
      let keys = bytes.elementSpan
      var start = 0
      for (member, end) in zip(document.members(ofContainerAt: index), ends) {
        guard document.key(at: member.key, equals: keys.extracting(start..<end)) else { return false }
        start = end
      }
      return true
    }
  }

  /// Returns `true` if the value is an object with these keys, in this order.
  package func hasKeys(_ keys: KeyList) -> Bool {
    word.is(.object) && keys.isEqual(toKeysOfObjectAt: index, in: document)
  }

  /// Calls `body` with the number and the value of each member in document order, until it returns `false`. Returns the last result of
  /// `body`.
  package func forEachMemberValue(_ body: (Int, JSON) -> Bool) -> Bool {
    guard word.is(.object) else { return true }
    return document.members(ofContainerAt: index).enumerated().allSatisfy { body($0, JSON(document, at: $1.value)) }
  }

  /// A number in one of the forms that most numbers have.
  package enum PlainNumber {
    /// A number of 64 bits without a fraction or an exponent.
    case integer(Int64)
    /// A number with a fraction of at most 15 digits in all, which a double reproduces.
    case decimal(Double)
  }

  /// The number in a common form; `nil` for other numbers and other values.
  package var plainNumber: PlainNumber? { document.plainNumber(at: index) }
}

extension Document {
  fileprivate func plainNumber(at index: Int) -> JSON.PlainNumber? {
    let word = tape[index]
    switch word.kind {
    case .integer: return .integer(word.integer)
    case .signed: return .integer(Int64(bitPattern: tape[index + 1].bits))
    case .double:
      // A fraction takes one of the characters.
      guard !word.isIntegerLiteral, !word.isOutOfRange, word.length <= 16 else { return nil }
      let double = Double(bitPattern: tape[index + 1].bits)
      for offset in word.offset..<word.offset + word.length where bytes[offset] | 0x20 == UInt8(ascii: "e") {
        return nil
      }
      return double.isFinite ? .decimal(double) : nil
    default: return nil
    }
  }
}
