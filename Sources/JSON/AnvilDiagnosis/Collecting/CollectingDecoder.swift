internal import AnvilJSON

/// The decoder, and single-value container, for one value of a document in a ``CollectingSession``.
struct CollectingDecoder: Swift.Decoder {
  let session: CollectingSession
  let index: Int
  /// The model and key that the value is decoded for.
  let property: ModelProperty?
  /// The type that the value is decoded as, if it is known.
  let type: Any.Type?
  /// The model whose code uses the decoder.
  let model: Any.Type?

  init(session: CollectingSession, index: Int, property: ModelProperty?, type: Any.Type) {
    self.init(session: session, index: index, property: property, type: type, model: type)
  }

  /// Creates a decoder for a value inside the value from which `model` is decoded.
  init(session: CollectingSession, index: Int, property: ModelProperty?, within model: Any.Type?) {
    self.init(session: session, index: index, property: property, type: nil, model: model)
  }

  private init(session: CollectingSession, index: Int, property: ModelProperty?, type: Any.Type?, model: Any.Type?) {
    self.session = session
    self.index = index
    self.property = property
    self.type = type
    self.model = model
  }

  var codingPath: [any CodingKey] { session.base.codingPath(to: index) }
  var userInfo: [CodingUserInfoKey: Any] { session.base.options.userInfo }

  private var isSubstituted: Bool { session.isSubstituted(.value(index)) }

  /// Returns the error for a value of another kind than the requested container.
  func mismatch(_ container: Any.Type, kinds: [JSON.Kind]) -> any Error {
    let error = session.base.mismatch(container, at: index)
    guard let error = error as? DecodingError else { return error }
    return session.raised(error, type, kinds: kinds, at: index, for: property)
  }

  private func placeholderDecoder() -> PlaceholderDecoder {
    session.influence += 1
    return PlaceholderDecoder(session.placeholders(at: .value(index)))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    session.operations += 1
    if isSubstituted { return placeholderDecoder().container(keyedBy: type) }
    guard session.base.kind(at: index) == .object else { throw mismatch([String: Any].self, kinds: [.object]) }
    return KeyedDecodingContainer(CollectingKeyedContainer(session: session, index: index, model: model))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    session.operations += 1
    if isSubstituted { return placeholderDecoder().unkeyedContainer() }
    guard session.base.kind(at: index) == .array else { throw mismatch([Any].self, kinds: [.array]) }
    return CollectingUnkeyedContainer(session: session, index: index, property: property, model: model)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension CollectingDecoder: DocumentDecoder {
  func decodeNil() -> Bool {
    session.operations += 1
    return session.base.isNull(at: index)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // The value is decoded for the same property as the model that uses this container.
    try session.decode(type, at: index, for: property)
  }

  // The standard library's defaults for these throw, and would be used instead of the generic method.
  func decode(_ type: Int128.Type) throws -> Int128 { try decode(generic: type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decode(generic: type) }
  private func decode<T: Decodable>(generic type: T.Type) throws -> T { try decode(type) }
}

extension CollectingDecoder: CollectingValueDecoder {
  func placeholder<Coded: Decodable, Value>(
    refusedWith error: any Error, _ convert: (Coded) throws -> Value
  ) throws -> Value {
    session.operations += 1
    guard isSubstituted else { throw session.refused(error, at: index, for: property) }
    session.influence += 1
    guard let value = session.placeholders(at: .value(index)).make(convert) else {
      throw session.unsubstitutable(at: .value(index))
    }
    return value
  }
}
