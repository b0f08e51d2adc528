#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An encoder whose keyed container passes values to a collector.
struct AttributeEncoder: Encoder {
  /// The cache of containers, which retains the collector. If the collector were stored here as well, each value would retain and release
  /// both.
  let containers: ContainerCache

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let collector = containers.collector
    if collector.shape == .other { collector.shape = .keyed }
    return containers.container(keyedBy: type) { KeyedEncodingContainer(AttributeContainer(collector: collector)) }
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { IgnoringEncoder().unkeyedContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { AttributeRoot(encoder: self) }
}

/// The container of a value that encodes itself as another value.
private struct AttributeRoot: SingleValueEncodingContainer {
  let encoder: AttributeEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode<T: Encodable>(_ value: T) throws { try value.encode(to: encoder) }

  func encode(_ value: Bool) {}
  func encode(_ value: String) {}
  func encode(_ value: Double) {}
  func encode(_ value: Float) {}
  func encode(_ value: Int) {}
  func encode(_ value: Int8) {}
  func encode(_ value: Int16) {}
  func encode(_ value: Int32) {}
  func encode(_ value: Int64) {}
  func encode(_ value: Int128) {}
  func encode(_ value: UInt) {}
  func encode(_ value: UInt8) {}
  func encode(_ value: UInt16) {}
  func encode(_ value: UInt32) {}
  func encode(_ value: UInt64) {}
  func encode(_ value: UInt128) {}
}

/// The attributes of a keyed value.
private struct AttributeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let collector: AttributeCollector

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try collector.addNull(key.stringValue, nil) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try collector.addOther(value, key) }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value {
      try collector.addOther(value, key)
    } else {
      try collector.addNull(key.stringValue, storedType(of: T.self))
    }
  }

  // One function for each type, so that no type must be checked at run time.

  func encode(_ value: Bool, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: Int128, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try add(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try add(value, key) }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try addIfPresent(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try addIfPresent(value, key) }

  @inline(__always)
  private func add<T: StoredScalar>(_ value: T, _ key: Key) throws { try collector.add(value, key) }

  @inline(__always)
  private func addIfPresent<T: StoredScalar>(_ value: T?, _ key: Key) throws {
    if let value { try add(value, key) } else { try collector.addNull(key.stringValue, T.storedType) }
  }

  // A nested value is encoded as JSON afterwards.

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    collector.addPieces(key.stringValue)
    return IgnoringEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    collector.addPieces(key.stringValue)
    return IgnoringEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    collector.addPieces("super")
    return IgnoringEncoder()
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    collector.addPieces(key.stringValue)
    return IgnoringEncoder()
  }
}

/// Returns the storage type of values of a type, if the type alone determines it.
func storedType(of type: any Any.Type) -> StoredType? {
  if type == Date.self { return .timestamp }
  if type == UUID.self { return .uuid }
  if type == URL.self { return .url }
  if type == Data.self { return .data }
  return type == Decimal.self ? .decimal : nil
}
