/// Fetches models together with the models that they refer to.
extension StoreTransaction {
  /// Returns the models that match `condition`, each with the models that the named properties refer to, as the function of ``Store`` with the
  /// same name does, and throws its errors.
  public func fetch<Model: StoredModel, Value: _StoredRelated, each Other: _StoredRelated>(
    _ type: Model.Type, with relation: KeyPath<Model.Columns, StoredColumn<Model, Value>>,
    _ others: repeat KeyPath<Model.Columns, StoredColumn<Model, each Other>>,
    where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws -> [(Model, Value._Related, repeat (each Other)._Related)] {
    try fetch(
      type, with: Model.columns[keyPath: relation], repeat Model.columns[keyPath: each others], where: condition,
      orderedBy: orders, limit: limit, offset: offset)
  }

  /// Returns the models that match `condition`, each with the models that the columns refer to.
  package func fetch<Model: ManagedDecodable & Codable, Value: _StoredRelated, each Other: _StoredRelated>(
    _ type: Model.Type, with relation: StoredColumn<Model, Value>, _ others: repeat StoredColumn<Model, each Other>,
    where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws -> [(Model, Value._Related, repeat (each Other)._Related)] where Model.Context == StoreTransaction {
    try requireUsable()
    var query = StoreQuery(condition, orders, limit: limit, offset: offset)
    query.related.append(RelatedColumn(relation))
    for column in repeat each others { query.related.append(RelatedColumn(column)) }
    let page = try rows.page(type, query)
    var column = -1
    func models<Target: StorableModel>(_ target: Target.Type) throws -> [[Target]] {
      column += 1
      return try rows.related(target, page.related.map { $0[column] })
    }
    let first = try models(Value._Target.self)
    let others = (repeat try models((each Other)._Target.self))
    var results: [(Model, Value._Related, repeat (each Other)._Related)] = []
    results.reserveCapacity(page.models.count)
    for (index, model) in page.models.enumerated() {
      results.append((model, Value._related(first[index]), repeat (each Other)._related((each others)[index])))
    }
    return results
  }
}

/// Fetches models together with the models that they refer to, in a separate transaction.
extension Store {
  /// Returns the models that match `condition`, each with the models that the named properties refer to.
  ///
  ///     for (issue, assignee, labels) in try await store.fetch(Issue.self, with: \.assignee, \.labels, where: \.state == .open) {
  ///       print(issue.title, assignee?.login ?? "nobody", labels.map(\.name))
  ///     }
  ///
  /// A property with one reference has an optional model, which is `nil` if there is no reference or if the row does not exist. A property
  /// with an array of references has an array of models in the same order, without those whose rows do not exist. A property of a
  /// referenced model can be named, too: `\.assignee.team`.
  ///
  /// One statement reads the models, and one statement for each property reads the referenced models, however many there are. The condition,
  /// the orders, the limit and the offset apply to the models of `type`.
  ///
  /// - Throws: The same errors as without relations.
  public func fetch<Model: StoredModel, Value: _StoredRelated, each Other: _StoredRelated>(
    _ type: Model.Type, with relation: KeyPath<Model.Columns, StoredColumn<Model, Value>>,
    _ others: repeat KeyPath<Model.Columns, StoredColumn<Model, each Other>>,
    where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [], limit: Int? = nil,
    offset: Int = 0
  ) async throws -> [(Model, Value._Related, repeat (each Other)._Related)]
  where Value._Related: Sendable, repeat (each Other)._Related: Sendable {
    try await fetch(
      type, with: Model.columns[keyPath: relation], repeat Model.columns[keyPath: each others], where: condition,
      orderedBy: orders, limit: limit, offset: offset)
  }

  /// Returns the models that match `condition`, each with the models that the columns refer to.
  package func fetch<Model: ManagedDecodable & Codable & Sendable, Value: _StoredRelated, each Other: _StoredRelated>(
    _ type: Model.Type, with relation: StoredColumn<Model, Value>, _ others: repeat StoredColumn<Model, each Other>,
    where condition: StoreCondition<Model> = .all, orderedBy orders: [StoreOrder<Model>] = [], limit: Int? = nil,
    offset: Int = 0
  ) async throws -> [(Model, Value._Related, repeat (each Other)._Related)]
  where Model.Context == StoreTransaction, Value._Related: Sendable, repeat (each Other)._Related: Sendable {
    try await read { transaction in
      try transaction.fetch(
        type, with: relation, repeat each others, where: condition, orderedBy: orders, limit: limit, offset: offset)
    }
  }
}

/// A reference to a model by its id, as in `"category_id": 5`.
///
///     @StoredModel struct Product: Identifiable {
///       @MatchKey var id: Int
///       var category: Reference<Category>?
///       var tags: [Reference<Tag>]
///     }
///     let products = try transaction.fetch(Product.self, with: \.category, \.tags)
///     let others = try transaction.fetch(Product.self, where: \.category.id == 5)
///     let novels = try transaction.fetch(Product.self, where: \.category.name == "novel" && .contains(\.tags, 3))
///
/// In payloads and in columns, a reference is only the id: a column has the type of the id, and an array of references is a JSON array of
/// ids. The model need not exist, and references may form cycles. The database does not check them: a row may be deleted while others refer
/// to it. The column has an index, which conditions use; see `StoreCondition.any(_:where:)`.
///
/// The id is the value of the model's only match key: conditions, orders and `fetch(_:with:)` follow references to a ``ReferencedModel``. If a
/// payload contains the whole model instead of its id, use the model itself as the type of the property.
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

/// A model that exactly one match key identifies, so that conditions, orders and `fetch(_:with:)` can follow references to it.
///
/// A struct with ``StoredModel()`` and one `@MatchKey` is a referenced model. Other models adopt the protocol with the key instead of
/// ``ManagedDecodable/matchKeys``:
///
///     struct Member: Codable, Sendable, Identifiable, ReferencedModel {
///       static let matchKey = MatchKey.key(CodingKeys.id)
///       var id: Int
///     }
///
/// For a ``Reference``, the key must have the type of the model's `id`.
public protocol ReferencedModel: ManagedDecodable, Codable, _StoredRelation
where Context == StoreTransaction, _Target == Self {
  /// The type of the match key. The default is that of the model's `id`.
  associatedtype _MatchKeyType = Never

  /// The only match key.
  static var matchKey: MatchKey { get }
}

/// A ``StoredModel`` with several match keys. It can be a property of other models, but conditions cannot follow it.
public protocol _CompositeModel: StoredModel, _StoredRelation where _Target == Self {}

extension ReferencedModel {
  /// The match key.
  public static var matchKeys: [MatchKey]? { [matchKey] }
}

extension ReferencedModel where Self: Identifiable {
  /// The type of the model's `id`.
  public typealias _MatchKeyType = ID
}

/// A type whose values get an index on their column when the column is created.
protocol IndexedValue {}
extension Reference: IndexedValue {}
extension Array: IndexedValue where Element: IndexedValue {}
