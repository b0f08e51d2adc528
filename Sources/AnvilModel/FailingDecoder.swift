/// A decoder for input that could not be read at all: whatever is asked of it throws the reason.
struct FailingDecoder: Decoder {
  let error: any Error

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw error }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw error }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw error }
}
