/// The mapping between the names of a model's attributes and the names of their columns.
///
/// An attribute is named by its coding key. Its column has the same name, unless a match key or the model says otherwise.
struct AttributeNames {
  private let columns: [String: String]
  /// The names of attributes by column, for columns that are named differently.
  let attributes: [String: String]

  /// Creates the mapping of a model whose columns all have the names of their attributes.
  init() { (columns, attributes) = ([:], [:]) }

  init<Model: ManagedDecodable>(of type: Model.Type) {
    var pairs = (Model.matchKeys ?? []).map { ($0.codingKey, $0.attribute) }
    if let model = type as? any StoredModel.Type { pairs += model._storedAttributes.map { ($0.key, $0.column) } }
    pairs.removeAll { $0.0 == $0.1 }
    columns = Dictionary(pairs) { first, _ in first }
    attributes = Dictionary(pairs.map { ($0.1, $0.0) }) { first, _ in first }
  }

  func column(of attribute: String) -> String { columns[attribute] ?? attribute }
}
