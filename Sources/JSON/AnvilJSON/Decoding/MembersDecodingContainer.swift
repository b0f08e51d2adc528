/// The members of one object, by key: the code shared by both keyed containers.
///
/// It is specialised for both, because in unspecialised code each call would look up the frame through another witness. The lookup of the
/// key is not inlined, so that none of these functions is large. ``KeyedContainer`` repeats the most frequent ones with the lookup inlined.
protocol MembersDecodingContainer: KeyedDecodingContainerProtocol {
  var frame: MemberFrame { get }
}

extension MembersDecodingContainer {
  var codingPath: [any CodingKey] { frame.withSession { $0.codingPath(to: frame.object) } }

  var allKeys: [Key] { frame.withSession { $0.keys(of: frame).compactMap { Key(stringValue: $0) } } }

  @inline(__always)
  func contains(_ key: Key) -> Bool { frame.contains(key) }

  @inline(__always)
  func decodeNil(forKey key: Key) throws -> Bool {
    try frame.session.tape[frame.value(of: key)].is(.null)
  }

  @inline(__always)
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try frame.session.bool(at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try frame.session.string(at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try frame.session.double(at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try frame.session.float(at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try frame.session.integer(type, at: frame.value(of: key))
  }
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try frame.session.decode(type, at: frame.value(of: key))
  }
}

// MARK: - Members that may be missing

extension MembersDecodingContainer {
  @inline(__always)
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.bool(at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.string(at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.double(at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.float(at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.integer(type, at: value)
  }
  @inline(__always)
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = frame.presentValue(of: key) else { return nil }
    return try frame.session.decode(type, at: value)
  }
}

// MARK: - Containers in members

extension MembersDecodingContainer {
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try NodeDecoder(session: frame.session, index: frame.value(of: key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try NodeDecoder(session: frame.session, index: frame.value(of: key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Swift.Decoder { decoder(named: "super") }

  func superDecoder(forKey key: Key) throws -> any Swift.Decoder { decoder(named: key.stringValue) }

  /// Returns a decoder for the value of the member `name`. A missing member is decoded as null, as in Foundation.
  private func decoder(named name: String) -> any Swift.Decoder {
    frame.withSession { session in
      guard let value = session.value(of: name, 0, in: frame) else {
        return NullDecoder(session: session, object: frame.object, key: name)
      }
      return NodeDecoder(session: session, index: value)
    }
  }
}
