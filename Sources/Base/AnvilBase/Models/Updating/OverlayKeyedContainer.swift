/// A keyed container with all keys of the input, and the keys of the old value that are not in the input and not hidden.
struct OverlayKeyedContainer<Key: CodingKey>: DecodingMembers {
  /// The keys of the input; `nil` if the input has no value here.
  let new: KeyedDecodingContainer<Key>?
  let old: [String: RecordedValue]
  /// The object that is read; `nil` in an old value that is decoded as it is.
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
    object?.note(new, old: old)
  }

  var codingPath: [any CodingKey] { codingPosition.path }

  /// The sorted keys that only the old value has, followed by the input's keys in order: a model that reads all keys in a loop, and keeps
  /// the last value, keeps that of the input.
  var allKeys: [Key] {
    let keys = new?.allKeys ?? []
    let known = Set(keys.map(\.stringValue))
    let others = old.keys.sorted().filter { name in
      guard !known.contains(name) else { return false }
      guard let object, object.isHidden(name) else { return true }
      return !object.requestIsHidden(name)
    }
    return others.compactMap { Key(stringValue: $0) } + keys
  }

  func contains(_ key: Key) -> Bool { place(of: key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    switch place(of: key) {
    case .input(let new):
      object?.noteRead(key.stringValue)
      return try new.decodeNil(forKey: key)
    case .old(let recorded): return recorded.isNull
    case nil: throw missing(key)
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    switch place(of: key) {
    case .input(let new):
      guard let object else { return try new.decode(type, forKey: key) }
      let name = OverlayKey(object: object, name: key.stringValue)
      do {
        let value = try isScalar(type) ? new.decode(type, forKey: key) : decode(type, forKey: key, from: new, object)
        object.session.noteRead(name)
        object.session.noteValue(value, of: name)
        return value
      } catch {
        object.session.noteFailedRead(name)
        throw error
      }
    case .old(let recorded): return try oldDecoder(recorded, forKey: key).oldValue(as: type)
    case nil: throw missing(key)
    }
  }

  func node(forKey key: Key) throws -> OverlayDecoder {
    let name = key.stringValue
    switch place(of: key) {
    case .input(let new):
      let decoder = try new.superDecoder(forKey: key)
      return OverlayDecoder(new: decoder, old: old[name] ?? RecordedValue(), object: object?.member(name))
    case .old(let recorded): return oldDecoder(recorded, object: object?.member(name), forKey: key)
    case nil: throw missing(key)
    }
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
  }

  /// Returns the place of `key`; `nil` if it is neither in the input nor in the old value, or hidden.
  private func place(of key: Key) -> Place? {
    object?.session.noteAccess()
    if let new, new.contains(key) { return .input(new) }
    guard let recorded = old[key.stringValue], object?.requestIsHidden(key.stringValue) != true else { return nil }
    return .old(recorded)
  }

  /// Returns the value in the input. A value that can be updated in place is merged with the old value, which may have another key.
  private func decode<T: Decodable>(
    _ type: T.Type, forKey key: Key, from new: KeyedDecodingContainer<Key>, _ object: OverlayObject
  ) throws -> T {
    let name = key.stringValue
    let hasIdentity = ValueIdentity.isGiven(to: type, by: userInfo)
    if object.session.isTrial, hasIdentity || type is any DecoderUpdatable.Type {
      // The old value stands in for the updated one.
      if old[name] == nil, let value = object.replaceableValue(by: name, as: type) { return value }
      guard object.hasValue(of: name, as: type) else { throw missing(key) }
    }
    return try object.value(of: name, as: type) {
      if let old = oldValue(for: name), old.value is any DecoderUpdatable, !hasIdentity,
        try !new.decodeNil(forKey: key),
        let updated = try old.updated(as: type, from: new.superDecoder(forKey: key))
      {
        return updated
      }
      return try new.decode(type, forKey: key)
    }
  }

  /// Returns the old value of a key in the input, which may have another key.
  private func oldValue(for name: String) -> RecordedValue? {
    old[name] ?? object?.replacedKeys[name].flatMap { old[$0] }
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
}
