internal import AnvilBase
internal import AnvilJSON

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

private struct AttributeRoot: SingleValueEncodingContainer {
  let encoder: AttributeEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}

  func encode<T: Encodable>(_ value: T) throws {
    // A scalar has no attributes.
    if !(T.self is any StoredScalar.Type) { try value.encode(to: encoder) }
  }

  func encode(_ value: Int128) {}
  func encode(_ value: UInt128) {}
}

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

struct IgnoringEncoder: Encoder {
  /// The error that is thrown for the first value, to end the encoding early. If it is `nil`, all values are discarded.
  var refusal: (any Error)?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Container(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Container<AttributeKey>(encoder: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Container<AttributeKey>(encoder: self) }

  private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol, UnkeyedEncodingContainer,
    SingleValueEncodingContainer
  {
    let encoder: IgnoringEncoder
    var codingPath: [any CodingKey] { [] }
    var count = 0

    private mutating func take() throws {
      count += 1
      if let refusal = encoder.refusal { throw refusal }
    }

    mutating func encodeNil() throws { try take() }
    mutating func encode<T: Encodable>(_ value: T) throws { try take() }
    mutating func encode(_ value: Int128) throws { try take() }
    mutating func encode(_ value: UInt128) throws { try take() }

    mutating func encodeNil(forKey key: Key) throws { try take() }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try take() }
    mutating func encode(_ value: Int128, forKey key: Key) throws { try take() }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try take() }

    private mutating func next() -> IgnoringEncoder {
      count += 1
      return encoder
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      next().container(keyedBy: type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }
    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
  }
}

struct KeyReader<Model: StorableModel> {
  private let coder = RowCoder<Model>.make()
  private let encoder: RowEncoder
  private let keys = Model.matchKeys ?? []

  /// - Parameter schema: The table, whose columns may contain dates in an earlier form.
  init(_ precision: StoredDate.Precision, in schema: EntitySchema?) {
    let names = coder.attributes.isEmpty ? keys.map(\.codingKey) : coder.attributes
    encoder = RowEncoder(attributes: names, datePrecision: precision)
    for key in keys {
      if let type = schema?.column(named: key.attribute)?.type, type.isDate { encoder.store(key.codingKey, as: type) }
    }
  }

  /// Returns the key of a model. A key attribute that the model does not encode has the value null.
  func key(of model: Model) throws -> RowKey {
    try coder.write(model, with: encoder)
    return RowKey(keys.map { key in key.index(in: encoder.attributes).map { encoder.row[$0] } ?? .null })
  }
}

/// An encoder that splits `Encodable` values of one type into attributes. The attributes have the order in which they were first encoded.
///
/// A keyed value has an attribute for each of its coding keys. Numbers, text, dates and similar values are stored directly, and so is a
/// value that encodes itself as one of them, such as an enumeration. All other values are stored as JSON with sorted keys, so that equal
/// values have equal text. An optional that is nil has the storage type of its wrapped type. If the wrapped type does not determine one, it
/// has the type of earlier values.
///
/// Attributes are kept from one value to the next: attributes that a value does not encode are null.
package final class RowEncoder {
  private let collector: AttributeCollector
  private let encoder: AttributeEncoder

  /// - Parameters:
  ///   - references: Stores the models that have separate rows. If it is `nil`, such models are stored as JSON.
  ///   - names: The names of the attributes that are known before any value is encoded.
  init(
    references: EntityBindings? = nil, attributes names: [String], datePrecision: StoredDate.Precision = .nanoseconds
  ) {
    collector = AttributeCollector(references: references, datePrecision: datePrecision)
    collector.declare(names)
    encoder = AttributeEncoder(containers: ContainerCache(collector: collector))
  }

  package convenience init() { self.init(attributes: []) }

  /// The attributes of the values so far.
  package var attributes: [Attribute] { collector.attributes }

  var indexedNames: Set<String> { collector.indexedNames }

  var jsonNames: Set<String> { collector.jsonNames }

  /// The values of the last value's attributes, in the order of ``attributes``.
  package var values: [StoreValue] { collector.values.all }

  var row: RowValues { collector.values }

  var revision: Int { collector.revision }

  /// Adds an attribute in advance. This is needed for attributes that values do not encode when they are nil.
  func declare(_ attribute: Attribute) { collector.declare(attribute) }

  /// Stores an attribute as this type from now on, because the column contains earlier values of the type.
  func store(_ name: String, as type: StoredType) { collector.store(name, as: type) }

  /// Splits `value` into attributes. If a key is encoded several times, the last value is used.
  ///
  /// - Throws: `EncodingError.invalidValue`, with the key, for a value that is not keyed, for NaN, and for whole numbers outside the range
  ///   of `Int64`; ``StoreError/Code/schemaMismatch`` for an attribute whose type differs from that of earlier values; any error that the
  ///   value throws.
  package func encode(_ value: some Encodable) throws {
    collector.begin()
    try value.encode(to: encoder)
    switch collector.shape {
    case .keyed: return
    case .pieces: try collector.addNestedMembers(value)
    case .other:
      throw EncodingError.unencodable(value, at: [], "A stored value must encode into a keyed container.")
    }
  }

  /// Passes the values of a model's columns to the attributes with which the encoder was created.
  func encode(columnsOf model: some StoredModel) throws {
    collector.begin()
    try model._write(to: _StoredRowWriter(collector))
  }
}

struct StoredReference {
  let value: StoreValue
  let type: StoredType
  let reference: EntityReference
}

/// The values of a row's key, in the order of the key's columns. None of them is null.
enum RowKey: Hashable, Sendable {
  // Most keys have one value. An array would need an additional allocation for each row.
  case one(StoreValue)
  case several([StoreValue])

  init(_ values: [StoreValue]) {
    self = values.count == 1 ? .one(values[0]) : .several(values)
  }

  var values: [StoreValue] {
    switch self {
    case .one(let value): [value]
    case .several(let values): values
    }
  }
}
