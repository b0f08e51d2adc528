internal import AnvilJSON

/// The members of one object in a ``CollectingSession``.
///
/// It has one generic `decode` method instead of an overload for each scalar type, because the session distinguishes the types.
struct CollectingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let session: CollectingSession
  private let index: Int
  private let model: Any.Type?
  private let members: ValueReader.Members

  init(session: CollectingSession, index: Int, model: Any.Type?) {
    self.session = session
    self.index = index
    self.model = model
    members = session.base.members(ofObjectAt: index)
  }

  var codingPath: [any CodingKey] { session.base.codingPath(to: index) }

  var allKeys: [Key] {
    session.operations += 1
    return members.keys.compactMap { Key(stringValue: $0) }
  }

  private func find(_ key: Key) -> Int? { session.find(key, in: members) }

  private func property(_ key: any CodingKey) -> ModelProperty { ModelProperty(model: model, key: key) }

  private func slot(_ key: any CodingKey) -> RaisedFault.Slot { .member(object: index, key: key.stringValue) }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if let value = find(key) { return session.base.isNull(at: value) }
    guard session.isSubstituted(slot(key)) else { throw session.missing(key, nil, in: index, property(key)) }
    session.influence += 1
    return session.variant == .first
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let value = find(key) { return try session.decode(type, at: value, for: property(key)) }
    guard session.isSubstituted(slot(key)) else { throw session.missing(key, type, in: index, property(key)) }
    return try session.placeholder(type, at: slot(key))
  }

  // The standard library's defaults for these throw, and would be used instead of the generic method.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decode(generic: type, forKey: key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decode(generic: type, forKey: key) }

  private func decode<T: Decodable>(generic type: T.Type, forKey key: Key) throws -> T {
    try decode(type, forKey: key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = find(key), !session.base.isNull(at: value) else { return nil }
    if session.isSubstituted(.value(value)) {
      session.influence += 1
      return Optional.placeholder(session.placeholders(at: .value(value)))
    }
    return try session.orNil { try session.decode(type, at: value, for: property(key)) }
  }

  /// Returns the decoder for the member `key`, or a placeholder's decoder if the member is known to be missing.
  private func decoder(
    _ key: Key, kinds: [JSON.Kind]
  ) throws -> (at: CollectingDecoder?, placeholder: PlaceholderDecoder) {
    if let value = find(key) {
      let decoder = CollectingDecoder(session: session, index: value, property: property(key), within: model)
      return (decoder, PlaceholderDecoder(session.placeholders(at: .value(value))))
    }
    guard session.isSubstituted(slot(key)) else {
      throw session.missing(key, nil, kinds: kinds, in: index, property(key))
    }
    session.influence += 1
    return (nil, PlaceholderDecoder(session.placeholders(at: slot(key))))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    let decoder = try decoder(key, kinds: [.object])
    return try decoder.at?.container(keyedBy: type) ?? decoder.placeholder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    let decoder = try decoder(key, kinds: [.array])
    return try decoder.at?.unkeyedContainer() ?? decoder.placeholder.unkeyedContainer()
  }

  func superDecoder() throws -> any Swift.Decoder { decoder(under: DecodingKey(stringValue: "super")) }

  func superDecoder(forKey key: Key) throws -> any Swift.Decoder { decoder(under: key) }

  /// Returns a decoder for the value of `key`. If the member is missing, the decoder is one for `null`, as in the ordinary container, or
  /// one for a placeholder if the model has received one before.
  private func decoder(under key: any CodingKey) -> any Swift.Decoder {
    guard let value = session.find(DecodingKey(stringValue: key.stringValue), in: members) else {
      if session.isSubstituted(slot(key)) {
        session.influence += 1
        return PlaceholderDecoder(session.placeholders(at: slot(key)))
      }
      return session.base.nullDecoder(forKey: key.stringValue, inObjectAt: index)
    }
    return CollectingDecoder(session: session, index: value, property: property(key), within: model)
  }
}
