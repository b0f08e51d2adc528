internal import AnvilBase

/// A decoder of a row, keyed by the names of its columns.
struct RowDecoder: DecodingNode {
  let row: StoredRow
  var resolver: (any ReferenceResolver)?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(row: row, resolver: resolver))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch([Any].self) }

  func decodeNil() -> Bool { false }

  /// Decodes the row as a model that wraps another one.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard !(type is any StoredScalar.Type) else { throw mismatch(type) }
    return try type.init(from: self)
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: [], debugDescription: "A row must be decoded from a keyed container."))
  }
}

/// The columns of a row.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: StoredRow
  let resolver: (any ReferenceResolver)?
  private let cursor = Cursor()

  /// The index of the column that was read last.
  private final class Cursor {
    var position = -1
  }

  init(row: StoredRow, resolver: (any ReferenceResolver)?) {
    self.row = row
    self.resolver = resolver
  }

  var codingPath: [any CodingKey] { [] }

  /// The keys of the columns that are not null. A column that is null may belong to an attribute that the model never encoded.
  var allKeys: [Key] {
    resolver?.noteReading(of: nil)
    return zip(row.layout.columns, row.values).compactMap { column, value in
      value == .null ? nil : Key(stringValue: column.name)
    }
  }

  func contains(_ key: Key) -> Bool {
    resolver?.noteReading(of: key.stringValue)
    return row.layout.index(of: key.stringValue, after: &cursor.position) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try cell(key).isNull(resolving: resolver)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    // The model decodes an `Optional` type instead of calling `decodeIfPresent`.
    if let optional = type as? any DecodableOptional.Type {
      guard contains(key), try !decodeNil(forKey: key) else {
        return try type.init(from: StoredCell.null.decoder(at: [key]))
      }
      if let value = try optional.decode({ try decode($0, forKey: key) }) as? T { return value }
    }
    return try cell(key).decode(type, resolving: resolver, at: [key])
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    (row.cell("super") ?? .null).decoder(at: [])
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try cell(key).decoder(at: [key]) }

  private func cell(_ key: Key) throws -> StoredCell {
    resolver?.noteReading(of: key.stringValue)
    guard let index = row.layout.index(of: key.stringValue, after: &cursor.position) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: [], debugDescription: "The column \"\(key.stringValue)\" does not exist."))
    }
    return row.cell(at: index)
  }

  private func scalar<T: StoredScalar>(_ key: Key) throws -> T { try cell(key).scalar(at: [key]) }
}
