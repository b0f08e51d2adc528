/// An encoder that discards everything.
struct IgnoringEncoder: Encoder {
  /// The error that is thrown for the first value, to end the encoding early. If it is `nil`, all values are discarded.
  var refusal: (any Error)?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(encoder: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  private func take() throws {
    if let refusal { throw refusal }
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: IgnoringEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try encoder.take() }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.take() }
    func encode(_ value: Int128, forKey key: Key) throws { try encoder.take() }
    func encode(_ value: UInt128, forKey key: Key) throws { try encoder.take() }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: IgnoringEncoder
    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(encoder: IgnoringEncoder) {
      self.encoder = encoder
    }

    mutating func encodeNil() throws { try take() }
    mutating func encode<T: Encodable>(_ value: T) throws { try take() }
    mutating func encode(_ value: Int128) throws { try take() }
    mutating func encode(_ value: UInt128) throws { try take() }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      count += 1
      return encoder.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      count += 1
      return encoder.unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
      count += 1
      return encoder
    }

    private mutating func take() throws {
      count += 1
      try encoder.take()
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: IgnoringEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() throws { try encoder.take() }
    func encode<T: Encodable>(_ value: T) throws { try encoder.take() }
    func encode(_ value: Int128) throws { try encoder.take() }
    func encode(_ value: UInt128) throws { try encoder.take() }
  }
}
