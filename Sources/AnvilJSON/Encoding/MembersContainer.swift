/// The members of one object, by key.
struct MembersContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let session: EncodingSession
  let identity: Int

  var codingPath: [any CodingKey] { session.codingPath(of: identity) }

  /// Has `write` write the scalar value of `key`, while the object is open.
  @inline(__always)
  private func scalar(_ key: Key, _ write: (OutputMemory) -> Void) {
    // The key is asked for first: it is the caller's code.
    let name = session.usesDefaultKeys ? key.stringValue : session.convertedKey(key, in: identity)
    guard session.activate(identity) else { return }
    let replaced = session.beginMember(name)
    write(session.output)
    if let replaced { session.replaceMember(replaced, of: identity) }
  }

  func encodeNil(forKey key: Key) throws { scalar(key) { $0.appendNull() } }
  func encode(_ value: Bool, forKey key: Key) throws { scalar(key) { $0.append(bool: value) } }
  func encode(_ value: String, forKey key: Key) throws {
    scalar(key) { $0.append(quoted: value, escapingSlashes: session.escapesSlashes) }
  }
  func encode(_ value: Double, forKey key: Key) throws { try encode(floating: value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try encode(floating: value, key) }
  func encode(_ value: Int, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: Int8, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: Int16, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: Int32, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: Int64, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: Int128, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: UInt, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: UInt8, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: UInt16, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: UInt32, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: UInt64, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }
  func encode(_ value: UInt128, forKey key: Key) throws { scalar(key) { $0.append(integer: value) } }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let name = session.usesDefaultKeys ? key.stringValue : session.convertedKey(key, in: identity)
    try session.encode(value, named: name, key, in: identity)
  }

  @inline(__always)
  private func encode<Value: FloatingScalar>(floating value: Value, _ key: Key) throws {
    try session.checkFinite(value, at: identity, key)
    scalar(key) { session.append(floating: value, to: $0) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      MembersContainer<Nested>(session: session, identity: session.nested(.object, forKey: key, in: identity)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ElementsContainer(session: session, identity: session.nested(.array, forKey: key, in: identity))
  }

  func superEncoder() -> any Swift.Encoder {
    PlaceEncoder(
      session: session, identity: session.superPlace(forKey: EncodingKey(stringValue: "super"), in: identity))
  }

  func superEncoder(forKey key: Key) -> any Swift.Encoder {
    PlaceEncoder(session: session, identity: session.superPlace(forKey: key, in: identity))
  }
}
