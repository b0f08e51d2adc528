internal import AnvilBase
internal import AnvilJSON

/// A value of a document in a ``CollectingSession``, or a place where a value is missing. If the value is known to be wrong or missing, a
/// placeholder is decoded.
struct CollectingDecoder: DecodingNode, DocumentDecoder {
  let session: CollectingSession
  let slot: RaisedFault.Slot
  let property: ModelProperty?
  fileprivate var type: Any.Type?
  /// The model whose code uses the decoder.
  fileprivate let model: Any.Type?

  /// The index of the value, or of the container that lacks it.
  var index: Int { slot.index }
  var codingPath: [any CodingKey] { session.base.codingPath(to: index) }
  var userInfo: [CodingUserInfoKey: Any] { session.base.options.userInfo }

  func mismatch(_ container: Any.Type, kinds: [JSON.Kind]) -> any Error {
    let error = session.base.mismatch(container, at: index)
    guard let error = error as? DecodingError else { return error }
    return session.raised(error, type, kinds: kinds, at: index, for: property)
  }

  /// Returns the decoder of a placeholder if the value is known to be wrong or missing; `nil` for a value of the given kind.
  ///
  /// - Throws: the error for a missing value, and for a value of another kind.
  private func placeholder(for container: Any.Type, _ kind: JSON.Kind) throws -> PlaceholderDecoder? {
    session.operations += 1
    if session.isSubstituted(slot) {
      session.influence += 1
      return PlaceholderDecoder(session.placeholders(at: slot))
    }
    guard case .value = slot else { throw session.missing(slot, container, for: property) }
    guard session.base.kind(at: index) == kind else { throw mismatch(container, kinds: [kind]) }
    return nil
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let decoder = try placeholder(for: [String: Any].self, .object) { return decoder.container(keyedBy: type) }
    return KeyedDecodingContainer(CollectingMembers(session: session, index: index, model: model))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let decoder = try placeholder(for: [Any].self, .array) { return decoder.unkeyedContainer() }
    return CollectingElements(session: session, index: index, property: property, model: model)
  }

  func decodeNil() -> Bool {
    session.operations += 1
    guard case .value = slot else { return true }
    return session.base.isNull(at: index)
  }

  func isNull() throws -> Bool {
    if case .value = slot { return decodeNil() }
    guard session.isSubstituted(slot) else { throw session.missing(slot, Never?.self, for: property) }
    session.influence += 1
    if case .element = slot { return true }
    return session.variant == .first
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // A value is decoded for the same property as the model that uses this container.
    if case .value = slot { return try session.decode(type, at: index, for: property) }
    guard session.isSubstituted(slot) else { throw session.missing(slot, type, for: property) }
    return try session.placeholder(type, at: slot)
  }
}

extension CollectingDecoder {
  init(session: CollectingSession, index: Int, property: ModelProperty?, type: Any.Type) {
    self.init(session: session, slot: .value(index), property: property, type: type, model: type)
  }
}

extension CollectingDecoder: KeyConvertingDecoder {
  func convertedKey(_ key: String) -> String { session.base.convertedKey(key, inObjectAt: index) }
}

extension CollectingDecoder: CollectingValueDecoder {
  func placeholder<Coded: Decodable, Value>(
    refusedWith refusals: [StrategyRefusal], _ convert: (Coded) throws -> Value
  ) throws -> Value {
    session.operations += 1
    if !session.isSubstituted(slot) {
      // The elements that have been collected before were replaced by placeholders, which the strategy may refuse as well.
      let refused = refusals.lazy.map { (index: session.base.index(of: $0.steps, from: index), error: $0.error) }
        .filter { !session.isSubstituted(.value($0.index)) }
      if let error = session.refused(refused.prefix(session.faultLimit + 1), for: property) { throw error }
    }
    session.influence += 1
    guard let value = session.placeholders(at: slot).make(convert) else { throw session.unsubstitutable(at: slot) }
    return value
  }
}

private struct CollectingMembers<Key: CodingKey>: DecodingMembers {
  private let session: CollectingSession
  private let index: Int
  private let model: Any.Type?
  private let members: ValueReader.Members

  init(session: CollectingSession, index: Int, model: Any.Type?) {
    self.session = session
    self.index = index
    self.model = model
    members = session.base.members(ofObjectAt: index, keysAreData: Key.self == DataKey.self)
  }

  var codingPath: [any CodingKey] { session.base.codingPath(to: index) }

  var allKeys: [Key] {
    session.operations += 1
    return members.keys.compactMap { Key(spelled: $0) }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func node(forKey key: Key) -> CollectingDecoder { member(key, at: find(key)) }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = find(key), !session.base.isNull(at: value) else { return nil }
    let member = member(key, at: value)
    if session.isSubstituted(member.slot) {
      session.influence += 1
      return Optional.placeholder(session.placeholders(at: member.slot))
    }
    return try session.orNil { try member.decode(type) }
  }

  func superDecoder() -> any Swift.Decoder { decoder(under: DecodingKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) -> any Swift.Decoder { decoder(under: key) }

  /// Returns a decoder for the value of `key`. If the member is missing, the decoder is one for `null`, as in the ordinary container, or
  /// one for a placeholder if the model has received one before.
  private func decoder(under key: any CodingKey) -> any Swift.Decoder {
    let member = member(key, at: find(DecodingKey(stringValue: key.stringValue)))
    if case .value = member.slot { return member }
    guard session.isSubstituted(member.slot) else {
      return session.base.nullDecoder(forKey: key.stringValue, inObjectAt: index)
    }
    session.influence += 1
    return PlaceholderDecoder(session.placeholders(at: member.slot))
  }

  private func find(_ key: some CodingKey) -> Int? {
    session.operations += 1
    return members.value(of: key)
  }

  private func member(_ key: any CodingKey, at value: Int?) -> CollectingDecoder {
    CollectingDecoder(
      session: session, slot: value.map { .value($0) } ?? .member(object: index, key: key.stringValue),
      property: ModelProperty(model: model, key: key), model: model)
  }
}

private struct CollectingElements: DecodingElements {
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

  func next(for type: Any.Type) throws -> CollectingDecoder {
    session.operations += 1
    let slot = isAtEnd ? RaisedFault.Slot.element(array: index, position: currentIndex) : .value(next)
    guard !isAtEnd || session.isSubstituted(slot) else { throw session.missing(slot, type, for: property) }
    return CollectingDecoder(session: session, slot: slot, property: property, model: model)
  }

  mutating func advance() {
    if !isAtEnd { next = session.base.index(after: next) }
    currentIndex += 1
  }
}

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
    refusedWith refusals: [StrategyRefusal], _ convert: (Coded) throws -> Value
  ) throws -> Value {
    guard let value = placeholders.make(convert) else { throw refusals.first?.error ?? Placeholders.NoPlaceholder() }
    return value
  }
}

extension Placeholders {
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
