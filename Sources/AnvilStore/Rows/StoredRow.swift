/// A stored value as its row has it.
package struct StoredRow {
  /// The names of a result's columns, with the types that the store gave them.
  package final class Layout: Sendable {
    let columns: [(name: String, type: StoredType)]
    private let indices: [String: Int]

    /// A layout of columns in their order; of several of one name the last is found.
    package init(_ columns: [(name: String, type: StoredType)]) {
      self.columns = columns
      indices = Dictionary(columns.indices.map { (columns[$0].name, $0) }) { $1 }
    }

    func index(of name: String) -> Int? { indices[name] }
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
    try T(from: RowDecoder(row: self))
  }

  /// What stands in the column of this name, and how it is stored; `nil` where there is no such column.
  func cell(_ name: String) -> StoredCell? {
    guard let index = layout.index(of: name) else { return nil }
    return StoredCell(value: index < values.count ? values[index] : .null, type: layout.columns[index].type)
  }
}

/// A stored attribute.
struct StoredCell {
  let value: StoreValue
  let type: StoredType

  var isNull: Bool { value == .null }
}
