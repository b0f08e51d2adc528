internal import AnvilJSON

/// A decoder in which every key exists and every value is a placeholder.
struct PlaceholderDecoder: Swift.Decoder {
  let placeholders: Placeholders

  init(_ placeholders: Placeholders) { self.placeholders = placeholders }

  var codingPath: [any CodingKey] { placeholders.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { placeholders.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(PlaceholderMembers(placeholders: placeholders))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer { PlaceholderElements(placeholders: placeholders) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension PlaceholderDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { placeholders.variant == .first }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try placeholders.require(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try placeholders.require(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try placeholders.require(type) }
}

extension PlaceholderDecoder: CollectingValueDecoder {
  func placeholder<Coded: Decodable, Value>(
    refusedWith error: any Error, _ convert: (Coded) throws -> Value
  ) throws -> Value {
    guard let value = placeholders.make(convert) else { throw error }
    return value
  }
}

extension Placeholders {
  /// The error for a type for which no placeholder can be made.
  struct NoPlaceholder: Error {}

  func require<T: Decodable>(_ type: T.Type) throws -> T {
    guard let value = make(type) else { throw NoPlaceholder() }
    return value
  }
}

/// The members of an object that contains every requested key.
private struct PlaceholderMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let placeholders: Placeholders

  var codingPath: [any CodingKey] { placeholders.codingPath }

  /// One key if `Key` is an enumeration with cases, otherwise none. An enumeration with associated values is decoded from exactly one key.
  var allKeys: [Key] { placeholders.enumCase(Key.self).map { [$0] } ?? [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { placeholders.variant == .first }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try placeholders.require(type) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try placeholders.require(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try placeholders.require(type) }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { .placeholder(placeholders) }

  private var decoder: PlaceholderDecoder { PlaceholderDecoder(placeholders) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> { decoder.container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
  func superDecoder() -> any Swift.Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Swift.Decoder { decoder }
}

/// The elements of an array that claims to be empty but returns a placeholder for every request.
private struct PlaceholderElements: UnkeyedDecodingContainer {
  let placeholders: Placeholders
  private(set) var currentIndex = 0

  init(placeholders: Placeholders) { self.placeholders = placeholders }

  var codingPath: [any CodingKey] { placeholders.codingPath }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }

  private mutating func next() -> PlaceholderDecoder {
    currentIndex += 1
    return PlaceholderDecoder(placeholders)
  }

  mutating func decodeNil() throws -> Bool {
    // Limited, because a loop over the nulls of an array would never end.
    guard currentIndex < 1_000 else { throw Placeholders.NoPlaceholder() }
    return next().decodeNil()
  }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next().decode(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next().decode(type) }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
    next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { next().unkeyedContainer() }
  mutating func superDecoder() -> any Swift.Decoder { next() }
}
