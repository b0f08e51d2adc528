extension JSON {
  /// The elements of an array in their order; empty for what is no array.
  ///
  /// Nothing is built: a step is an addition, and `count` is known.
  public var elements: Elements {
    Elements(document: document, start: index + 1, end: word.is(.array) ? index + word.span : index + 1)
  }

  /// The elements of an array: a view into the document.
  public struct Elements: Sendable {
    fileprivate let document: Document
    fileprivate let start: Int
    fileprivate let end: Int
  }
}

extension JSON.Elements: Collection {
  /// An element's place.
  public struct Index: Comparable, Sendable {
    fileprivate let offset: Int

    /// By their order in the document.
    public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
  }

  /// The first element's place.
  public var startIndex: Index { Index(offset: start) }
  /// The place behind the last element.
  public var endIndex: Index { Index(offset: end) }

  /// How many elements there are.
  ///
  /// - Complexity: O(1) up to 2²⁸ elements, O(*n*) beyond.
  public var count: Int { start < end ? document.count(ofContainerAt: start - 1) : 0 }

  /// The place behind `index`.
  ///
  /// - Complexity: O(1), whatever the element holds.
  public func index(after index: Index) -> Index {
    precondition(index.offset >= start && index.offset < end, "no element has this index")
    return Index(offset: index.offset + document.tape[index.offset].span)
  }

  /// The element at `index`, which is one of this collection's.
  public subscript(index: Index) -> JSON {
    precondition(index.offset >= start && index.offset < end, "no element has this index")
    return JSON(document, at: index.offset)
  }

  /// Hands out one element after another.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate let document: Document
    fileprivate var offset: Int
    fileprivate let end: Int

    /// The next element; `nil` behind the last.
    public mutating func next() -> JSON? {
      guard offset < end else { return nil }
      defer { offset += document.tape[offset].span }
      return JSON(document, at: offset)
    }
  }

  /// An iterator before the first element.
  public func makeIterator() -> Iterator { Iterator(document: document, offset: start, end: end) }
}
