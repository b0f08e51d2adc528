/// A type that makes itself from a ``JSON`` value.
///
///     struct Repository: JSONDecodable {
///       let id: Int
///       let owner: String
///
///       static func decode(_ json: JSON) throws -> Repository {
///         try Repository(id: json => "id", owner: json => "owner" => "login")
///       }
///     }
///
/// `Decodable` types and `RawRepresentable` ones with a decodable raw value only have to name the protocol.
public protocol JSONDecodable {
  /// The value of this type that `json` stands for.
  ///
  /// - Throws: any error. `=>` adds path, object and root to a ``JSONDecodingError``, and wraps others in a
  ///   ``WrappedDecodingError`` that has them.
  static func decode(_ json: JSON) throws -> Self

  /// The value of this type that `json` stands for, or all that keeps it from being one, and not just the first error.
  ///
  ///     let people = try [Person].decodeAll(json)
  ///
  /// Arrays, dictionaries and optionals have it; for other types it is ``decode(_:)`` unless they say otherwise.
  ///
  /// - Throws: what ``decode(_:)`` throws; ``JSONDecodingErrors`` where there are several errors.
  static func decodeAll(_ json: JSON) throws -> Self
}
