/// The members of one object, by key.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let session: DecodingSession
  let index: Int

  var codingPath: [any CodingKey] { session.codingPath(to: index) }

  var allKeys: [Key] {
    var seen: Set<String> = []
    return session.members(of: index).compactMap { member in
      let key = session.convertedKey(at: member)
      return seen.insert(key).inserted ? Key(stringValue: key) : nil
    }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  @inline(__always)
  private func find(_ key: Key) -> Int? { session.value(of: key.stringValue, in: index) }

  @inline(__always)
  private func require(_ key: Key) throws -> Int {
    guard let value = find(key) else { throw session.missing(key, in: index) }
    return value
  }

  /// The value of `key` where there is one that is not null.
  @inline(__always)
  private func findPresent(_ key: Key) -> Int? {
    guard let value = find(key), !session.document.tape[value].is(.null) else { return nil }
    return value
  }

  func decodeNil(forKey key: Key) throws -> Bool { session.document.tape[try require(key)].is(.null) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try session.bool(at: require(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try session.string(at: require(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try session.double(at: require(key)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try session.float(at: require(key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try session.integer(type, at: require(key)) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try session.integer(type, at: require(key)) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try session.integer(type, at: require(key)) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try session.integer(type, at: require(key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try session.integer(type, at: require(key)) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try session.integer(type, at: require(key)) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try session.integer(type, at: require(key)) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try session.integer(type, at: require(key)) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try session.integer(type, at: require(key)) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try session.integer(type, at: require(key)) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try session.integer(type, at: require(key)) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try session.integer(type, at: require(key)) }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try session.decode(type, at: require(key)) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try findPresent(key).map { try session.bool(at: $0) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try findPresent(key).map { try session.string(at: $0) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try findPresent(key).map { try session.double(at: $0) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try findPresent(key).map { try session.float(at: $0) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try findPresent(key).map { try session.decode(type, at: $0) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try NodeDecoder(session: session, index: require(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try NodeDecoder(session: session, index: require(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Swift.Decoder {
    decoder(named: "super")
  }

  func superDecoder(forKey key: Key) throws -> any Swift.Decoder {
    decoder(named: key.stringValue)
  }

  /// The decoder at the member `name`; for a missing one a decoder of null, as Foundation's.
  private func decoder(named name: String) -> any Swift.Decoder {
    guard let value = session.value(of: name, in: index) else {
      return NullDecoder(
        codingPath: codingPath + [DecodingKey(stringValue: name)], userInfo: session.options.userInfo)
    }
    return NodeDecoder(session: session, index: value)
  }
}
