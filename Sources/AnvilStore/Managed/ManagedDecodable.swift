public import AnvilModel

/// A model that is kept: found by its match keys, updated in place, or made and inserted.
///
///     struct User: Codable, Sendable, ManagedDecodable {
///       static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
///       var id: Int
///       var login: String
///       var team: Team?        // a managed model too: kept in its own table, and referred to
///     }
///
/// A `Codable` value that adopts the protocol is kept in a ``StoreContext``, by its coding keys: each is a column of a table
/// that is named by the entity, made when the first value is stored, and given another column whenever the model has one more
/// attribute. Numbers, text, Booleans, dates, `Data`, `UUID`, `URL`, `Decimal` and enumerations with raw values are stored as
/// themselves, other values as JSON. Properties that are managed models with match keys, and arrays of them, are references:
/// stored in their own tables, and put back in place when the model is fetched.
///
/// `encode(to:)` and `init(from:)` have to mirror each other, as for `DecoderUpdatable`.
public protocol ManagedDecodable: DecoderUpdatable, SendableMetatype {
  /// What the models are created and updated in.
  associatedtype Context: ManagedContext = StoreTransaction

  /// The name of the entity: of the table, or in a Core Data model. The default is the type's own.
  static var entityName: String { get }

  /// The keys that tell whether an input speaks of a model that is kept already, in the order of their importance; `nil` when
  /// each input is a new one. None of their values may be null.
  static var matchKeys: [MatchKey]? { get }

  /// The model that `decoder` speaks of: the one with the same match keys, updated, or a new one; kept in both cases.
  ///
  /// The default finds the row by the match keys, decodes the model, has it `update(from:)` the decoder and writes it when it
  /// is another then; where there is no row it decodes a new model and inserts it.
  ///
  /// - Throws: `DecodingError`, ``StoreError``, and what the model throws.
  @discardableResult
  static func createOrUpdate(in context: Context, from decoder: any Decoder) throws -> Self
}

extension ManagedDecodable {
  /// The type's own name.
  public static var entityName: String { "\(Self.self)" }
}

extension ManagedDecodable where Self: Codable, Context == StoreTransaction {
  /// The model that `decoder` speaks of: the one with the same match keys, updated, or a new one; kept in both cases.
  ///
  /// - Throws: `DecodingError` when the input does not fit; ``StoreError``; and what the model throws.
  @discardableResult
  public static func createOrUpdate(in context: StoreTransaction, from decoder: any Decoder) throws -> Self {
    try context.requireUsable()
    return try context.createOrUpdate(Self.self, from: decoder)
  }
}

extension ManagedDecodable where Self: Decodable, Context == StoreTransaction {
  /// Unavailable: rows are written by `encode(to:)`.
  @available(*, unavailable, message: "a stored model has to be Codable: adopt Codable in place of Decodable")
  @discardableResult
  public static func createOrUpdate(in context: StoreTransaction, from decoder: any Decoder) throws -> Self {
    throw StoreError(code: .unsupported, reason: "a stored model has to be Codable")
  }
}
