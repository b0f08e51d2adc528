/// A keyed container with all keys of the input, and the keys of the old value that are not in the input.
///
/// While alternatives of keys are looked for, its keys depend on the ``OverlaySession/Mode``.
struct OverlayKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// The keys of the input; `nil` if the input has no value here.
  let new: KeyedDecodingContainer<Key>?
  let old: [String: RecordedValue]
  /// The object that is read; `nil` in an old value whose keys have no alternatives.
  let object: OverlayObject?
  let codingPosition: CodingPosition
  let userInfo: [CodingUserInfoKey: Any]

  init(
    new: KeyedDecodingContainer<Key>?, old: RecordedValue?, object: OverlayObject?,
    codingPosition: CodingPosition, userInfo: [CodingUserInfoKey: Any]
  ) {
    self.new = new
    self.old = old?.keys ?? [:]
    self.object = object
    self.codingPosition = codingPosition
    self.userInfo = userInfo
    guard let object, old != nil || !object.session.readsInput else { return }
    object.note(new, old: old)
  }

  var codingPath: [any CodingKey] { codingPosition.path }

  /// The input's keys in order, followed by the sorted keys that only the old value has.
  var allKeys: [Key] {
    let keys = object?.session.readsInput == true ? new?.allKeys ?? [] : []
    var known = Set(keys.map(\.stringValue))
    if let object {
      known.formUnion(object.hiddenKeys)
      if object.session.readsInput { known.formUnion(object.replacedKeys) }
    }
    let others = old.keys.filter { !known.contains($0) }
    let moved = object.map { $0.session.readsInput ? [] : Array($0.movedValues.keys) } ?? []
    return keys + Set(others + moved).sorted().compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool {
    switch place(of: key) {
    case .input: return true
    case .old(let recorded): return !isHidden(key, recorded)
    case .foreign:
      object?.note(key.stringValue, .foreign)
      return opensForeignObject(forKey: key)
    case nil: return false
    }
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    switch place(of: key) {
    case .input(let new):
      let isNull = try new.decodeNil(forKey: key)
      object?.noteInput(key.stringValue, isNull: isNull)
      return isNull
    case .old(let recorded): return isHidden(key, recorded) || recorded.isNull
    case .foreign:
      object?.note(key.stringValue, .foreign)
      return !opensForeignObject(forKey: key)
    case nil: throw missing(key)
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    switch place(of: key) {
    case .input(let new):
      object?.noteInput(key.stringValue)
      guard let object, !isScalar(type) else { return try new.decode(type, forKey: key) }
      return try object.value(of: key.stringValue, as: type) { try decode(type, forKey: key, from: new) }
    case .old(let recorded):
      noteOld(key)
      return try oldDecoder(recorded, forKey: key).oldValue(as: type)
    case .foreign:
      object?.note(key.stringValue, .foreign)
      return try replacement(forKey: key)
    case nil: return try replacement(forKey: key)
    }
  }

  // The default implementations reject 128-bit integers.

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try number(type, forKey: key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try number(type, forKey: key) }

  private func number<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decode(type, forKey: key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(forKey: key).unkeyedContainer()
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try decoder(forKey: key)
  }

  /// Returns a decoder for the key "super". The key need not be one of `Key`, so absent and null cannot be distinguished: both
  /// keep the old value.
  func superDecoder() throws -> any Decoder {
    let key = SuperKey()
    let old = old[key.stringValue] ?? RecordedValue()
    let member = object?.member(key.stringValue)
    if let member, let new = try? new?.superDecoder(), (try? new.singleValueContainer().decodeNil()) == false {
      return OverlayDecoder(new: new, old: old, object: member)
    }
    return OverlayDecoder(old: old, object: member, codingPosition: .below(codingPosition, key), userInfo: userInfo)
  }
}

extension OverlayKeyedContainer {
  /// The container that has a key.
  private enum Place {
    case input(KeyedDecodingContainer<Key>)
    case old(RecordedValue)
    /// The input, while only the old value is read.
    case foreign
  }

  /// Returns the place of `key`; `nil` if it is neither in the input nor in the old value.
  private func place(of key: Key) -> Place? {
    let name = key.stringValue
    guard let object else { return old[name].map(Place.old) }
    object.session.accessCount &+= 1
    if object.session.readsInput {
      if let new, new.contains(key) { return .input(new) }
      guard !object.replacedKeys.contains(name) else { return nil }
    } else {
      if let moved = object.movedValues[name] { return .old(moved) }
      if object.isForeign(name) {
        guard let value = object.session.substitute, object.isUnread(name) else { return .foreign }
        object.note(name, .foreign)
        return .old(value)
      }
    }
    guard let recorded = old[name], !object.hiddenKeys.contains(name) else { return nil }
    return .old(recorded)
  }

  /// Records the access to a key of the old value, and returns whether the key must seem to be absent.
  ///
  /// A nested container seems to be present, because the model may look for other keys in it.
  private func isHidden(_ key: Key, _ recorded: RecordedValue) -> Bool {
    guard let object, object.session.isProbe, object.isOld(key.stringValue), recorded.keys == nil,
      recorded.items == nil, !object.requiredKeys.contains(key.stringValue)
    else { return false }
    object.note(key.stringValue, .hidden, hiding: recorded)
    return true
  }

  /// Returns the value of the key that seemed to be absent last, so that a probe can go on.
  private func replacement<T: Decodable>(forKey key: Key) throws -> T {
    guard let hidden = object?.session.hidden?.value else { throw missing(key) }
    return try oldDecoder(hidden, forKey: key).oldValue(as: T.self)
  }

  private func noteOld(_ key: Key) {
    guard let object, !object.session.readsInput, object.isOld(key.stringValue) else { return }
    object.note(key.stringValue, .given)
  }

  /// Returns whether a foreign key seems to be present, because a key in its object may be an alternative.
  private func opensForeignObject(forKey key: Key) -> Bool {
    guard let object else { return false }
    switch object.session.mode {
    case .update: return false
    case .trial: return object.members[key.stringValue]?.hasMovedValues == true
    case .probe(let opensObjects):
      guard (try? new?.nestedContainer(keyedBy: IndexKey.self, forKey: key)) != nil else { return false }
      object.session.hasForeignObjects = true
      return opensObjects
    }
  }

  /// Returns the value in the input. A value that can be updated in place is merged with the old value.
  private func decode<T: Decodable>(
    _ type: T.Type, forKey key: Key, from new: KeyedDecodingContainer<Key>
  ) throws -> T {
    let hasIdentity = ValueIdentity.isGiven(to: type, by: userInfo)
    if let object, object.session.isTentative, object.isForeign(key.stringValue),
      hasIdentity || type is any DecoderUpdatable.Type
    {
      throw missing(key)
    }
    if let old = oldValue(for: key), old.value is any DecoderUpdatable, !hasIdentity,
      try !new.decodeNil(forKey: key),
      let updated = try old.updated(as: type, from: new.superDecoder(forKey: key))
    {
      return updated
    }
    return try new.decode(type, forKey: key)
  }

  /// Returns the old value of a key in the input, which may have another key.
  private func oldValue(for key: Key) -> RecordedValue? {
    old[key.stringValue] ?? object?.movedValues[key.stringValue]
  }

  /// Returns whether decoding a value again costs little. Such values are not kept for further decodings.
  private func isScalar(_ type: any Any.Type) -> Bool {
    type == String.self || type == Bool.self || type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      .init(
        codingPath: codingPath,
        debugDescription: "No value for the key \"\(key.stringValue)\", neither in the input nor in the old value."))
  }

  private func oldDecoder(
    _ recorded: RecordedValue, object: OverlayObject? = nil, forKey key: Key
  ) -> OverlayDecoder {
    OverlayDecoder(
      old: recorded, object: object, codingPosition: .below(codingPosition, key), userInfo: userInfo)
  }

  private func decoder(forKey key: Key) throws -> OverlayDecoder {
    let name = key.stringValue
    switch place(of: key) {
    case .input(let new):
      object?.noteInput(name)
      let decoder = try new.superDecoder(forKey: key)
      return OverlayDecoder(new: decoder, old: oldValue(for: key) ?? RecordedValue(), object: object?.member(name))
    case .old(let recorded):
      noteOld(key)
      // A value that has been moved is read as it is.
      guard let object, recorded === old[name] else { return oldDecoder(recorded, forKey: key) }
      guard let new, new.contains(key) else { return oldDecoder(recorded, object: object.member(name), forKey: key) }
      return OverlayDecoder(new: try new.superDecoder(forKey: key), old: recorded, object: object.member(name))
    case .foreign:
      if let hidden = object?.session.hidden?.value,
        try hidden.first(at: codingPosition, userInfo: userInfo, where: { $0.keys }) != nil
      {
        object?.note(name, .foreign)
        return oldDecoder(hidden, forKey: key)
      }
      guard let new, let object else { throw missing(key) }
      object.note(name, .opened)
      return OverlayDecoder(new: try new.superDecoder(forKey: key), old: RecordedValue(), object: object.member(name))
    case nil: throw missing(key)
    }
  }
}
