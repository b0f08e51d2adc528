extension JSON {
  /// The members of an object in the order of the document, all of those that share a key too; empty for what is no object.
  ///
  /// Nothing is built but the keys' strings. ``JSON/subscript(_:)-(String)`` gives the first of those that share a key.
  public var members: Members {
    Members(document: document, start: index + 1, end: word.is(.object) ? index + word.span : index + 1)
  }

  /// The keys of an object in the order of the document, repeated where members share one; empty for what is no object.
  public var keys: Keys { Keys(members: members) }

  /// The members of an object: a view into the document.
  public struct Members: Sendable {
    fileprivate let document: Document
    fileprivate let start: Int
    fileprivate let end: Int
  }

  /// The keys of an object: a view into the document.
  public struct Keys: Sendable {
    fileprivate let members: Members
  }
}

extension JSON.Members: Collection {
  /// A key and its value.
  public typealias Element = (key: String, value: JSON)

  /// A member's place.
  public struct Index: Comparable, Sendable {
    fileprivate let offset: Int

    /// By their order in the document.
    public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
  }

  /// The first member's place.
  public var startIndex: Index { Index(offset: start) }
  /// The place behind the last member.
  public var endIndex: Index { Index(offset: end) }

  /// How many members there are.
  ///
  /// - Complexity: O(1) up to 2²⁸ members, O(*n*) beyond.
  public var count: Int { start < end ? document.count(ofContainerAt: start - 1) : 0 }

  /// The place behind `index`.
  ///
  /// - Complexity: O(1), whatever the member holds.
  public func index(after index: Index) -> Index {
    precondition(index.offset >= start && index.offset < end, "no member has this index")
    return Index(offset: document.nextMember(behindKeyAt: index.offset))
  }

  /// The member at `index`, which is one of this collection's.
  public subscript(index: Index) -> Element {
    precondition(index.offset >= start && index.offset < end, "no member has this index")
    return document.member(withKeyAt: index.offset)
  }

  fileprivate func key(at index: Index) -> String {
    precondition(index.offset >= start && index.offset < end, "no member has this index")
    return document.string(at: index.offset)
  }

  /// Hands out one member after another.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate let document: Document
    fileprivate var offset: Int
    fileprivate let end: Int

    /// The next member; `nil` behind the last.
    public mutating func next() -> Element? {
      guard offset < end else { return nil }
      defer { offset = document.nextMember(behindKeyAt: offset) }
      return document.member(withKeyAt: offset)
    }
  }

  /// An iterator before the first member.
  public func makeIterator() -> Iterator { Iterator(document: document, offset: start, end: end) }
}

extension JSON.Keys: Collection {
  /// The first key's place.
  public var startIndex: JSON.Members.Index { members.startIndex }
  /// The place behind the last key.
  public var endIndex: JSON.Members.Index { members.endIndex }
  /// How many keys there are, those that repeat another counted too.
  public var count: Int { members.count }
  /// The place behind `index`.
  public func index(after index: JSON.Members.Index) -> JSON.Members.Index { members.index(after: index) }
  /// The key at `index`, which is one of this collection's.
  public subscript(index: JSON.Members.Index) -> String { members.key(at: index) }
}

extension Document {
  fileprivate func member(withKeyAt index: Int) -> JSON.Members.Element {
    (string(at: index), JSON(self, at: index + tape[index].span))
  }

  fileprivate func nextMember(behindKeyAt index: Int) -> Int {
    let value = index + tape[index].span
    return value + tape[value].span
  }
}
