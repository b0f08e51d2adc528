/// The members of one object, by key: the code shared by both keyed containers.
///
/// It is specialised for both, because in unspecialised code each call would look up the frame through another witness. Writing the value
/// is not inlined, so that none of these functions is large. ``MembersContainer`` repeats the most frequent ones with the writing inlined.
protocol MembersEncodingContainer: KeyedEncodingContainerProtocol {
  var frame: ObjectFrame { get }
}

extension MembersEncodingContainer {
  var codingPath: [any CodingKey] { frame.withSession { $0.codingPath(of: frame.identity) } }

  @inline(__always)
  func encodeNil(forKey key: Key) throws { frame.writeNull(key) }
  @inline(__always)
  func encode(_ value: Bool, forKey key: Key) throws { frame.write(value, key) }
  @inline(__always)
  func encode(_ value: String, forKey key: Key) throws { frame.write(value, key) }
  @inline(__always)
  func encode(_ value: Double, forKey key: Key) throws { try frame.write(value, key) }
  @inline(__always)
  func encode(_ value: Float, forKey key: Key) throws { try frame.write(value, key) }
  @inline(__always)
  func encode(_ value: Int, forKey key: Key) throws { frame.write(Int64(value), key) }
  @inline(__always)
  func encode(_ value: Int8, forKey key: Key) throws { frame.write(Int64(value), key) }
  @inline(__always)
  func encode(_ value: Int16, forKey key: Key) throws { frame.write(Int64(value), key) }
  @inline(__always)
  func encode(_ value: Int32, forKey key: Key) throws { frame.write(Int64(value), key) }
  @inline(__always)
  func encode(_ value: Int64, forKey key: Key) throws { frame.write(value, key) }
  @inline(__always)
  func encode(_ value: Int128, forKey key: Key) throws { frame.write(value, key) }
  @inline(__always)
  func encode(_ value: UInt, forKey key: Key) throws { frame.write(UInt64(value), key) }
  @inline(__always)
  func encode(_ value: UInt8, forKey key: Key) throws { frame.write(UInt64(value), key) }
  @inline(__always)
  func encode(_ value: UInt16, forKey key: Key) throws { frame.write(UInt64(value), key) }
  @inline(__always)
  func encode(_ value: UInt32, forKey key: Key) throws { frame.write(UInt64(value), key) }
  @inline(__always)
  func encode(_ value: UInt64, forKey key: Key) throws { frame.write(value, key) }
  @inline(__always)
  func encode(_ value: UInt128, forKey key: Key) throws { frame.write(value, key) }
  @inline(__always)
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try frame.write(value, key) }
}

/// Encoding of optional values, which are left out if they are `nil`.
///
/// The default implementations of the standard library do the same, but without specialisation they took 2,300 instructions each.
extension MembersEncodingContainer {
  @inline(__always)
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { frame.write(value, key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { frame.write(value, key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try frame.write(value, key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try frame.write(value, key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { frame.write(Int64(value), key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    if let value { frame.write(Int64(value), key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    if let value { frame.write(Int64(value), key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    if let value { frame.write(Int64(value), key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if let value { frame.write(value, key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    if let value { frame.write(value, key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    if let value { frame.write(UInt64(value), key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    if let value { frame.write(UInt64(value), key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    if let value { frame.write(UInt64(value), key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    if let value { frame.write(UInt64(value), key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    if let value { frame.write(value, key) }
  }
  @inline(__always)
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    if let value { frame.write(value, key) }
  }
  @inline(__always)
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { try frame.write(value, key) }
  }
}

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
      SlotEncoder(
        session: $0, identity: $0.superMember(forKey: EncodingKey(stringValue: "super"), in: frame.identity))
    }
  }

  func superEncoder(forKey key: Key) -> any Swift.Encoder {
    frame.withSession { SlotEncoder(session: $0, identity: $0.superMember(forKey: key, in: frame.identity)) }
  }
}

struct ElementsContainer: UnkeyedEncodingContainer {
  let session: EncodingSession
  let identity: Int

  var codingPath: [any CodingKey] { session.codingPath(of: identity) }

  /// The number of elements; 0 if the array is closed.
  var count: Int { session.activate(identity) ? session.slots[session.slots.top].count : 0 }

  /// Calls `write` to write a scalar if the array is open.
  @inline(__always)
  private func scalar(_ write: (OutputMemory) -> Void) {
    guard session.activate(identity) else { return }
    session.beginElement()
    write(session.output)
  }

  func encodeNil() throws { scalar { $0.appendNull() } }
  func encode(_ value: Bool) throws { scalar { $0.append(bool: value) } }
  func encode(_ value: String) throws { scalar { $0.append(quoted: value, escapingSlashes: session.escapesSlashes) } }
  func encode(_ value: Double) throws { try encode(floating: value) }
  func encode(_ value: Float) throws { try encode(floating: value) }
  func encode(_ value: Int) throws { scalar { $0.append(Int64(value), .nothing) } }
  func encode(_ value: Int8) throws { try encode(Int64(value)) }
  func encode(_ value: Int16) throws { try encode(Int64(value)) }
  func encode(_ value: Int32) throws { try encode(Int64(value)) }
  func encode(_ value: Int64) throws { scalar { $0.append(value, .nothing) } }
  func encode(_ value: Int128) throws { scalar { $0.append(integer: value) } }
  func encode(_ value: UInt) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt8) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt16) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt32) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt64) throws { scalar { $0.append(magnitude: value) } }
  func encode(_ value: UInt128) throws { scalar { $0.append(integer: value) } }

  func encode<T: Encodable>(_ value: T) throws { try session.encodeNextElement(value, in: identity) }

  private func encode<Value: FloatingScalar>(floating value: Value) throws {
    guard session.activate(identity) else { return }
    try session.checkFinite(value, at: identity, EncodingKey(intValue: count))
    scalar { session.append(floating: value, to: $0) }
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    session.container(keyedBy: type, at: session.nestedElement(.object, in: identity))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ElementsContainer(session: session, identity: session.nestedElement(.array, in: identity))
  }

  func superEncoder() -> any Swift.Encoder {
    SlotEncoder(session: session, identity: session.superElement(in: identity))
  }
}

/// The encoder of the value in one ``ValueSlot``. It is also its own single-value container.
///
/// It is two words in size, so that an existential stores it without an allocation.
struct SlotEncoder: Swift.Encoder {
  let session: EncodingSession
  let identity: Int

  var codingPath: [any CodingKey] { session.codingPath(of: identity) }

  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    session.container(keyedBy: type, at: opened(.object))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ElementsContainer(session: session, identity: opened(.array))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Opens a container in the ``ValueSlot`` and returns the identity of the slot. If the slot has another value, returns the identity of a
  /// slot that is not open.
  private func opened(_ kind: ValueSlot.Kind) -> Int {
    session.activate(identity) && session.openOrFail(kind) ? identity : session.makeIdentity()
  }
}

extension SlotEncoder: SingleValueEncodingContainer {
  /// Calls `write` to write a scalar into the ``ValueSlot`` if it is open.
  @inline(__always)
  private func scalar(_ write: (OutputMemory) -> Void) throws {
    guard session.activate(identity) else { return }
    try session.claimScalar()
    write(session.output)
  }

  func encodeNil() throws { try scalar { $0.appendNull() } }
  func encode(_ value: Bool) throws { try scalar { $0.append(bool: value) } }
  func encode(_ value: String) throws {
    try scalar { $0.append(quoted: value, escapingSlashes: session.escapesSlashes) }
  }
  func encode(_ value: Double) throws { try encode(floating: value) }
  func encode(_ value: Float) throws { try encode(floating: value) }
  func encode(_ value: Int) throws { try scalar { $0.append(Int64(value), .nothing) } }
  func encode(_ value: Int8) throws { try encode(Int64(value)) }
  func encode(_ value: Int16) throws { try encode(Int64(value)) }
  func encode(_ value: Int32) throws { try encode(Int64(value)) }
  func encode(_ value: Int64) throws { try scalar { $0.append(value, .nothing) } }
  func encode(_ value: Int128) throws { try scalar { $0.append(integer: value) } }
  func encode(_ value: UInt) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt8) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt16) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt32) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt64) throws { try scalar { $0.append(magnitude: value) } }
  func encode(_ value: UInt128) throws { try scalar { $0.append(integer: value) } }

  func encode<T: Encodable>(_ value: T) throws {
    try session.writeOrEmpty(value, at: identity)
  }

  private func encode<Value: FloatingScalar>(floating value: Value) throws {
    try session.checkFinite(value, at: identity, nil)
    try scalar { session.append(floating: value, to: $0) }
  }
}
