internal import AnvilBase

package struct StoredRow {
  /// The columns of a result, with their storage types.
  package final class Layout: Sendable {
    /// The table of the rows; `nil` for the results of other statements.
    let entity: String?
    let columns: [EntitySchema.Column]
    let hasReferences: Bool
    /// The indices by the names under which a model decodes its attributes.
    private let indices: [String: Int]
    /// The indices by the names in the table.
    private let columnIndices: [String: Int]
    /// The names of a model's attributes, in the order of its columns.
    let attributes: [String]
    /// The names of the attributes' columns in the table.
    private let attributeColumns: [String]
    /// The indices of the attributes' columns; -1 for those that the table does not have.
    private let places: [Int]

    /// Creates a layout of columns in this order. Of several columns with one name, the last is used.
    package init(_ columns: [(name: String, type: StoredType)]) {
      self.columns = columns.map { EntitySchema.Column(name: $0.name, type: $0.type) }
      (entity, hasReferences) = (nil, false)
      indices = Dictionary(columns.indices.map { (columns[$0].name, $0) }) { $1 }
      columnIndices = indices
      (attributes, attributeColumns, places) = ([], [], [])
    }

    /// Creates the layout of a table's rows.
    ///
    /// - Parameters:
    ///   - names: The names of the columns of the model's attributes.
    ///   - attributes: The attributes of a model that reads rows by its columns.
    init(_ schema: EntitySchema, _ names: AttributeNames, attributes: [String] = []) {
      columns = schema.columns.map {
        EntitySchema.Column(name: names.attributes[$0.name] ?? $0.name, type: $0.type, reference: $0.reference)
      }
      entity = schema.entity
      hasReferences = columns.contains { $0.reference != nil }
      self.attributes = attributes
      columnIndices = Dictionary(schema.columns.indices.map { (schema.columns[$0].name, $0) }) { $1 }
      // Handwritten code may use the name of a column, unless it is the name of an attribute with another column.
      var indices = columnIndices.filter { names.column(of: $0.key) == $0.key }
      for (index, column) in columns.enumerated() { indices[column.name] = index }
      self.indices = indices
      attributeColumns = attributes.map { names.column(of: $0) }
      places = attributeColumns.map { [columnIndices] in columnIndices[$0] ?? -1 }
    }

    /// Creates a layout for a model with other attributes, which are in these columns.
    init(_ layout: Layout, attributes: [String], columns names: [String]) {
      (columns, indices, columnIndices) = (layout.columns, layout.indices, layout.columnIndices)
      (entity, hasReferences) = (layout.entity, layout.hasReferences)
      self.attributes = attributes
      attributeColumns = names
      places = names.map { layout.columnIndices[$0] ?? -1 }
    }

    /// Whether a model reads rows of the layout by attributes that are in these columns.
    func isRead(by attributes: [String], in names: [String]) -> Bool {
      self.attributes == attributes && attributeColumns == names
    }

    /// Returns the index of the column for a model's attribute, or `nil` if the table does not have it.
    func place(ofAttribute index: Int) -> Int? {
      let place = places[index]
      return place < 0 ? nil : place
    }

    /// The columns that are not those of the model's attributes.
    var unreadColumns: [EntitySchema.Column] { columns.indices.filter { !places.contains($0) }.map { columns[$0] } }

    func columnName(ofAttribute index: Int) -> String { attributeColumns[index] }

    func index(of name: String) -> Int? { indices[name] }

    func index(ofColumn name: String) -> Int? { columnIndices[name] }

    /// Returns the index of the column `name`, and sets `position` to it. Faster than `index(of:)` if the column is at `position` or
    /// follows it.
    func index(of name: String, after position: inout Int) -> Int? {
      let next = position &+ 1
      if next >= 0, next < columns.count, columns[next].name == name {
        position = next
        return next
      }
      // Readers request the same column twice: to check for null and to read the value.
      if position >= 0, position < columns.count, columns[position].name == name { return position }
      guard let index = indices[name] else { return nil }
      position = index
      return index
    }
  }

  let layout: Layout
  let values: [StoreValue]

  /// Creates a row with one value for each column of `layout`; missing values are null.
  package init(layout: Layout, values: [StoreValue]) {
    self.layout = layout
    self.values = values
  }

  package func decode<T: Decodable>(as type: T.Type) throws -> T {
    try type.init(from: RowDecoder(row: self))
  }

  func decode<T: Decodable>(as type: T.Type, resolving resolver: (any ReferenceResolver)?) throws -> T {
    try type.init(from: RowDecoder(row: self, resolver: resolver))
  }

  func cell(_ name: String) -> StoredCell? {
    layout.index(of: name).map(cell(at:))
  }

  func cell(ofColumn name: String) -> StoredCell? {
    layout.index(ofColumn: name).map(cell(at:))
  }

  func cell(at index: Int) -> StoredCell {
    let column = layout.columns[index]
    return StoredCell(
      value: index < values.count ? values[index] : .null, type: column.type, reference: column.reference)
  }
}

struct StoredCell {
  let value: StoreValue
  let type: StoredType
  var reference: EntityReference?

  var isNull: Bool { value == .null }

  static let null = StoredCell(value: .null, type: .json)
}

/// Finds the rows that other rows refer to.
protocol ReferenceResolver: AnyObject {
  /// Returns the referenced value as a `type`; `nil` if the cell is not a reference, or the rows are not of this type.
  func resolve<T>(_ type: T.Type, in cell: StoredCell) throws -> T?

  /// Returns `true` if the cell refers to a row that no longer exists.
  func isDangling(_ cell: StoredCell) throws -> Bool

  /// Called for each attribute that a model reads, and with `nil` if the model enumerates the keys.
  func noteReading(of attribute: String?)
}

extension ReferenceResolver {
  func noteReading(of attribute: String?) {}
}

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

private struct RowContainer<Key: CodingKey>: DecodingMembers {
  let row: StoredRow
  let resolver: (any ReferenceResolver)?
  private let cursor = Cursor()

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

  // Inlined into the functions for the types of the standard library, for which the compiler evaluates the casts.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let scalar = type as? any StoredScalar.Type, let value = try cell(key).scalar(scalar, as: type, at: [key]) {
      return value
    }
    // The model decodes an `Optional` type instead of calling `decodeIfPresent`.
    if let optional = type as? any DecodableOptional.Type {
      guard contains(key), try !decodeNil(forKey: key) else {
        return try type.init(from: StoredCell.null.decoder(at: [key]))
      }
      if let value = try optional.decode({ try decode($0, forKey: key) }) as? T { return value }
    }
    return try cell(key).decode(type, resolving: resolver, at: [key])
  }

  func node(forKey key: Key) throws -> CellDecoder { CellDecoder(cell: try cell(key), codingPath: [key]) }

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
}
