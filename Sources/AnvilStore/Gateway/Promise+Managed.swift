public import AnvilClient
public import AnvilHTTP
public import AnvilModel

/// Responses into the store.
///
/// Each promise enters `perform` itself: what the response says is one transaction. It fails as
/// `decode(as:)` does, with a ``StoreError``, and with `CancellationError` when it is cancelled before the commit.
extension Promise where Value == HTTP.Response {
  /// A promise of the model that the response's body speaks of: updated, or new, and stored.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: Model.Type, in context: StoreContext
  ) -> Promise<Model> where Model.Context == StoreTransaction {
    then { response in try await response.decode(managed: type, in: context) }
  }

  /// A promise of the models that the response's body is a list of: updated, or new, and stored.
  ///
  /// `missing` says what becomes of rows that no element speaks of.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: [Model].Type, in context: StoreContext, missing: MissingRows = .kept
  ) -> Promise<[Model]> where Model.Context == StoreTransaction {
    decode(managedList: type, in: context, missing: missing).map { $0.models }
  }

  /// A promise of the models that the response's body is a list of, and of what became of their rows.
  ///
  /// `missing` says what becomes of rows that no element speaks of.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managedList type: [Model].Type, in context: StoreContext, missing: MissingRows = .kept
  ) -> Promise<ManagedList<Model>> where Model.Context == StoreTransaction {
    then { response in try await response.decode(managedList: type, in: context, missing: missing) }
  }

  /// A promise of the model that the response's body speaks of, made in a transaction of the factory's store.
  ///
  /// It fails with ``StoreError/Code/outsideTransaction`` for a factory of a single transaction, which ends before the promise.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ManagedDecodingFactory<Model>
  ) -> Promise<Model> where Model.Context == StoreTransaction {
    let context = factory.store
    return then { response in try await response.decode(managed: Model.self, in: context.required) }
  }

  /// A promise of the models that the response's body is a list of, made in a transaction of the factory's store.
  ///
  /// It fails with ``StoreError/Code/outsideTransaction`` for a factory of a single transaction, which ends before the promise.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ArrayDecodingFactory<ManagedDecodingFactory<Model>>
  ) -> Promise<[Model]> where Model.Context == StoreTransaction {
    let context = factory.element.store
    return then { response in
      try await response.decode(managedList: [Model].self, in: context.required).models
    }
  }
}

/// The same for a response at hand.
extension HTTP.Response {
  /// The model that the body speaks of: updated, or new, and stored in a transaction of its own.
  ///
  /// - Throws: `DecodingFailure`, `TransportFailure` of code `noData`, ``StoreError``, `CancellationError`.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: Model.Type, in context: StoreContext
  ) async throws -> Model where Model.Context == StoreTransaction {
    try await context.perform { transaction in
      try self.decoded(using: ManagedDecodingFactory<Model>(context: transaction), passing: isOfStore)
    }
  }

  /// The models that the body is a list of, stored in a transaction of their own, and what became of the rows.
  ///
  /// - Throws: `DecodingFailure`, `TransportFailure` of code `noData`, ``StoreError``, `CancellationError`.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managedList type: [Model].Type, in context: StoreContext, missing: MissingRows = .kept
  ) async throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try await context.perform { transaction in
      try self.decoded(using: ManagedListFactory<Model>(transaction: transaction, missing: missing), passing: isOfStore)
    }
  }
}

/// Errors that are not about the response.
private func isOfStore(_ error: any Error) -> Bool { error is StoreError || error is CancellationError }

private struct ManagedListFactory<Element: ManagedDecodable & Codable>: DecodingFactory
where Element.Context == StoreTransaction {
  let transaction: StoreTransaction
  let missing: MissingRows

  func create(from decoder: any Decoder) throws -> ManagedList<Element> {
    try transaction.createOrUpdate([Element].self, from: decoder, missing: missing)
  }
}

extension StoreContext? {
  /// The context of a factory that promises use.
  fileprivate var required: StoreContext {
    get throws(StoreError) {
      guard let self else {
        throw StoreError(
          code: .outsideTransaction, reason: "a promise needs a factory of the store's context, not of one transaction")
      }
      return self
    }
  }
}
