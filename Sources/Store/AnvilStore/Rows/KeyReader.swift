/// Reads the keys of models, without storing anything.
struct KeyReader<Model: StorableModel> {
  private let coder = RowCoder<Model>.make()
  private let encoder: RowEncoder
  private let keys = Model.matchKeys ?? []

  init() {
    encoder = RowEncoder(attributes: coder.attributes)
  }

  /// Returns the key of a model. A key attribute that the model does not encode has the value null.
  func key(of model: Model) throws -> RowKey {
    try coder.write(model, with: encoder)
    return RowKey(
      keys.map { key in
        encoder.attributes.firstIndex { $0.name == key.codingKey || $0.name == key.attribute }
          .map { encoder.row[$0] } ?? .null
      })
  }
}
