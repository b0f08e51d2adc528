/// The members of one object, by key: the code shared by both keyed containers.
///
/// It is inlined into the witnesses of the containers. Unspecialised, each call would look up the frame through another witness.
protocol MembersEncodingContainer: KeyedEncodingContainerProtocol {
  var frame: ObjectFrame { get }
}

extension MembersEncodingContainer {
  var codingPath: [any CodingKey] { frame.withSession { $0.codingPath(of: frame.identity) } }

  /// Calls `write` to write the scalar value of `key` if the object is open.
  @inline(__always)
  private func scalar(_ key: Key, _ write: (EncodingSession) -> Void) {
    frame.withSession { session in
      // The key is read first, because reading it runs the caller's code.
      let name = session.usesDefaultKeys ? key.stringValue : session.convertedKey(key, in: frame.identity)
      guard session.activate(frame.identity) else { return }
      let replaced = session.beginMember(name)
      write(session)
      if let replaced { session.replaceMember(replaced, of: frame.identity) }
    }
  }

  @inline(__always)
  func encodeNil(forKey key: Key) throws { scalar(key) { $0.output.appendNull() } }
  @inline(__always)
  func encode(_ value: Bool, forKey key: Key) throws { scalar(key) { $0.output.append(bool: value) } }
  @inline(__always)
  func encode(_ value: String, forKey key: Key) throws {
    scalar(key) { $0.output.append(quoted: value, escapingSlashes: $0.escapesSlashes) }
  }
  @inline(__always)
  func encode(_ value: Double, forKey key: Key) throws { try encode(floating: value, key) }
  @inline(__always)
  func encode(_ value: Float, forKey key: Key) throws { try encode(floating: value, key) }
  @inline(__always)
  func encode(_ value: Int, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: Int8, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: Int16, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: Int32, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: Int64, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: Int128, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: UInt, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: UInt8, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: UInt16, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: UInt32, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: UInt64, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }
  @inline(__always)
  func encode(_ value: UInt128, forKey key: Key) throws { scalar(key) { $0.output.append(integer: value) } }

  @inline(__always)
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try frame.withSession { session in
      let name = session.usesDefaultKeys ? key.stringValue : session.convertedKey(key, in: frame.identity)
      try session.encode(value, named: name, key, in: frame.identity)
    }
  }

  @inline(__always)
  private func encode<Value: FloatingScalar>(floating value: Value, _ key: Key) throws {
    try frame.withSession { try $0.checkFinite(value, at: frame.identity, key) }
    scalar(key) { $0.append(floating: value, to: $0.output) }
  }
}

// MARK: - Containers in members

extension MembersEncodingContainer {
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    frame.withSession {
      $0.container(keyedBy: type, at: $0.nested(.object, forKey: key, in: frame.identity))
    }
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    frame.withSession { ElementsContainer(session: $0, identity: $0.nested(.array, forKey: key, in: frame.identity)) }
  }

  func superEncoder() -> any Swift.Encoder {
    frame.withSession {
      PlaceEncoder(
        session: $0, identity: $0.superPlace(forKey: EncodingKey(stringValue: "super"), in: frame.identity))
    }
  }

  func superEncoder(forKey key: Key) -> any Swift.Encoder {
    frame.withSession { PlaceEncoder(session: $0, identity: $0.superPlace(forKey: key, in: frame.identity)) }
  }
}
