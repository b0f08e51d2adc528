public import AnvilModel

/// Makes models out of inputs by finding or creating them where they are kept.
///
///     try await context.perform { transaction in
///       try body.decode(using: ManagedDecodingFactory<User>(context: transaction))
///     }
///
/// A factory of a transaction is used synchronously, within the transaction. A factory of a store's context is used
/// asynchronously, and each use is a transaction:
///
///     let factory = ManagedDecodingFactory<User>(context: store.context)
///     let user = try await body.decode(using: factory)
///     let users = try await request.execute().decode(using: factory.array).value
///
/// `factory.array` makes a list of models.
public struct ManagedDecodingFactory<Model: ManagedDecodable>: DecodingFactory {
  /// What models are created and updated in; `nil` for a factory of a store.
  private let context: Model.Context?
  /// The store that a transaction is begun in; `nil` for a factory of one transaction.
  let store: StoreContext?

  /// Creates a factory of models that are created and updated in `context`.
  public init(context: Model.Context) {
    self.context = context
    store = nil
  }

  /// Creates or updates the model that `decoder` speaks of.
  ///
  /// - Throws: what ``ManagedDecodable/createOrUpdate(in:from:)`` does; ``StoreError/Code/outsideTransaction`` for a factory of
  ///   a store's context, which is used asynchronously.
  public func create(from decoder: any Decoder) throws -> Model {
    guard let context else {
      throw StoreError(
        code: .outsideTransaction,
        reason: "decoding without await needs a factory of the transaction that perform passes to its body")
    }
    return try Model.createOrUpdate(in: context, from: decoder)
  }
}

extension ManagedDecodingFactory where Model: Codable, Model.Context == StoreTransaction {
  /// Creates a factory for promises and asynchronous decoding, which begin a transaction of the store each time.
  public init(context: StoreContext) {
    self.context = nil
    store = context
  }
}

extension ManagedDecodingFactory: Sendable where Model.Context: Sendable {}
