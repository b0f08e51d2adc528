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
