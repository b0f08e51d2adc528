internal import AnvilJSON

/// The elements of one array, in order, in a ``CollectingSession``.
struct CollectingUnkeyedContainer: UnkeyedDecodingContainer {
  private let session: CollectingSession
  private let index: Int
  private let property: ModelProperty?
  private let model: Any.Type?
  private let end: Int
  private var next: Int
  private(set) var currentIndex = 0

  init(session: CollectingSession, index: Int, property: ModelProperty?, model: Any.Type?) {
    self.session = session
    self.index = index
    self.property = property ?? model.map { ModelProperty(model: $0, key: nil) }
    self.model = model
    next = index + 1
    end = session.base.index(after: index)
  }

  var codingPath: [any CodingKey] { session.base.codingPath(to: index) }
  var count: Int? { session.base.count(at: index) }
  var isAtEnd: Bool { next >= end }

  private var slot: RaisedFault.Slot { .element(array: index, position: currentIndex) }

  /// Returns the result of `decode` for the next element, or of `placeholder` for an element that is known to be missing. The container
  /// does not advance past an element that fails.
  ///
  /// - Parameter kinds: the accepted kinds, if `type` is not a type of the model.
  private mutating func element<T>(
    _ type: Any.Type, kinds: [JSON.Kind]? = nil, _ decode: (Int) throws -> T, orElse placeholder: () throws -> T
  ) throws -> T {
    session.operations += 1
    guard next < end else {
      guard session.isSubstituted(slot) else {
        throw session.atEnd(type, kinds: kinds, of: index, currentIndex, property)
      }
      let value = try placeholder()
      currentIndex += 1
      return value
    }
    let value = try decode(next)
    next = session.base.index(after: next)
    currentIndex += 1
    return value
  }

  private func decoder(at index: Int) -> CollectingDecoder {
    CollectingDecoder(session: session, index: index, property: property, within: model)
  }

  private func placeholderDecoder() -> PlaceholderDecoder {
    session.influence += 1
    return PlaceholderDecoder(session.placeholders(at: slot))
  }

  mutating func decodeNil() throws -> Bool {
    guard next < end else {
      return try element(
        Never.self, kinds: [], { _ in true },
        orElse: { [session] in
          session.influence += 1
          return true
        })
    }
    session.operations += 1
    guard session.base.isNull(at: next) else { return false }
    next += 1
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try decode(generic: type) }

  @_semantics("optimize.sil.specialize.generic.never")
  private mutating func decode<T: Decodable>(generic type: T.Type) throws -> T {
    try element(
      type, { [session, property] in try session.decode(type, at: $0, for: property) },
      orElse: { [session, slot] in try session.placeholder(type, at: slot) })
  }

  // The standard library's default decodes a `T` even if the metatype is that of a subclass.
  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard try !isAtEnd && !decodeNil() else { return nil }
    return try decode(type)
  }

  // The standard library's defaults for these throw, and would be used instead of the generic method.
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try decode(generic: type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decode(generic: type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try element(
      KeyedDecodingContainer<Nested>.self, kinds: [.object], { [self] in try decoder(at: $0).container(keyedBy: type) },
      orElse: { [self] in placeholderDecoder().container(keyedBy: type) })
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element(
      (any UnkeyedDecodingContainer).self, kinds: [.array], { [self] in try decoder(at: $0).unkeyedContainer() },
      orElse: { [self] in placeholderDecoder().unkeyedContainer() })
  }

  mutating func superDecoder() throws -> any Swift.Decoder {
    try element(
      (any Swift.Decoder).self, kinds: [], { [self] in decoder(at: $0) as any Swift.Decoder },
      orElse: { [self] in placeholderDecoder() as any Swift.Decoder })
  }
}
