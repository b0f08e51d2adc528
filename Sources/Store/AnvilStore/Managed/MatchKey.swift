/// A coding key that identifies a model's row.
public struct MatchKey: Hashable, Sendable {
  /// The name of the value in payloads.
  package let codingKey: String
  /// The name of the attribute that stores the value: a column, or a property in a Core Data model.
  package let attribute: String

  /// Returns a key whose attribute has the same name as in payloads.
  ///
  ///     static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  public static func key(_ key: some CodingKey) -> MatchKey {
    MatchKey(codingKey: key.stringValue, attribute: key.stringValue)
  }

  /// Returns a key whose attribute has another name than in payloads.
  ///
  ///     static let matchKeys: [MatchKey]? = [.key(CodingKeys.id, attribute: "identifier")]
  public static func key(_ key: some CodingKey, attribute: String) -> MatchKey {
    MatchKey(codingKey: key.stringValue, attribute: attribute)
  }
}
