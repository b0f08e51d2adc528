internal import AnvilModel

/// The elements of an array that a form has at one place.
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

  /// No element is null: a form cannot say it.
  mutating func decodeNil() throws -> Bool {
    _ = try element(Never?.self)
    return false
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try advance(type) { try $0.value(as: type) } }

  // The standard library's own version decodes a `T` where the metatype is that of a subclass.

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard try !isAtEnd && !decodeNil() else { return nil }
    return try decode(type)
  }

  // The standard library's own versions refuse the 128-bit integers.

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try advance(type) { try $0.value(as: type) } }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try advance(type) { try $0.value(as: type) } }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try advance([String: Any].self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try advance([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Swift.Decoder { try advance((any Swift.Decoder).self) { $0 } }

  /// What `read` makes of the next element, which is passed when that succeeds.
  private mutating func advance<Result>(_ type: Any.Type, _ read: (FormDecoder) throws -> Result) throws -> Result {
    let result = try read(element(type))
    currentIndex += 1
    return result
  }

  /// A decoder at the next element.
  private func element(_ type: Any.Type) throws -> FormDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [IndexKey(currentIndex)], debugDescription: "No element is left."))
    }
    return decoder.decoder(at: elements[currentIndex], key: IndexKey(currentIndex))
  }
}
