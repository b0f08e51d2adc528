/// The mapping between the names of a model's attributes and the names of their columns.
///
/// An attribute is named by its coding key. Its column has the same name, unless a match key or the model says otherwise.
struct AttributeNames {
  private let columns: [String: String]
  /// The names of attributes by column, for columns that are named differently.
  let attributes: [String: String]
  private let model: (any StoredModel.Type)?

  /// Creates the mapping of a model whose columns all have the names of their attributes.
  init() { (columns, attributes, model) = ([:], [:], nil) }

  init(of type: any ManagedDecodable.Type) {
    var pairs = (type.matchKeys ?? []).map { ($0.codingKey, $0.attribute) }
    model = type as? any StoredModel.Type
    if let model { pairs += model._storedAttributes.map { ($0.key, $0.column) } }
    pairs.removeAll { $0.0 == $0.1 }
    columns = Dictionary(pairs) { first, _ in first }
    attributes = Dictionary(pairs.map { ($0.1, $0.0) }) { first, _ in first }
  }

  func column(of attribute: String) -> String { columns[attribute] ?? attribute }

  /// Returns the default values of the model's columns that the database can have, by the name of the column. Leaves out a default that cannot
  /// be stored, such as NaN.
  func defaults() -> [String: StoreValue] {
    var defaults: [String: StoreValue] = [:]
    for attribute in model?._storedAttributes ?? [] where attribute.hasConstantDefault {
      defaults[attribute.column] = (try? attribute.defaultValue())?.value
    }
    return defaults
  }

  /// The value of an attribute in rows of a table that does not have a column for it.
  enum MissingValue {
    case null
    case value(StoredType, StoreValue)
  }

  /// Returns the value of an attribute in rows of a table that does not have a column for it. Returns `nil` if it is not known that the
  /// model has the attribute.
  func missingValue(of attribute: String) -> MissingValue? {
    guard let stored = model?._storedAttributes.first(where: { $0.key == attribute || $0.column == attribute }) else {
      return nil
    }
    guard let (type, value) = try? stored.defaultValue() else { return .null }
    return .value(type, value)
  }
}
