/// The members of one object by their keys as the type knows them, where a strategy converts them.
///
/// Each key is converted once. The container that reads the object keeps this, and lets it go with itself.
final class ConvertedMembers {
  /// In the order of the text, members that share a key included.
  private let members: [(key: ScalarKey, value: Int)]
  /// The values of the first members with each key, where there are too many to compare.
  private let values: [ScalarKey: Int]

  /// So many members are compared one after another faster than their keys are hashed.
  private static var fewMembers: Int { 16 }

  /// - Complexity: O(*n*) on average, *n* the number of members, and *n* conversions.
  init(of object: Int, in session: DecodingSession) {
    members = session.convertedMembers(of: object)
    values =
      members.count > Self.fewMembers
      ? Dictionary(members.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }) : [:]
  }

  /// The index of the value of the first member with this key.
  func value(of key: String) -> Int? {
    let key = ScalarKey(key)
    return members.count > Self.fewMembers ? values[key] : members.first { $0.key == key }?.value
  }

  /// The keys in the order of the text, each once.
  var keys: [String] {
    members.lazy.filter { self.value(of: $0.key.string) == $0.value }.map(\.key.string)
  }
}
