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
