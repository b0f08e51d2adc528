internal import AnvilBase
internal import AnvilJSON

/// A decoder in which every key exists and every value is a placeholder.
struct PlaceholderDecoder: DecodingNode {
  let placeholders: Placeholders

  init(_ placeholders: Placeholders) { self.placeholders = placeholders }

  var codingPath: [any CodingKey] { placeholders.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { placeholders.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(PlaceholderMembers(placeholders: placeholders))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer { PlaceholderElements(placeholders: placeholders) }
  func decodeNil() -> Bool { placeholders.variant == .first }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let value = placeholders.make(type) else { throw Placeholders.NoPlaceholder() }
    return value
  }
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
}

/// The members of an object that contains every requested key.
private struct PlaceholderMembers<Key: CodingKey>: DecodingMembers {
  let placeholders: Placeholders

  var codingPath: [any CodingKey] { placeholders.codingPath }

  /// One key if `Key` is an enumeration with cases, otherwise none. An enumeration with associated values is decoded from exactly one key.
  var allKeys: [Key] { placeholders.enumCase(Key.self).map { [$0] } ?? [] }

  func contains(_ key: Key) -> Bool { true }
  func node(forKey key: Key) -> PlaceholderDecoder { PlaceholderDecoder(placeholders) }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { .placeholder(placeholders) }
  func superDecoder() -> any Swift.Decoder { PlaceholderDecoder(placeholders) }
}

/// The elements of an array that claims to be empty but returns a placeholder for every request.
private struct PlaceholderElements: DecodingElements {
  let placeholders: Placeholders
  private(set) var currentIndex = 0

  init(placeholders: Placeholders) { self.placeholders = placeholders }

  var codingPath: [any CodingKey] { placeholders.codingPath }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }

  func next(for type: Any.Type) throws -> PlaceholderDecoder {
    // Limited, because a loop over the nulls of an array would never end.
    guard type != Never?.self || currentIndex < 1_000 else { throw Placeholders.NoPlaceholder() }
    return PlaceholderDecoder(placeholders)
  }

  mutating func advance() { currentIndex += 1 }
}
