/// Identifies types whose values have an identity, as opposed to being a part of the value that contains them.
///
/// An object store puts this into a decoder's `userInfo`. An input may contain a different value with an identity under the same key.
/// The default of ``DecoderUpdatable`` therefore decodes such a value instead of updating the old one in place.
package struct ValueIdentity {
  private static let key = CodingUserInfoKey(rawValue: "Anvil.ValueIdentity")

  private let isGiven: (any Any.Type) -> Bool

  /// Creates a value from a function that identifies types.
  ///
  /// - Parameter isGiven: Returns whether the values of a type have an identity.
  package init(isGiven: @escaping (any Any.Type) -> Bool) {
    self.isGiven = isGiven
  }

  /// Returns `userInfo` with this value added.
  package func added(to userInfo: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: Any] {
    var userInfo = userInfo
    if let key = Self.key { userInfo[key] = self }
    return userInfo
  }

  /// Returns whether values of the type have an identity according to `userInfo`.
  static func isGiven(to type: any Any.Type, by userInfo: [CodingUserInfoKey: Any]) -> Bool {
    guard let key, let identity = userInfo[key] as? ValueIdentity else { return false }
    return identity.isGiven(type)
  }
}
