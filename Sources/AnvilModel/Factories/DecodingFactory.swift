/// Makes models that cannot make themselves: found in a store, built by a registry, chosen by a discriminator.
///
///     struct UserFactory: DecodingFactory {
///       let store: Store
///       func create(from decoder: any Decoder) throws -> User {
///         let id = try decoder.container(keyedBy: User.CodingKeys.self).decode(Int.self, forKey: .id)
///         return store.user(id)
///       }
///     }
///     let user = try JSON.Decoder().decode(using: UserFactory(store: store), from: data)
///     let friends = try container.decode(using: UserFactory(store: store).array, forKey: .friends)
public protocol DecodingFactory {
  /// What the factory makes.
  associatedtype Model

  /// The model for what `decoder` stands at.
  ///
  /// To decode a type that the format treats in its own way (a date, data, a URL, a decimal) read it with
  /// `decoder.singleValueContainer().decode(_:)`; its `init(from:)` does not know the format's strategies.
  ///
  /// - Throws: `DecodingError` when the input does not fit; any other error reaches the caller as it is.
  func create(from decoder: any Decoder) throws -> Model
}
