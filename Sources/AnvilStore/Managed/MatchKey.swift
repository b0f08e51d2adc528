/// A coding key by whose value a model's row is found.
public struct MatchKey: Hashable, Sendable {
  /// The name that inputs give to the value.
  public let codingKey: String
  /// The name of the attribute that keeps it: of the column, or of the property in a Core Data model.
  public let attribute: String

  /// A key that is kept under the name it has in inputs.
  ///
  ///     static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  public static func key(_ key: some CodingKey) -> MatchKey {
    MatchKey(codingKey: key.stringValue, attribute: key.stringValue)
  }

  /// A key that is kept as another attribute.
  ///
  ///     static let matchKeys: [MatchKey]? = [.key(CodingKeys.id, attribute: "identifier")]
  public static func key(_ key: some CodingKey, attribute: String) -> MatchKey {
    MatchKey(codingKey: key.stringValue, attribute: attribute)
  }
}
