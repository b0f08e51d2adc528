/// Converts models to rows and rows to models: by columns if the model has them, otherwise with `Codable`.
final class RowCoder<Model: StorableModel> {
  /// The names of the attributes in the order of the model's columns; empty for models without columns.
  let attributes: [String]
  private let writeModel: (Model, RowEncoder) throws -> Void
  private let readCurrent: (borrowing StoreRow, StoredRow.Layout, (any ReferenceResolver)?) throws -> Model
  private let readStored: (StoredRow, (any ReferenceResolver)?) throws -> Model

  /// Returns the coder of a type.
  static func make() -> RowCoder {
    func open<Stored: StoredModel>(_ type: Stored.Type) -> AnyObject { RowCoder<Stored>(columnsOf: type) }
    let coder = (Model.self as? any StoredModel.Type).flatMap { open($0) as? RowCoder }
    return coder ?? RowCoder()
  }

  private init() {
    attributes = []
    writeModel = { model, encoder in try encoder.encode(model) }
    readCurrent = { row, layout, resolver in
      try StoredRow(layout: layout, values: row.values()).decode(as: Model.self, resolving: resolver)
    }
    readStored = { row, resolver in try row.decode(as: Model.self, resolving: resolver) }
  }

  private init(columnsOf type: Model.Type) where Model: StoredModel {
    let attributes = Model._storedAttributes.map(\.key)
    self.attributes = attributes
    writeModel = { model, encoder in try encoder.encode(columnsOf: model) }
    readCurrent = { row, layout, resolver in
      try Model._read(from: _StoredRowReader(.current(row.columns), layout, resolver))
    }
    readStored = { row, resolver in
      // Another model of the same entity may have read the row.
      let isOwn = row.layout.attributes == attributes
      let layout = isOwn ? row.layout : StoredRow.Layout(row.layout, attributes: attributes)
      return try Model._read(from: _StoredRowReader(.stored(row.values), layout, resolver))
    }
  }

  /// Passes the values of the model to the encoder.
  func write(_ model: Model, with encoder: RowEncoder) throws { try writeModel(model, encoder) }

  /// Creates the model from the current row of a query, whose columns are those of `layout`.
  func read(
    _ row: borrowing StoreRow, _ layout: StoredRow.Layout, resolving resolver: (any ReferenceResolver)?
  ) throws -> Model {
    try readCurrent(row, layout, resolver)
  }

  func read(_ row: StoredRow, resolving resolver: (any ReferenceResolver)?) throws -> Model {
    try readStored(row, resolver)
  }
}
