/// The elements of one array, in order.
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
