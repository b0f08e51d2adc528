/// A type that writes itself as JSON: the other direction of ``JSONDecodable``.
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
/// `Encodable` types and `RawRepresentable` ones with an encodable raw value only have to name the protocol.
public protocol JSONEncodable {
  /// Writes the one value that stands for this one; what writes nothing is an empty object.
  ///
  /// - Throws: any error. ``JSON/Builder`` adds the path to a ``JSONEncodingError``, and wraps others in one.
  func encode(into json: inout JSON.Builder) throws
}

extension JSON {
  /// The value that `value` writes, the root of a document of its own.
  ///
  /// - Throws: ``JSONEncodingError``, its path beginning at `value`.
  /// - Complexity: O(*n*), *n* the size of what is written, which is written once.
  @inlinable
  public init<Value: JSONEncodable>(encoding value: Value) throws {
    var builder = Builder()
    try builder.write(value)
    try self.init(builder)
  }
}
