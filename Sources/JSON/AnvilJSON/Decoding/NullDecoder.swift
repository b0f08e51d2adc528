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
