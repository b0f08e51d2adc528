extension JSON {
  /// The elements of an array in order; empty if the value is not an array.
  ///
  /// The collection is a view and builds nothing: advancing an index is an addition, and `count` is stored.
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
  /// The position of an element.
  public struct Index: Comparable, Sendable {
    fileprivate let offset: Int

    /// Compares two positions by their order in the document.
    public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
  }

  /// The position of the first element.
  public var startIndex: Index { Index(offset: start) }
  /// The position after the last element.
  public var endIndex: Index { Index(offset: end) }

  /// The number of elements.
  ///
  /// - Complexity: O(1) up to 2²⁸ elements, O(*n*) beyond.
  public var count: Int { start < end ? document.count(ofContainerAt: start - 1) : 0 }

  /// Returns the position after `index`.
  ///
  /// - Complexity: O(1), regardless of the size of the element.
  public func index(after index: Index) -> Index {
    precondition(index.offset >= start && index.offset < end, "the index is out of range")
    return Index(offset: index.offset + document.tape[index.offset].span)
  }

  /// Accesses the element at `index`, which must be an index of this collection.
  public subscript(index: Index) -> JSON {
    precondition(index.offset >= start && index.offset < end, "the index is out of range")
    return JSON(document, at: index.offset)
  }

  /// An iterator over the elements of an array.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate let document: Document
    fileprivate var offset: Int
    fileprivate let end: Int

    /// Returns the next element; `nil` after the last one.
    public mutating func next() -> JSON? {
      guard offset < end else { return nil }
      defer { offset += document.tape[offset].span }
      return JSON(document, at: offset)
    }
  }

  /// Returns an iterator that starts at the first element.
  public func makeIterator() -> Iterator { Iterator(document: document, offset: start, end: end) }
}
