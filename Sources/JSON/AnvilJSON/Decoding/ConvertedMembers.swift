/// The members of one object by their converted keys, if a strategy converts keys.
///
/// Each key is converted once. This index is kept by the container that reads the object, or by a ``ValueReader``.
final class ConvertedMembers {
  /// The members in the order of the text, including members that share a key.
  private let members: [(key: ScalarKey, value: Int)]
  /// The value of the first member with each key; empty if there are so few members that they are compared one by one.
  private let values: [ScalarKey: Int]

  /// The member count up to which comparing members one by one is faster than hashing their keys.
  private static var fewMembers: Int { 16 }

  /// Creates the index of the members of `object`.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of members, and *n* conversions.
  init(of object: Int, in session: DecodingSession) {
    members = session.convertedMembers(of: object)
    values =
      members.count > Self.fewMembers
      ? Dictionary(members.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }) : [:]
  }

  /// Returns the index of the value of the first member with this key.
  func value(of key: String) -> Int? {
    let key = ScalarKey(key)
    return members.count > Self.fewMembers ? values[key] : members.first { $0.key == key }?.value
  }

  /// The distinct keys in the order of the text.
  var keys: [String] {
    members.lazy.filter { self.value(of: $0.key.string) == $0.value }.map(\.key.string)
  }
}
