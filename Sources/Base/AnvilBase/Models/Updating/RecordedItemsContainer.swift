/// The elements of an old array that is not in the input, for a type that reads its elements one by one.
struct RecordedItemsContainer: UnkeyedDecodingContainer {
  let items: [RecordedValue]
  let codingPosition: CodingPosition
  let userInfo: [CodingUserInfoKey: Any]
  private(set) var currentIndex = 0

  init(items: [RecordedValue], codingPosition: CodingPosition, userInfo: [CodingUserInfoKey: Any]) {
    self.items = items
    self.codingPosition = codingPosition
    self.userInfo = userInfo
  }

  var codingPath: [any CodingKey] { codingPosition.path }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  mutating func decodeNil() throws -> Bool {
    guard try element(Never?.self).old.isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try element(type).oldValue(as: type)
    currentIndex += 1
    return value
  }

  // The default implementation decodes a `T` even if the metatype is that of a subclass.

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard try !isAtEnd && !decodeNil() else { return nil }
    return try decode(type)
  }

  // The default implementations reject 128-bit integers.

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    let value = try element(type).oldValue(as: type)
    currentIndex += 1
    return value
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    let value = try element(type).oldValue(as: type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    let container = try element([String: Any].self).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try element([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try element((any Decoder).self)
    currentIndex += 1
    return decoder
  }

  /// Returns a decoder for the next element.
  private func element(_ type: Any.Type) throws -> OverlayDecoder {
    let position = CodingPosition.below(codingPosition, IndexKey(currentIndex))
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(type, .init(codingPath: position.path, debugDescription: "No element is left."))
    }
    return OverlayDecoder(old: items[currentIndex], codingPosition: position, userInfo: userInfo)
  }
}
