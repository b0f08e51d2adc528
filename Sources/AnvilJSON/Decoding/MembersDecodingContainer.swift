/// The members of one object, by key: the code shared by both keyed containers.
///
/// It is inlined into the witnesses of the containers. Unspecialised, each call would look up the frame through another witness.
protocol MembersDecodingContainer: KeyedDecodingContainerProtocol {
  var frame: MemberFrame { get }
}

extension MembersDecodingContainer {
  var codingPath: [any CodingKey] { frame.withSession { $0.codingPath(to: frame.object) } }

  var allKeys: [Key] { frame.withSession { $0.keys(of: frame).compactMap { Key(stringValue: $0) } } }

  @inline(__always)
  func contains(_ key: Key) -> Bool { frame.withSession { frame.find(key, $0) != nil } }

  @inline(__always)
  func decodeNil(forKey key: Key) throws -> Bool {
    try frame.withSession { $0.tape[try frame.require(key, $0)].is(.null) }
  }

  @inline(__always)
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try frame.withSession { try $0.bool(at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try frame.withSession { try $0.string(at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try frame.withSession { try $0.double(at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try frame.withSession { try $0.float(at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try frame.withSession { try $0.decode(type, at: frame.require(key, $0)) }
  }
}

// MARK: - Members that may be missing

extension MembersDecodingContainer {
  @inline(__always)
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try frame.present(key) { try $0.bool(at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try frame.present(key) { try $0.string(at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try frame.present(key) { try $0.double(at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try frame.present(key) { try $0.float(at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try frame.present(key) { try $0.decode(type, at: $1) }
  }
}

// MARK: - Containers in members

extension MembersDecodingContainer {
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try frame.withSession { try NodeDecoder(session: $0, index: frame.require(key, $0)).container(keyedBy: type) }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try frame.withSession { try NodeDecoder(session: $0, index: frame.require(key, $0)).unkeyedContainer() }
  }

  func superDecoder() throws -> any Swift.Decoder { decoder(named: "super") }

  func superDecoder(forKey key: Key) throws -> any Swift.Decoder { decoder(named: key.stringValue) }

  /// Returns the decoder at the member `name`. For a missing member it is a decoder of null, as in Foundation.
  private func decoder(named name: String) -> any Swift.Decoder {
    frame.withSession { session in
      guard let value = session.value(of: name, 0, in: frame) else {
        return NullDecoder(session: session, object: frame.object, key: name)
      }
      return NodeDecoder(session: session, index: value)
    }
  }
}
