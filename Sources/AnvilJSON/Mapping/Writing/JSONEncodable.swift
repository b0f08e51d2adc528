/// A type that can write itself as JSON. The counterpart of ``JSONDecodable``.
///
///     struct Repository: JSONEncodable {
///       let id: Int
///       let owner: String
///       let language: String?
///
///       func encode(into json: inout JSON.Builder) throws {
///         try json.write(id, at: "id")
///         try json.write(owner, at: "owner" => "login")
///         try json.write(ifPresent: language, at: "language")
///       }
///     }
///     let text = try JSON(encoding: repository).serializedText()
///
/// `Encodable` types, and `RawRepresentable` types with an encodable raw value, only have to declare the conformance.
public protocol JSONEncodable {
  /// Writes the one JSON value that represents this value. If nothing is written, the result is an empty object.
  ///
  /// - Throws: Any error. ``JSON/Builder`` adds the path to a ``JSONEncodingError``, and wraps other errors in one.
  func encode(into json: inout JSON.Builder) throws
}

extension JSON {
  /// Creates the value that `value` writes, as the root of a new document.
  ///
  /// - Throws: ``JSONEncodingError``, with a path that begins at `value`.
  /// - Complexity: O(*n*), where *n* is the size of the output, which is written once.
  @inlinable
  public init<Value: JSONEncodable>(encoding value: Value) throws {
    var builder = Builder()
    try builder.write(value)
    try self.init(builder)
  }
}
