/// Takes whatever is encoded and keeps nothing of it.
struct IgnoringEncoder: Encoder {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed())
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed() }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single() }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {}
    func encode<T: Encodable>(_ value: T, forKey key: Key) {}
    func encode(_ value: Int128, forKey key: Key) {}
    func encode(_ value: UInt128, forKey key: Key) {}

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      IgnoringEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Unkeyed() }
    func superEncoder() -> any Encoder { IgnoringEncoder() }
    func superEncoder(forKey key: Key) -> any Encoder { IgnoringEncoder() }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    mutating func encodeNil() { count += 1 }
    mutating func encode<T: Encodable>(_ value: T) { count += 1 }
    mutating func encode(_ value: Int128) { count += 1 }
    mutating func encode(_ value: UInt128) { count += 1 }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      count += 1
      return IgnoringEncoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      count += 1
      return Unkeyed()
    }

    mutating func superEncoder() -> any Encoder {
      count += 1
      return IgnoringEncoder()
    }
  }

  private struct Single: SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }

    func encodeNil() {}
    func encode<T: Encodable>(_ value: T) {}
    func encode(_ value: Int128) {}
    func encode(_ value: UInt128) {}
  }
}
