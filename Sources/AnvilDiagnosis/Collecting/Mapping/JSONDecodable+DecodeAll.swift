public import AnvilJSON

extension JSONDecodable {
  /// Returns the value of this type that `json` represents, or throws all errors in `json` instead of only the first one.
  ///
  ///     let people = try [Person].decodeAll(json)
  ///
  /// Arrays and dictionaries decode all of their members, and optionals call `decodeAll(_:)` of the wrapped type. Other types are decoded
  /// by `decode(_:)`; those whose `decode` uses ``JSON/fields`` report all errors without further code.
  ///
  /// - Throws: The error of `decode(_:)`, or ``JSONDecodingErrors`` if there are several errors. Their paths include the index or key
  ///   of the member that failed.
  public static func decodeAll(_ json: JSON) throws -> Self {
    guard let container = KnownContainers.container(Self.self) else { return try decode(json) }
    guard let value = try container.decodeMembers(json) as? Self else { throw json.mismatch(Self.self) }
    return value
  }
}
