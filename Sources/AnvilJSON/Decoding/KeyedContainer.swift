/// The members of one object, in a frame owned by the session. It is a trivial type.
struct KeyedContainer<Key: CodingKey>: MembersDecodingContainer {
  let frame: MemberFrame
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

  /// Returns the index of the value of `key`, which is required.
  @inline(__always)
  func require(_ key: some CodingKey, _ session: DecodingSession) throws -> Int {
    guard let value = find(key, session) else { throw session.missing(key, in: object) }
    return value
  }

  /// Returns the result of `decode` for the value of `key`; `nil` if it is missing or null.
  @inline(__always)
  func present<Value>(_ key: some CodingKey, _ decode: (DecodingSession, Int) throws -> Value) throws -> Value? {
    try withSession { session in
      guard let value = find(key, session), !session.tape[value].is(.null) else { return nil }
      return try decode(session, value)
    }
  }
}
