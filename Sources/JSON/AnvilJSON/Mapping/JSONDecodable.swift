/// A type that can be decoded from a ``JSON`` value.
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
/// `Decodable` types, and `RawRepresentable` types with a decodable raw value, only have to declare the conformance.
public protocol JSONDecodable {
  /// Returns the value of this type that `json` represents.
  ///
  /// - Throws: Any error. `=>` adds path, object and root to a ``JSONDecodingError``, and wraps other errors in a
  ///   ``WrappedDecodingError`` with the same properties.
  static func decode(_ json: JSON) throws -> Self
}
