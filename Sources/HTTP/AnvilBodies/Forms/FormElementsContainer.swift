internal import AnvilBase

/// The elements of an array at one position in a form.
struct FormElementsContainer: UnkeyedDecodingContainer {
  let elements: [FormNode]
  let decoder: FormDecoder
  private(set) var currentIndex = 0

  init(elements: [FormNode], decoder: FormDecoder) {
    self.elements = elements
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  /// Returns false, because forms cannot represent null. Throws an error at the end.
  mutating func decodeNil() throws -> Bool {
    _ = try element(Never?.self)
    return false
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try advance(type) { try $0.value(as: type) } }

  // The default implementation decodes a `T` even if the metatype is that of a subclass.

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard try !isAtEnd && !decodeNil() else { return nil }
    return try decode(type)
  }

  // The default implementations reject 128-bit integers.

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try advance(type) { try $0.value(as: type) } }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try advance(type) { try $0.value(as: type) } }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try advance([String: Any].self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try advance([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Swift.Decoder { try advance((any Swift.Decoder).self) { $0 } }

  /// Returns the result of `read` for the next element, and advances if `read` succeeds.
  private mutating func advance<Result>(_ type: Any.Type, _ read: (FormDecoder) throws -> Result) throws -> Result {
    let result = try read(element(type))
    currentIndex += 1
    return result
  }

  /// Returns a decoder for the next element.
  private func element(_ type: Any.Type) throws -> FormDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [IndexKey(currentIndex)], debugDescription: "There are no more elements."))
    }
    return decoder.decoder(at: elements[currentIndex], key: IndexKey(currentIndex))
  }
}
