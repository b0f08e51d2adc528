// The decoding containers of every format except JSON, whose containers are written out for speed. A format describes the values of its
// input as nodes, and these protocols supply the rest of the standard library's containers: one generic method for all types, including the
// 128-bit integers that the standard library's defaults reject, nested containers, and the decoders of superclasses.

/// A value of an input: its decoder, and its container of a single value.
package protocol DecodingNode: Decoder, SingleValueDecodingContainer {
  /// Throws an error for a value that does not exist. The default is the result of `decodeNil()`, which cannot throw.
  func isNull() throws -> Bool
}

extension DecodingNode {
  package func isNull() throws -> Bool { decodeNil() }

  package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  package func decode(_ type: Int128.Type) throws -> Int128 { try decode(integer: type) }
  package func decode(_ type: UInt128.Type) throws -> UInt128 { try decode(integer: type) }
  private func decode<T: Decodable>(integer type: T.Type) throws -> T { try decode(type) }
}

/// A type implements `codingPath`, `allKeys`, `contains(_:)`, ``node(forKey:)`` and `superDecoder()`.
package protocol DecodingMembers: KeyedDecodingContainerProtocol {
  associatedtype Node: DecodingNode

  /// - Throws: `DecodingError.keyNotFound` if it does not exist, unless the format has a node for an absent value.
  func node(forKey key: Key) throws -> Node
}

extension DecodingMembers {
  package func decodeNil(forKey key: Key) throws -> Bool { try node(forKey: key).isNull() }
  package func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try node(forKey: key).decode(type) }

  package func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decode(integer: type, key) }
  package func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decode(integer: type, key) }
  private func decode<T: Decodable>(integer type: T.Type, _ key: Key) throws -> T { try decode(type, forKey: key) }

  package func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try node(forKey: key).container(keyedBy: type)
  }

  package func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try node(forKey: key).unkeyedContainer()
  }

  package func superDecoder(forKey key: Key) throws -> any Decoder { try node(forKey: key) }
}

/// The elements of an array, in order. The position stays where it is after an error.
///
/// A type implements `codingPath`, `count`, `isAtEnd`, `currentIndex`, ``next(for:)`` and ``advance()``.
package protocol DecodingElements: UnkeyedDecodingContainer {
  associatedtype Node: DecodingNode

  /// - Throws: `DecodingError.valueNotFound` with `type` at the end.
  func next(for type: Any.Type) throws -> Node

  mutating func advance()
}

extension DecodingElements {
  package mutating func decodeNil() throws -> Bool {
    guard try next(for: Never?.self).isNull() else { return false }
    advance()
    return true
  }

  package mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try take(type) { try $0.decode(type) } }

  // The standard library's default decodes a `T` even if the metatype is that of a subclass.
  package mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard try !isAtEnd && !decodeNil() else { return nil }
    return try decode(type)
  }

  package mutating func decode(_ type: Int128.Type) throws -> Int128 { try take(type) { try $0.decode(type) } }
  package mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try take(type) { try $0.decode(type) } }

  package mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try take(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
  }

  package mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  package mutating func superDecoder() throws -> any Decoder { try take((any Decoder).self) { $0 } }

  /// Returns the result of `read` for the next element, and moves past the element if `read` succeeds.
  private mutating func take<Result>(_ type: Any.Type, _ read: (Node) throws -> Result) throws -> Result {
    let result = try read(next(for: type))
    advance()
    return result
  }
}

package struct IndexedElements<Node: DecodingNode>: DecodingElements {
  private let array: Node
  private let endIndex: Int
  private let element: (Int) -> Node
  package private(set) var currentIndex = 0

  /// Creates the elements of `array`. `element` returns the element at an index from 0 to `count` - 1.
  package init(_ count: Int, of array: Node, _ element: @escaping (Int) -> Node) {
    self.array = array
    endIndex = count
    self.element = element
  }

  package var codingPath: [any CodingKey] { array.codingPath }
  package var count: Int? { endIndex }
  package var isAtEnd: Bool { currentIndex >= endIndex }

  package func next(for type: Any.Type) throws -> Node {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [IndexKey(currentIndex)], debugDescription: "There are no more elements."))
    }
    return element(currentIndex)
  }

  package mutating func advance() { currentIndex += 1 }
}
