/// A keyed container with all keys of the input, and the keys of the old value that are not in the input.
struct OverlayKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// The keys of the input; `nil` if the input has no value here.
  let new: KeyedDecodingContainer<Key>?
  let old: [String: RecordedValue]
  let codingPosition: CodingPosition
  let userInfo: [CodingUserInfoKey: Any]

  var codingPath: [any CodingKey] { codingPosition.path }

  /// The input's keys in order, followed by the sorted keys that only the old value has.
  var allKeys: [Key] {
    let keys = new?.allKeys ?? []
    let known = Set(keys.map(\.stringValue))
    return keys + old.keys.filter { !known.contains($0) }.sorted().compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool {
    input(having: key) != nil || old[key.stringValue] != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    if let new = input(having: key) { return try new.decodeNil(forKey: key) }
    return try recorded(key).isNull
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard let new = input(having: key) else { return try oldDecoder(forKey: key).oldValue(as: type) }
    if let old = old[key.stringValue], old.value is any DecoderUpdatable, !hasIdentity(type),
      try !new.decodeNil(forKey: key),
      let updated = try old.updated(as: type, from: new.superDecoder(forKey: key))
    {
      return updated
    }
    return try new.decode(type, forKey: key)
  }

  // The default implementations reject 128-bit integers.

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    guard let new = input(having: key) else { return try oldDecoder(forKey: key).oldValue(as: type) }
    return try new.decode(type, forKey: key)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    guard let new = input(having: key) else { return try oldDecoder(forKey: key).oldValue(as: type) }
    return try new.decode(type, forKey: key)
  }

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
    let old = old[SuperKey().stringValue] ?? RecordedValue()
    if let new = try? new?.superDecoder(), (try? new.singleValueContainer().decodeNil()) == false {
      return OverlayDecoder(new: new, old: old)
    }
    return OverlayDecoder(old: old, codingPosition: .below(codingPosition, SuperKey()), userInfo: userInfo)
  }
}

extension OverlayKeyedContainer {
  private func hasIdentity(_ type: any Any.Type) -> Bool {
    ValueIdentity.isGiven(to: type, by: userInfo)
  }

  private func input(having key: Key) -> KeyedDecodingContainer<Key>? {
    guard let new, new.contains(key) else { return nil }
    return new
  }

  private func recorded(_ key: Key) throws -> RecordedValue {
    if let recorded = old[key.stringValue] { return recorded }
    throw DecodingError.keyNotFound(
      key,
      .init(
        codingPath: codingPath,
        debugDescription: "No value for the key \"\(key.stringValue)\", neither in the input nor in the old value."))
  }

  private func oldDecoder(forKey key: Key) throws -> OverlayDecoder {
    OverlayDecoder(old: try recorded(key), codingPosition: .below(codingPosition, key), userInfo: userInfo)
  }

  private func decoder(forKey key: Key) throws -> OverlayDecoder {
    guard let new = input(having: key) else { return try oldDecoder(forKey: key) }
    return OverlayDecoder(new: try new.superDecoder(forKey: key), old: old[key.stringValue] ?? RecordedValue())
  }
}
