/// A type that creates models which cannot be decoded directly: found in a store, built by a registry, or chosen by a discriminator.
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
  /// The type of the created models.
  associatedtype Model

  /// Returns the model for the value at `decoder`.
  ///
  /// To decode a type that the format treats specially (a date, data, a URL, a decimal), use
  /// `decoder.singleValueContainer().decode(_:)`. The type's `init(from:)` does not apply the format's strategies.
  ///
  /// - Throws: `DecodingError` if the input does not match. Any other error is passed to the caller unchanged.
  func create(from decoder: any Decoder) throws -> Model
}
