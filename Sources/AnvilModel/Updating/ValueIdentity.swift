/// Tells which values are things of their own rather than parts of what holds them.
///
/// Put into a decoder's `userInfo` by who keeps such things: an input under their key may speak of another one, so that the
/// default of ``DecoderUpdatable`` has the decoder decode it rather than updating what was there in place.
package struct ValueIdentity {
  private static let key = CodingUserInfoKey(rawValue: "Anvil.ValueIdentity")

  private let isGiven: (any Any.Type) -> Bool

  /// - Parameter isGiven: whether values of a type have an identity.
  package init(isGiven: @escaping (any Any.Type) -> Bool) {
    self.isGiven = isGiven
  }

  /// `userInfo` with this in it.
  package func added(to userInfo: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: Any] {
    var userInfo = userInfo
    if let key = Self.key { userInfo[key] = self }
    return userInfo
  }

  /// Whether values of the type have an identity for who gave this `userInfo`.
  static func isGiven(to type: any Any.Type, by userInfo: [CodingUserInfoKey: Any]) -> Bool {
    guard let key, let identity = userInfo[key] as? ValueIdentity else { return false }
    return identity.isGiven(type)
  }
}
