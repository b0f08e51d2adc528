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

// MARK: - Values that may be nil

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
      SlotEncoder(
        session: $0, identity: $0.superMember(forKey: EncodingKey(stringValue: "super"), in: frame.identity))
    }
  }

  func superEncoder(forKey key: Key) -> any Swift.Encoder {
    frame.withSession { SlotEncoder(session: $0, identity: $0.superMember(forKey: key, in: frame.identity)) }
  }
}
