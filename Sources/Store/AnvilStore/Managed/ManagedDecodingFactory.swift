public import AnvilBase

/// A decoding factory that creates models in a store, or updates those that are stored already.
///
///     try await store.perform { transaction in
///       try body.decode(using: ManagedDecodingFactory<User>(context: transaction))
///     }
///
/// Use a factory of a transaction synchronously, within the transaction. A factory of a store's context is used asynchronously, and each
/// use is a separate transaction:
///
///     let factory = ManagedDecodingFactory<User>(context: store.context)
///     let user = try await body.decode(using: factory)
///     let users = try await request.execute().decode(using: factory.array).value
///
/// `factory.array` decodes a list of models.
public struct ManagedDecodingFactory<Model: ManagedDecodable>: DecodingFactory {
  /// The context in which models are created and updated; `nil` for a factory of a store.
  private let context: Model.Context?
  /// The store in which a transaction is started; `nil` for a factory of one transaction.
  package let store: Store?

  /// Creates a factory of models that are created and updated in `context`.
  public init(context: Model.Context) {
    self.context = context
    store = nil
  }

  /// Creates or updates the model in the payload of `decoder`.
  ///
  /// - Throws: The same errors as ``ManagedDecodable/createOrUpdate(in:from:)``; ``StoreError/Code/outsideTransaction`` for a factory of a
  ///   store's context, which can only be used asynchronously.
  public func create(from decoder: any Decoder) throws -> Model {
    guard let context else {
      throw StoreError(
        code: .outsideTransaction,
        reason: "synchronous decoding requires a factory that is created with the transaction of perform")
    }
    return try Model.createOrUpdate(in: context, from: decoder)
  }
}

extension ManagedDecodingFactory where Model: Codable, Model.Context == StoreTransaction {
  /// Creates a factory for promises and asynchronous decoding. Each use runs a transaction in the store of `context`.
  public init(context: Store) {
    self.context = nil
    store = context
  }
}

extension ManagedDecodingFactory: Sendable where Model.Context: Sendable {}
