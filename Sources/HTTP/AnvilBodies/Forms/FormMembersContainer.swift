internal import AnvilBase

/// The members of a keyed value at one position in a form.
struct FormMembersContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: FormDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// The keys in the order in which they occur in the form.
  var allKeys: [Key] { decoder.node.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { decoder.node.members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) -> Bool { !contains(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if contains(key) { return try member(key).value(as: type) }
    let missing = DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "No value for the key \"\(key.stringValue)\"."))
    // Ends the recursion of a type that contains itself: no form is that deep.
    guard codingPath.count < decoder.format.effectiveDepthLimit else { throw missing }
    // Empty values are not written to a form, so the missing member may be an empty value.
    do { return try member(key).value(as: type) } catch is DecodingError { throw missing }
  }

  // The default implementations reject 128-bit integers.

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(key).value(as: type) }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(key).value(as: type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() -> any Swift.Decoder { member(SuperKey()) }

  func superDecoder(forKey key: Key) -> any Swift.Decoder { member(key) }

  /// Returns a decoder for the value of `key`, which may be absent.
  private func member(_ key: some CodingKey) -> FormDecoder {
    decoder.decoder(at: decoder.node.members[key.stringValue] ?? FormNode(), key: key)
  }
}
