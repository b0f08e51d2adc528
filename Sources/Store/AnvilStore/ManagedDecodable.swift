public import AnvilBase

@_exported public import protocol AnvilBase.DecoderUpdatable

/// A model that can be stored. A stored model with the same match keys is updated; otherwise a new one is inserted.
///
///     struct User: Codable, Sendable, ManagedDecodable {
///       static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
///       var id: Int
///       var login: String
///       var team: Team?        // a stored model too: kept in its own table, and referred to
///     }
///
/// A `Codable` value that conforms to the protocol is stored in a ``Store``. The table is named after the entity, and each coding
/// key is a column. The table is created when the first value is stored, and a column is added whenever the model has a new attribute.
///
/// Numbers, text, Booleans, dates, `Data`, `UUID`, `URL`, `Decimal` and enumerations with raw values have column types; other values are
/// stored as JSON. Properties that are stored models with match keys, and arrays of them, are references: they are stored in their own
/// tables, and are restored when the model is fetched.
///
/// `encode(to:)` and `init(from:)` have to mirror each other, as for `DecoderUpdatable`.
public protocol ManagedDecodable: DecoderUpdatable, SendableMetatype {
  /// The context in which the models are created and updated.
  associatedtype Context: ManagedContext = StoreTransaction

  /// The name of the entity, which names the table or an entity of a Core Data model. The default is the name of the type.
  static var entityName: String { get }

  /// The keys whose values identify a stored model; `nil` if each payload is a new model. None of the values may be null.
  static var matchKeys: [MatchKey]? { get }

  /// The rules for the attributes of a row that already exists. By default there are no rules, and incoming values replace stored ones.
  static var conflictRules: [ConflictRule] { get }

  /// Creates or updates the model in the payload of `decoder`, stores it and returns it.
  ///
  /// The default implementation finds the row by the match keys. If the row exists, it decodes the model from it, calls `update(from:)`
  /// with the decoder, and writes the model if it changed. Otherwise it decodes a new model and inserts it.
  ///
  /// - Throws: `DecodingError`, ``StoreError``, and any error that the model throws.
  @discardableResult
  static func createOrUpdate(in context: Context, from decoder: any Decoder) throws -> Self
}

extension ManagedDecodable {
  /// The name of the type.
  public static var entityName: String { "\(Self.self)" }
}

extension ManagedDecodable where Self: Codable, Context == StoreTransaction {
  /// Creates or updates the model in the payload of `decoder`, stores it and returns it.
  ///
  /// - Throws: `DecodingError` when the payload cannot be decoded as the model; ``StoreError``; any error that the model throws.
  @discardableResult
  public static func createOrUpdate(in context: StoreTransaction, from decoder: any Decoder) throws -> Self {
    try context.requireUsable()
    return try context.rows.createOrUpdate(Self.self, from: decoder, in: context)
  }
}

extension ManagedDecodable where Self: Decodable, Context == StoreTransaction {
  /// Unavailable, because rows are written by `encode(to:)`.
  @available(*, unavailable, message: "a stored model has to be Codable: adopt Codable instead of Decodable")
  @discardableResult
  public static func createOrUpdate(in context: StoreTransaction, from decoder: any Decoder) throws -> Self {
    throw StoreError(code: .unsupported, reason: "a stored model has to be Codable")
  }
}

/// The context in which stored models are created and updated: a ``StoreTransaction``, or an `NSManagedObjectContext` where Core Data
/// exists.
public protocol ManagedContext: AnyObject {}

/// A decoding factory that creates models in a store, or updates those that are stored already.
///
///     try await store.perform { transaction in
///       try body.decode(using: ManagedDecodingFactory<User>(context: transaction))
///     }
///
/// Use a factory of a transaction synchronously, within the transaction. A factory of a store's context is used asynchronously, and each
/// use is a separate transaction:
///
///     let factory = ManagedDecodingFactory<User>(context: store.context)
///     let user = try await body.decode(using: factory)
///     let users = try await request.execute().decode(using: factory.array).value
///
/// `factory.array` decodes a list of models, and `factory.array(missing: .deleted)` deletes the rows that are not in the list.
public struct ManagedDecodingFactory<Model: ManagedDecodable>: DecodingFactory {
  /// The context in which models are created and updated; `nil` for a factory of a store.
  fileprivate let context: Model.Context?
  /// The store in which a transaction is started; `nil` for a factory of one transaction.
  package let store: Store?
  /// Rules for rows that exist. They take precedence over the model's own.
  package let rules: [ConflictRule]

  /// Creates a factory of models that are created and updated in `context`.
  public init(context: Model.Context) {
    self.context = context
    store = nil
    rules = []
  }

  /// Creates or updates the model in the payload of `decoder`.
  ///
  /// - Throws: The same errors as ``ManagedDecodable/createOrUpdate(in:from:)``; ``StoreError/Code/outsideTransaction`` for a factory of a
  ///   store's context, which can only be used asynchronously.
  public func create(from decoder: any Decoder) throws -> Model {
    guard let context else {
      throw StoreError(
        code: .outsideTransaction,
        reason: "synchronous decoding requires a factory that is created with the transaction of perform")
    }
    guard !rules.isEmpty, let transaction = context as? StoreTransaction else {
      return try Model.createOrUpdate(in: context, from: decoder)
    }
    try transaction.requireUsable()
    return try transaction.rows.applying(rules, to: Model.self) {
      try Model.createOrUpdate(in: context, from: decoder)
    }
  }
}

extension ManagedDecodingFactory where Model: Codable, Model.Context == StoreTransaction {
  /// Creates a factory of models that are created and updated in a transaction, by rules for rows that exist.
  package init(context: StoreTransaction, rules: [ConflictRule]) {
    self.context = context
    store = nil
    self.rules = rules
  }

  /// Creates a factory for promises and asynchronous decoding. Each use runs a transaction in the store of `context`.
  ///
  /// `rules` are rules for rows that exist. They take precedence over those of the model.
  public init(context: Store, rules: [ConflictRule] = []) {
    self.context = nil
    store = context
    self.rules = rules
  }

  /// The factory for lists of this factory's models. Rows that are not in the list are kept.
  public var array: ManagedArrayFactory<Model> { array(missing: .kept) }

  /// Returns the factory for lists of this factory's models, with the treatment of rows that are not in the list.
  public func array(missing: MissingRows) -> ManagedArrayFactory<Model> {
    ManagedArrayFactory(element: self, missing: missing)
  }
}

/// A decoding factory of lists of stored models; see ``ManagedDecodingFactory/array(missing:)``.
public struct ManagedArrayFactory<Element: ManagedDecodable & Codable>: DecodingFactory
where Element.Context == StoreTransaction {
  package let element: ManagedDecodingFactory<Element>
  package let missing: MissingRows

  /// Creates or updates the models of the list in the payload of `decoder`.
  ///
  /// - Throws: The same errors as the factory of one model.
  public func create(from decoder: any Decoder) throws -> [Element] {
    // A factory of a store throws the error of one model.
    guard let transaction = element.context else { return [try element.create(from: decoder)] }
    return try transaction.createOrUpdate([Element].self, from: decoder, missing: missing, rules: element.rules).models
  }
}

extension ManagedDecodingFactory: Sendable where Model.Context: Sendable {}

/// The result of storing a list: the models, and the changes to their rows.
public struct ManagedList<Model: ManagedDecodable> {
  /// The models, one for each element of the list, in the same order. Elements with the same match keys update the same row one after the
  /// other. The final model is returned for each of them.
  public let models: [Model]
  /// The changes to the rows of the model's entity. Each row is counted once.
  public let changes: StoreChanges.Counts
}

extension ManagedList: Sendable where Model: Sendable {}

/// The treatment of rows that are not in a list of payloads.
public struct MissingRows: Sendable {
  /// The condition of the rows to delete; `nil` if all rows are kept.
  let deleted: ConditionNode?
  /// The entity that the condition is for; `nil` if it suits any.
  var entity: String?

  package var deletesRows: Bool { deleted != nil }

  /// Keeps the rows.
  public static var kept: MissingRows { MissingRows(deleted: nil) }

  /// Deletes all rows of the entity that are not in the list. Use this when the list is complete.
  public static var deleted: MissingRows { MissingRows(deleted: .all) }

  /// Deletes the rows that match `scope` and are not in the list. Use this when the list contains all rows that match.
  ///
  ///     missing: .deleted(Member.self, where: \.team == "red")
  public static func deleted<Model: ManagedDecodable>(
    _ type: Model.Type, where scope: StoreCondition<Model>
  ) -> MissingRows {
    MissingRows(deleted: scope.node, entity: Model.entityName)
  }

  /// Deletes the rows that match `scope`, of an entity without a model.
  package static func deleted(where scope: ConditionNode) -> MissingRows {
    MissingRows(deleted: scope)
  }

  /// Returns the condition of the rows to delete; `nil` if all rows are kept.
  ///
  /// - Throws: ``StoreError/Code/invalidStatement`` if the condition is one on another model.
  func scope(of entity: String) throws(StoreError) -> ConditionNode? {
    guard let other = self.entity, other != entity else { return deleted }
    throw StoreError(
      code: .invalidStatement, reason: "the condition for missing rows of \(entity) is one on rows of \(other)")
  }
}

/// A coding key that identifies a model's row.
public struct MatchKey: Hashable, Sendable {
  /// The name of the value in payloads.
  package let codingKey: String
  /// The name of the attribute that stores the value: a column, or a property in a Core Data model.
  package let attribute: String

  /// Returns the index of the attribute with the value of the key. A model encodes the value with the name that it has in payloads or, in
  /// handwritten code, with that of the attribute, which another property may have as its coding key.
  func index(in attributes: [Attribute]) -> Int? {
    attributes.firstIndex { $0.name == codingKey } ?? attributes.firstIndex { $0.name == attribute }
  }

  /// Returns a key. The attribute has the same name as in payloads unless `attribute` is its name.
  ///
  ///     static let matchKeys: [MatchKey]? = [.key(CodingKeys.id), .key(CodingKeys.team, attribute: "team_id")]
  public static func key(_ key: some CodingKey, attribute: String? = nil) -> MatchKey {
    MatchKey(codingKey: key.stringValue, attribute: attribute ?? key.stringValue)
  }
}
