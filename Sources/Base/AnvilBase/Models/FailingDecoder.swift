/// A decoder for input that could not be parsed. All of its methods throw the error of the parser.
package struct FailingDecoder: Decoder {
  let error: any Error

  package init(error: any Error) { self.error = error }

  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw error }
  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw error }
  package func singleValueContainer() throws -> any SingleValueDecodingContainer { throw error }
}
