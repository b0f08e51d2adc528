@_exported public import AnvilBase

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
    return try context.createOrUpdate(Self.self, from: decoder)
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
