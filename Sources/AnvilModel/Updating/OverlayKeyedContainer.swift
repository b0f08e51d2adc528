/// A keyed container with all keys of the input, and the keys of the old value that are not in the input.
struct OverlayKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// The keys of the input; `nil` if the input has no value here.
  let new: KeyedDecodingContainer<Key>?
  let old: [String: RecordedValue]
  /// The object of the input; `nil` if the input has no value here.
  let object: OverlayObject?
  let codingPosition: CodingPosition
  let userInfo: [CodingUserInfoKey: Any]

  init(
    new: KeyedDecodingContainer<Key>?, old: [String: RecordedValue], object: OverlayObject?,
    codingPosition: CodingPosition, userInfo: [CodingUserInfoKey: Any]
  ) {
    self.new = new
    self.old = old
    self.object = object
    self.codingPosition = codingPosition
    self.userInfo = userInfo
    if let new, !old.isEmpty { object?.note(inputKeys: new.allKeys.lazy.map(\.stringValue), old: old) }
  }

  var codingPath: [any CodingKey] { codingPosition.path }

  /// The input's keys in order, followed by the sorted keys that only the old value has.
  var allKeys: [Key] {
    let keys = new?.allKeys ?? []
    let known = Set(keys.map(\.stringValue)).union(object?.hiddenKeys ?? [])
    return keys + old.keys.filter { !known.contains($0) }.sorted().compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool {
    switch place(of: key) {
    case .input: return true
    case .old:
      object?.noteRead(key.stringValue, .old)
      return true
    case nil: return false
    }
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    switch place(of: key) {
    case .input(let new):
      let isNull = try new.decodeNil(forKey: key)
      object?.noteRead(key.stringValue, isNull ? .null : .value)
      return isNull
    case .old(let recorded):
      object?.noteRead(key.stringValue, .old)
      return recorded.isNull
    case nil: throw missing(key)
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    switch place(of: key) {
    case .input(let new):
      object?.noteRead(key.stringValue, .value, as: type)
      guard let object, !isScalar(type) else { return try new.decode(type, forKey: key) }
      return try object.value(of: key.stringValue, as: type) { try decode(type, forKey: key, from: new) }
    case .old(let recorded):
      object?.noteRead(key.stringValue, .old, as: type)
      return try oldDecoder(recorded, forKey: key).oldValue(as: type)
    case nil: throw missing(key)
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
    if let object, let new = try? new?.superDecoder(), (try? new.singleValueContainer().decodeNil()) == false {
      return OverlayDecoder(new: new, old: old, object: object.member(key.stringValue))
    }
    return OverlayDecoder(old: old, codingPosition: .below(codingPosition, key), userInfo: userInfo)
  }
}

extension OverlayKeyedContainer {
  /// The container that has a key.
  private enum Place {
    case input(KeyedDecodingContainer<Key>)
    case old(RecordedValue)
  }

  /// Returns the place of `key`; `nil` if it is neither in the input nor in the old value.
  private func place(of key: Key) -> Place? {
    let name = key.stringValue
    if let substitute = object?.substitutes[name], let recorded = old[substitute] { return .old(recorded) }
    if let new, new.contains(key), object?.ignoredKey != name { return .input(new) }
    guard let recorded = old[name], object?.hiddenKeys.contains(name) != true else { return nil }
    return .old(recorded)
  }

  /// Returns the value in the input. A value that can be updated in place is merged with the old value.
  private func decode<T: Decodable>(
    _ type: T.Type, forKey key: Key, from new: KeyedDecodingContainer<Key>
  ) throws -> T {
    if let old = oldValue(for: key), old.value is any DecoderUpdatable, !ValueIdentity.isGiven(to: type, by: userInfo),
      try !new.decodeNil(forKey: key),
      let updated = try old.updated(as: type, from: new.superDecoder(forKey: key))
    {
      return updated
    }
    return try new.decode(type, forKey: key)
  }

  /// Returns the old value of a key in the input, which may have another key.
  private func oldValue(for key: Key) -> RecordedValue? {
    old[key.stringValue] ?? object?.mergedKeys[key.stringValue].flatMap { old[$0] }
  }

  /// Returns whether decoding a value again costs little. Such values are not kept for further passes.
  private func isScalar(_ type: any Any.Type) -> Bool {
    type == String.self || type == Bool.self || type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type
  }

  private func missing(_ key: Key) -> DecodingError {
    let path = codingPath
    object?.noteMissing(key.stringValue, depth: path.count)
    return .keyNotFound(
      key,
      .init(
        codingPath: path,
        debugDescription: "No value for the key \"\(key.stringValue)\", neither in the input nor in the old value."))
  }

  private func oldDecoder(_ recorded: RecordedValue, forKey key: Key) -> OverlayDecoder {
    OverlayDecoder(old: recorded, codingPosition: .below(codingPosition, key), userInfo: userInfo)
  }

  private func decoder(forKey key: Key) throws -> OverlayDecoder {
    switch place(of: key) {
    case .input(let new):
      object?.noteRead(key.stringValue, .value)
      let decoder = try new.superDecoder(forKey: key)
      return OverlayDecoder(
        new: decoder, old: oldValue(for: key) ?? RecordedValue(), object: object?.member(key.stringValue))
    case .old(let recorded):
      object?.noteRead(key.stringValue, .old)
      return oldDecoder(recorded, forKey: key)
    case nil: throw missing(key)
    }
  }
}
