/// A stored value as its row has it.
package struct StoredRow {
  /// The columns of a result, with the types that the store gave them.
  package final class Layout: Sendable {
    struct Column: Hashable, Sendable {
      let name: String
      let type: StoredType
      let reference: EntityReference?
    }

    let columns: [Column]
    private let indices: [String: Int]

    /// A layout of columns in their order; of several of one name the last is found.
    package init(_ columns: [(name: String, type: StoredType)]) {
      self.columns = columns.map { Column(name: $0.name, type: $0.type, reference: nil) }
      indices = Dictionary(columns.indices.map { (columns[$0].name, $0) }) { $1 }
    }

    /// The layout of a table's rows, some of whose columns have another name for the model.
    init(_ schema: EntitySchema, aliases: [String: String]) {
      columns = schema.columns.map {
        Column(name: aliases[$0.name] ?? $0.name, type: $0.type, reference: $0.reference)
      }
      var indices = Dictionary(schema.columns.indices.map { (schema.columns[$0].name, $0) }) { $1 }
      for (index, column) in columns.enumerated() { indices[column.name] = index }
      self.indices = indices
    }

    func index(of name: String) -> Int? { indices[name] }

    /// The same, for readers that ask for the columns in about their order.
    func index(of name: String, after place: inout Int) -> Int? {
      let next = place &+ 1
      if next >= 0, next < columns.count, columns[next].name == name {
        place = next
        return next
      }
      // Asked again, as for whether it is null and then for the value.
      if place >= 0, place < columns.count, columns[place].name == name { return place }
      guard let index = indices[name] else { return nil }
      place = index
      return index
    }
  }

  let layout: Layout
  let values: [StoreValue]

  /// A row with one value for each column of `layout`; what it has fewer is null.
  package init(layout: Layout, values: [StoreValue]) {
    self.layout = layout
    self.values = values
  }

  /// The value that was stored as this row.
  ///
  /// - Throws: `DecodingError`, and whatever the type throws.
  package func decode<T: Decodable>(as type: T.Type) throws -> T {
    try type.init(from: RowDecoder(row: self))
  }

  /// The value that was stored as this row, with the values of other rows that it refers to.
  func decode<T: Decodable>(as type: T.Type, resolving resolver: any ReferenceResolver) throws -> T {
    try type.init(from: RowDecoder(row: self, resolver: resolver))
  }

  /// What stands in the column of this name, and how it is stored; `nil` where there is no such column.
  func cell(_ name: String) -> StoredCell? {
    layout.index(of: name).map(cell(at:))
  }

  func cell(at index: Int) -> StoredCell {
    let column = layout.columns[index]
    return StoredCell(
      value: index < values.count ? values[index] : .null, type: column.type, reference: column.reference)
  }
}

/// A stored attribute.
struct StoredCell {
  let value: StoreValue
  let type: StoredType
  var reference: EntityReference?

  var isNull: Bool { value == .null }

  static let null = StoredCell(value: .null, type: .json)
}

/// Finds the rows that others refer to.
protocol ReferenceResolver: AnyObject {
  /// What the cell refers to, as a `type`; `nil` when it refers to nothing, or to rows that are no `type`.
  func resolve<T>(_ type: T.Type, in cell: StoredCell) throws -> T?

  /// Whether the cell refers to a row that is not there any more.
  func isDangling(_ cell: StoredCell) throws -> Bool

  /// Hears which attributes a model reads; `nil` when it reads whatever there is.
  func noteReading(of attribute: String?)
}
