public import AnvilBase
public import AnvilClient
public import AnvilHTTP
public import AnvilStore

/// Storing models from the bodies of responses and requests.
///
/// Each promise runs a separate transaction. It fails with the errors of `decode(as:with:)`, with a `StoreError`, or with
/// `CancellationError` if it is cancelled before the commit.
extension Promise where Value: HTTP.Message {
  /// Returns a promise of the model that the body of the message describes. The model is created or updated in the store.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: Model.Type, in context: Store, with format: (any DecodingFormat)? = nil
  ) -> Promise<Model> where Model.Context == StoreTransaction {
    stored(in: { _ in context }, with: format) { ManagedDecodingFactory<Model>(context: $0) }
  }

  /// Returns a promise of the models of the list in the body of the message. The models are created or updated in the store.
  ///
  /// `missing` is the treatment of rows that are not in the list.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: [Model].Type, in context: Store, with format: (any DecodingFormat)? = nil,
    missing: MissingRows = .kept
  ) -> Promise<[Model]> where Model.Context == StoreTransaction {
    decode(managedList: type, in: context, with: format, missing: missing).map { $0.models }
  }

  /// Returns a promise of the models of the list in the body of the message, and of the changes to their rows. The models are created or
  /// updated in the store.
  ///
  /// `missing` is the treatment of rows that are not in the list.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managedList type: [Model].Type, in context: Store, with format: (any DecodingFormat)? = nil,
    missing: MissingRows = .kept
  ) -> Promise<ManagedList<Model>> where Model.Context == StoreTransaction {
    stored(in: { _ in context }, with: format) { ManagedListFactory<Model>(transaction: $0, missing: missing) }
  }

  /// Returns a promise of the model that the body of the message describes. The model is stored in a transaction of the factory's store.
  ///
  /// It fails with `StoreError.Code.outsideTransaction` for a factory of a single transaction, which ends before the promise.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ManagedDecodingFactory<Model>, with format: (any DecodingFormat)? = nil
  ) -> Promise<Model> where Model.Context == StoreTransaction {
    let store = factory.store
    return stored(in: { _ in try store.required }, with: format) { ManagedDecodingFactory<Model>(context: $0) }
  }

  /// Returns a promise of the models of the list in the body of the message. The models are stored in one transaction of the factory's
  /// store.
  ///
  /// It fails with `StoreError.Code.outsideTransaction` for a factory of a single transaction, which ends before the promise.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ArrayDecodingFactory<ManagedDecodingFactory<Model>>, with format: (any DecodingFormat)? = nil
  ) -> Promise<[Model]> where Model.Context == StoreTransaction {
    let store = factory.element.store
    return stored(in: { _ in try store.required }, with: format) {
      ManagedListFactory<Model>(transaction: $0, missing: .kept)
    }.map { $0.models }
  }

  /// Returns a promise of the models that `HTTP.Message.stored` stores in the context that `context` returns for the message.
  func stored<Factory: DecodingFactory & SendableMetatype>(
    in context: @escaping @Sendable (Value) throws -> Store, with format: (any DecodingFormat)?,
    by makeFactory: @escaping @Sendable (StoreTransaction) -> Factory
  ) -> Promise<Factory.Model> where Factory.Model: Sendable {
    thenMessage { message, outcome in
      try await message.stored(in: context(message), with: format, reportingTo: outcome, by: makeFactory)
    }
  }
}

/// Storing models from the body of a message.
extension HTTP.Message {
  /// Creates or updates the model that the body describes, in a separate transaction, and returns it.
  ///
  /// - Throws: For a response, `DecodingFailure` and `TransportFailure` with code `noData`. For a request, the errors of the format. In
  ///   both cases, `StoreError` and `CancellationError`.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: Model.Type, in context: Store, with format: (any DecodingFormat)? = nil
  ) async throws -> Model where Model.Context == StoreTransaction {
    try await stored(in: context, with: format) { ManagedDecodingFactory<Model>(context: $0) }
  }

  /// Creates or updates the models of the list in the body, in a separate transaction. Returns the models and the changes to their rows.
  ///
  /// - Throws: For a response, `DecodingFailure` and `TransportFailure` with code `noData`. For a request, the errors of the format. In
  ///   both cases, `StoreError` and `CancellationError`.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managedList type: [Model].Type, in context: Store, with format: (any DecodingFormat)? = nil,
    missing: MissingRows = .kept
  ) async throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try await stored(in: context, with: format) { ManagedListFactory<Model>(transaction: $0, missing: missing) }
  }
}
