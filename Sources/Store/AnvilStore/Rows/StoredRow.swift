/// A row that contains a stored value.
package struct StoredRow {
  /// The columns of a result, with their storage types.
  package final class Layout: Sendable {
    struct Column: Hashable, Sendable {
      let name: String
      let type: StoredType
      let reference: EntityReference?
    }

    let columns: [Column]
    private let indices: [String: Int]
    /// The names of a model's attributes, in the order of its columns.
    let attributes: [String]
    /// The indices of the attributes' columns; -1 for those that the table does not have.
    private let places: [Int]

    /// Creates a layout of columns in this order. Of several columns with one name, the last is used.
    package init(_ columns: [(name: String, type: StoredType)]) {
      self.columns = columns.map { Column(name: $0.name, type: $0.type, reference: nil) }
      indices = Dictionary(columns.indices.map { (columns[$0].name, $0) }) { $1 }
      (attributes, places) = ([], [])
    }

    /// Creates the layout of a table's rows.
    ///
    /// - Parameters:
    ///   - aliases: The attribute names of columns that are named differently in the table. The dictionary's keys are the names in the
    ///     table.
    ///   - attributes: The attributes of a model that reads rows by its columns.
    init(_ schema: EntitySchema, aliases: [String: String], attributes: [String] = []) {
      columns = schema.columns.map {
        Column(name: aliases[$0.name] ?? $0.name, type: $0.type, reference: $0.reference)
      }
      self.attributes = attributes
      var indices = Dictionary(schema.columns.indices.map { (schema.columns[$0].name, $0) }) { $1 }
      for (index, column) in columns.enumerated() { indices[column.name] = index }
      self.indices = indices
      places = attributes.map { indices[$0] ?? -1 }
    }

    /// Creates a layout with the same columns, for a model with these attributes.
    init(_ layout: Layout, attributes: [String]) {
      (columns, indices) = (layout.columns, layout.indices)
      self.attributes = attributes
      places = attributes.map { layout.indices[$0] ?? -1 }
    }

    /// Returns the index of the column for a model's attribute, or `nil` if the table does not have it.
    func place(ofAttribute index: Int) -> Int? {
      let place = places[index]
      return place < 0 ? nil : place
    }

    /// Returns the name of the attribute at an index of ``attributes``.
    func attribute(_ index: Int) -> String { attributes[index] }

    func index(of name: String) -> Int? { indices[name] }

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

  /// Decodes the value that was stored as this row.
  ///
  /// - Throws: `DecodingError`, and any error that the type throws.
  package func decode<T: Decodable>(as type: T.Type) throws -> T {
    try type.init(from: RowDecoder(row: self))
  }

  /// Decodes the value that was stored as this row. `resolver` finds the rows that it refers to.
  func decode<T: Decodable>(as type: T.Type, resolving resolver: (any ReferenceResolver)?) throws -> T {
    try type.init(from: RowDecoder(row: self, resolver: resolver))
  }

  /// Returns the cell in the column with this name; `nil` if the column does not exist.
  func cell(_ name: String) -> StoredCell? {
    layout.index(of: name).map(cell(at:))
  }

  func cell(at index: Int) -> StoredCell {
    let column = layout.columns[index]
    return StoredCell(
      value: index < values.count ? values[index] : .null, type: column.type, reference: column.reference)
  }
}

/// A value in a column of a row, with the column's storage type and kind of reference.
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
