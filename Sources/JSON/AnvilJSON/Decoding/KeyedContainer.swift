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
  /// Returns the index of the value of `key`.
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

  /// Returns the result of `decode` for the value of `key`; `nil` if the key is missing or its value is null.
  @inline(__always)
  func present<Value>(_ key: some CodingKey, _ decode: (DecodingSession, Int) throws -> Value) throws -> Value? {
    try withSession { session in
      guard let value = find(key, session), !session.tape[value].is(.null) else { return nil }
      return try decode(session, value)
    }
  }

  /// Returns whether the object has a member with `key`.
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
