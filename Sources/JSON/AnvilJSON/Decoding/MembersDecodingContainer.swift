internal import AnvilBase

/// The members of one object, by key: the code shared by both keyed containers.
///
/// It is specialised for both, because in unspecialised code each call would look up the frame through another witness. The lookup of the
/// key is not inlined, so that none of these functions is large. ``KeyedContainer`` repeats the most frequent ones with the lookup inlined.
protocol MembersDecodingContainer: KeyedDecodingContainerProtocol {
  var frame: MemberFrame { get }
}

extension MembersDecodingContainer {
  var codingPath: [any CodingKey] { frame.withSession { $0.codingPath(to: frame.object) } }

  var allKeys: [Key] { frame.withSession { $0.keys(of: frame).compactMap { Key(spelled: $0) } } }

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
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try frame.integer(key) }
  @inline(__always)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try frame.integer(key) }
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try frame.session.decode(type, at: frame.value(of: key))
  }

  @inline(__always)
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try frame.ifPresent(key) { try $0.bool(at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try frame.ifPresent(key) { try $0.string(at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try frame.ifPresent(key) { try $0.double(at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try frame.ifPresent(key) { try $0.float(at: $1) }
  }
  @inline(__always)
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try frame.presentInteger(key) }
  @inline(__always)
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try frame.ifPresent(key) { try $0.decode(type, at: $1) }
  }

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

/// The members of one object, in a frame owned by the session. It is a trivial type.
struct KeyedContainer<Key: CodingKey>: MembersDecodingContainer {
  let frame: MemberFrame
}

/// Decoding of members of the most frequent types, with the lookup of the key inlined.
extension KeyedContainer {
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
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try frame.withSession { try $0.integer(type, at: frame.require(key, $0)) }
  }
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try frame.withSession { try $0.decode(type, at: frame.require(key, $0)) }
  }

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
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try frame.present(key) { try $0.integer(type, at: $1) }
  }
  @inline(__always)
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try frame.present(key) { try $0.decode(type, at: $1) }
  }
}

/// The members of one object, in a frame owned by the container.
struct OwnedKeyedContainer<Key: CodingKey>: MembersDecodingContainer {
  private let owner: OwnedFrame<MemberFrame.State>

  init(_ owner: OwnedFrame<MemberFrame.State>) {
    self.owner = owner
  }

  var frame: MemberFrame { owner.frame }
}

extension MemberFrame {
  @inline(__always)
  func find(_ key: some CodingKey, _ session: DecodingSession) -> Int? {
    session.value(of: key.stringValue, MemberFrame.bit(of: key), in: self)
  }

  /// Returns the index of the value of `key`. Throws an error if the key is missing.
  @inline(__always)
  func require(_ key: some CodingKey, _ session: DecodingSession) throws -> Int {
    guard let value = find(key, session) else { throw session.missing(key, in: object) }
    return value
  }

  /// Returns the result of `decode` for the value of `key`; `nil` if the key is missing or its value is null, and if the value is open and
  /// cannot be decoded yet.
  @inline(__always)
  func present<Value>(_ key: some CodingKey, _ decode: (DecodingSession, Int) throws -> Value) throws -> Value? {
    try withSession { session in
      guard let value = find(key, session), !session.tape[value].is(.null) else { return nil }
      return try session.decodeUnlessOpen(value, decode)
    }
  }

  /// Does the same with a lookup that is not inlined.
  @inline(__always)
  func ifPresent<Value>(_ key: some CodingKey, _ decode: (DecodingSession, Int) throws -> Value) throws -> Value? {
    guard let value = presentValue(of: key) else { return nil }
    return try session.decodeUnlessOpen(value, decode)
  }

  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ key: some CodingKey) throws -> Value {
    try session.integer(Value.self, at: value(of: key))
  }

  @inline(__always)
  func presentInteger<Value: FixedWidthInteger>(_ key: some CodingKey) throws -> Value? {
    try ifPresent(key) { try $0.integer(Value.self, at: $1) }
  }

  @inline(never)
  func contains(_ key: some CodingKey) -> Bool { withSession { find(key, $0) != nil } }

  /// Returns the index of the value of `key`. Throws an error if the key is missing.
  @inline(never)
  func value(of key: some CodingKey) throws -> Int { try withSession { try require(key, $0) } }

  /// Returns the index of the value of `key`; `nil` if the key is missing or its value is null.
  @inline(never)
  func presentValue(of key: some CodingKey) -> Int? {
    withSession { session in
      find(key, session).flatMap { session.tape[$0].is(.null) ? nil : $0 }
    }
  }
}

/// The decoder at one value of a document, and its single-value container.
///
/// It is two words in size, so that an existential stores it without an allocation.
struct NodeDecoder: Swift.Decoder {
  let session: DecodingSession
  let index: Int

  var codingPath: [any CodingKey] { session.codingPath(to: index) }

  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard session.tape[index].is(.object) else { throw session.mismatch([String: Any].self, at: index) }
    return session.container(keyedBy: type, at: index)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard session.tape[index].is(.array) else { throw session.mismatch([Any].self, at: index) }
    return UnkeyedContainer(session: session, index: index)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension NodeDecoder: KeyConvertingDecoder {
  func convertedKey(_ key: String) -> String {
    session.usesDefaultKeys ? key : session.convertedKey(key, after: codingPath)
  }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.tape[index].is(.null) }

  func decode(_ type: Bool.Type) throws -> Bool { try session.bool(at: index) }
  func decode(_ type: String.Type) throws -> String { try session.string(at: index) }
  func decode(_ type: Double.Type) throws -> Double { try session.double(at: index) }
  func decode(_ type: Float.Type) throws -> Float { try session.float(at: index) }
  func decode(_ type: Int.Type) throws -> Int { try session.integer(type, at: index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try session.integer(type, at: index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try session.integer(type, at: index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try session.integer(type, at: index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try session.integer(type, at: index) }
  func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(type, at: index) }
  func decode(_ type: UInt.Type) throws -> UInt { try session.integer(type, at: index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try session.integer(type, at: index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try session.integer(type, at: index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try session.integer(type, at: index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try session.integer(type, at: index) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(type, at: index) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try session.decode(type, at: index) }
}

/// The decoder at a missing value, which reads as null. `superDecoder(forKey:)` returns it for a missing key.
struct NullDecoder: Swift.Decoder, SingleValueDecodingContainer {
  let session: DecodingSession
  let object: Int
  let key: String

  // Computed on request: most callers use only the user info of this decoder.
  var codingPath: [any CodingKey] { session.codingPath(to: object) + [DecodingKey(stringValue: key)] }
  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw absent([String: Any].self)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw absent([Any].self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let absent = type as? any ExpressibleByNilLiteral.Type, let value = absent.init(nilLiteral: ()) as? T else {
      throw self.absent(type)
    }
    return value
  }

  private func absent(_ type: Any.Type) -> any Error {
    DecodingError.valueNotFound(
      type, DecodingError.Context(codingPath: codingPath, debugDescription: "Expected \(type), found nothing."))
  }
}
