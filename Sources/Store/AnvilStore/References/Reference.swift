/// A reference to a model by its id, as in `"category_id": 5`.
///
///     @StoredModel struct Product: Identifiable {
///       @MatchKey var id: Int
///       var category: Reference<Category>?
///       var tags: [Reference<Tag>]
///     }
///     let category = try transaction.fetch(product.category)
///     let others = try transaction.fetch(Product.self, where: \.category.id == 5)
///     let novels = try transaction.fetch(Product.self, where: \.category.name == "novel" && .contains(\.tags, 3))
///
/// In payloads and in columns, a reference is only the id: a column has the type of the id, and an array of references is a JSON array of
/// ids. The model need not exist, and references may form cycles. The database does not check them: a row may be deleted while others refer
/// to it. The column has an index, which conditions use; see ``StoreCondition/any(_:where:)``.
///
/// The id is the value of the model's only match key. If a payload contains the whole model instead of its id, use the model itself as the
/// type of the property.
public struct Reference<Model: Identifiable>: Hashable, Sendable where Model.ID: Codable & Sendable {
  /// The id of the model.
  public let id: Model.ID

  /// Creates a reference to the model with this id.
  public init(id: Model.ID) {
    self.id = id
  }

  /// Creates a reference to a model.
  public init(to model: Model) {
    id = model.id
  }
}

extension Reference: Codable {
  /// Decodes the id.
  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(Model.ID.self)
  }

  /// Encodes the id.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

/// A type whose values get an index on their column when the column is created.
protocol IndexedValue {}
extension Reference: IndexedValue {}
extension Array: IndexedValue where Element: IndexedValue {}
