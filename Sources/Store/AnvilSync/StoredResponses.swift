public import AnvilBase
internal import AnvilBodies
public import AnvilClient
public import AnvilHTTP
internal import AnvilJSON
public import AnvilStore

extension HTTP.Message {
  /// Stores what the body describes, in one transaction of `context`, and returns the models. Requests, promises, managed gateways and bodies
  /// are all stored by this function.
  ///
  /// - Parameters:
  ///   - format: The format of the body; `nil` for the body's own.
  ///   - outcome: The outcome of the message's exchange; `nil` for another message, or without observers.
  ///   - makeFactory: Returns the factory that creates the models in the transaction.
  /// - Throws: For a response, `DecodingFailure` and `TransportFailure` with code `noData`; for any other message, the errors of the format.
  ///   `StoreError` and `CancellationError`. Nothing is stored in these cases.
  func stored<Factory: DecodingFactory & SendableMetatype>(
    in context: Store, with format: (any DecodingFormat)?, reportingTo outcome: AttemptOutcome? = nil,
    by makeFactory: @escaping @Sendable (StoreTransaction) -> Factory
  ) async throws -> Factory.Model where Factory.Model: Sendable {
    try await context.perform { transaction in
      // Errors of the store and cancellation are not errors of the message.
      try decoded(using: makeFactory(transaction), by: format, reportingTo: outcome) {
        $0 is StoreError || $0 is CancellationError
      }
    }
  }
}

/// A body that is not part of a response. Its errors are those of its format.
private struct BodyAlone: HTTP.Message {
  let body: HTTP.Body

  var asResponse: HTTP.Response? { nil }
}

struct ManagedListFactory<Element: ManagedDecodable & Codable>: DecodingFactory
where Element.Context == StoreTransaction {
  let transaction: StoreTransaction
  let missing: MissingRows

  func create(from decoder: any Decoder) throws -> ManagedList<Element> {
    try transaction.createOrUpdate([Element].self, from: decoder, missing: missing)
  }
}

extension Store? {
  /// The store of a factory. Throws an error for a factory of a single transaction, which cannot be used asynchronously.
  var required: Store {
    get throws(StoreError) {
      guard let self else {
        throw StoreError(
          code: .outsideTransaction,
          reason: "promises and asynchronous decoding need a factory of the store's context, not of a transaction")
      }
      return self
    }
  }
}

/// Storing models from bodies.
extension HTTP.Body {
  /// Creates or updates the model that the body describes, in a transaction of the factory's store, and returns it.
  ///
  ///     let user = try await body.decode(using: ManagedDecodingFactory<User>(context: store.context))
  ///
  /// The body is read in `format`, or in `decodingFormat`. Within a transaction, use a factory of that transaction without
  /// `await`.
  ///
  /// - Throws: `HTTP.BodyError.notCollected` for a file or a stream; errors of the format; `StoreError`, with code `outsideTransaction` for
  ///   a factory of a single transaction; `CancellationError`.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ManagedDecodingFactory<Model>, with format: (any DecodingFormat)? = nil
  ) async throws -> Model where Model.Context == StoreTransaction {
    try await BodyAlone(body: self).stored(in: factory.store.required, with: format) {
      ManagedDecodingFactory(context: $0)
    }
  }

  /// Creates or updates the models of the list in the body, in one transaction of the factory's store, and returns them.
  ///
  ///     let users = try await body.decode(using: ManagedDecodingFactory<User>(context: store.context).array)
  ///
  /// - Throws: The same errors as for a single model. Nothing is stored in these cases.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ArrayDecodingFactory<ManagedDecodingFactory<Model>>, with format: (any DecodingFormat)? = nil
  ) async throws -> [Model] where Model.Context == StoreTransaction {
    try await BodyAlone(body: self).stored(in: factory.element.store.required, with: format) {
      ManagedListFactory<Model>(transaction: $0, missing: .kept)
    }.models
  }

  /// Creates or updates a model for each element of a JSON array, as the elements arrive, and returns the changes to the rows.
  ///
  ///     let response = try await gateway.request("users").stream()
  ///     let changes = try await response.body.storeElements(of: User.self, in: context)
  ///
  /// Each transaction stores a batch of at most `batchSize` elements, and only one batch is in memory. If the body is incomplete, or an
  /// element cannot be decoded as the model, the earlier batches stay committed, and no rows are deleted. A row is counted once for each
  /// batch that contains it.
  ///
  /// See `elements(of:with:sizeLimit:)` for the format of the body, and `ManagedDecodable.createOrUpdate(in:from:)` for the treatment of
  /// elements.
  ///
  /// - Parameters:
  ///   - type: The type of the models.
  ///   - context: The store.
  ///   - batchSize: The maximum number of elements of a transaction.
  ///   - limit: The maximum number of bytes of an element.
  ///   - missing: The treatment of rows that are not in the array. Rows are deleted in the last transaction, after the end of the array.
  ///     The database keeps the keys of the elements until then.
  ///   - rules: Rules for rows that exist. They take precedence over the model's own.
  /// - Throws: Errors of reading the elements, `StoreError`, `CancellationError`.
  @discardableResult
  public func storeElements<Model: ManagedDecodable & Codable>(
    of type: Model.Type, in context: Store, batchSize: Int = 1_000, sizeLimit limit: Int = 1 << 24,
    missing: MissingRows = .kept, rules: [ConflictRule] = []
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    guard missing.deletesRows else {
      return try await storeBatches(of: type, in: context, size: batchSize, sizeLimit: limit, listing: nil, rules)
    }
    let listing = try await context.perform { transaction in try transaction.beginTemporaryListing(of: type) }
    do {
      var counts = try await storeBatches(
        of: type, in: context, size: batchSize, sizeLimit: limit, listing: listing, rules)
      counts.deleted = try await context.perform { transaction in
        try transaction.end(listing, of: type, missing: missing)
      }
      return counts
    } catch {
      // The keys are also removed when this task was cancelled. If this fails, another listing removes them later.
      _ = await Task { try await context.perform { try $0.end(listing, of: type, missing: .kept) } }.result
      throw error
    }
  }

  private func storeBatches<Model: ManagedDecodable & Codable>(
    of type: Model.Type, in context: Store, size: Int, sizeLimit limit: Int, listing: StoreListing?,
    _ rules: [ConflictRule]
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    let format = decodingFormat
    var reader = ElementReader(self, format: format, limit: limit)
    var counts = StoreChanges.Counts()
    var isAtEnd = false
    while !isAtEnd {
      var batch: [(bytes: Data, index: Int)] = []
      var failure: (any Error)?
      do {
        while batch.count < Swift.max(size, 1) {
          guard let element = try await reader.next() else {
            isAtEnd = true
            break
          }
          batch.append((element.bytes, element.index))
        }
      } catch {
        failure = error
      }
      if !batch.isEmpty {
        counts += try await context.perform { [batch] transaction in
          try transaction.createOrUpdate(type, batch, format, in: listing, rules)
        }
      }
      if let failure { throw failure }
    }
    return counts
  }
}

extension StoreTransaction {
  fileprivate func createOrUpdate<Model: ManagedDecodable & Codable>(
    _ type: Model.Type, _ batch: [(bytes: Data, index: Int)], _ format: any DecodingFormat,
    in listing: StoreListing?, _ rules: [ConflictRule]
  ) throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    var rest = batch[...]
    var current = batch.first?.index ?? 0
    do {
      return try createOrUpdate(
        type, in: listing, rules: rules,
        next: { size in
          defer { rest = rest.dropFirst(size) }
          return rest.prefix(size).map { format.decoder(for: $0.bytes) }
        },
        willCreate: { current = batch[$0].index }
      ).changes
    } catch let error as DecodingError {
      throw ElementReader.locating(error, at: current)
    }
  }
}

/// Storing the models of a response.
///
///     try await api.request("users").store([User].self, in: store)
///
/// The response is decoded in the format of the request's settings and stored in one transaction: an existing row is updated, an absent key
/// keeps the stored value, and new rows are inserted. If anything fails, nothing is stored.
///
/// The functions throw the `Failure` of the request's gateway for a failed exchange, for a response that cannot be decoded, and for one
/// without a body. For a response that cannot be decoded, they throw `DecodingFailure` if `Failure` does not conform to
/// `DecodingFailureRepresentable`. They throw `StoreError` if the store fails, and `CancellationError` if the task is cancelled before the
/// commit. The closures of `recovering` are called for a failed exchange only.
extension TypedGatewayRequest {
  /// Sends the request, creates or updates the model that the response describes, and returns the model.
  ///
  /// - Throws: `Failure`, `StoreError`, `CancellationError`; see above.
  @discardableResult
  public func store<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, in store: Store
  ) async throws -> Model where Model.Context == StoreTransaction {
    try await stored(in: store) { ManagedDecodingFactory<Model>(context: $0) }
  }

  /// Sends the request, creates or updates the models of the list in the response, and returns the models.
  ///
  /// `missing` is the treatment of rows that are not in the list.
  ///
  /// - Throws: `Failure`, `StoreError`, `CancellationError`; see above.
  @discardableResult
  public func store<Model: ManagedDecodable & Codable & Sendable>(
    _ type: [Model].Type, in store: Store, missing: MissingRows = .kept
  ) async throws -> [Model] where Model.Context == StoreTransaction {
    try await self.store(ManagedList<Model>.self, in: store, missing: missing).models
  }

  /// Sends the request, creates or updates the models of the list in the response, and returns the models and the changes to their rows.
  ///
  /// `missing` is the treatment of rows that are not in the list.
  ///
  /// - Throws: `Failure`, `StoreError`, `CancellationError`; see above.
  @discardableResult
  public func store<Model: ManagedDecodable & Codable & Sendable>(
    _ type: ManagedList<Model>.Type, in store: Store, missing: MissingRows = .kept
  ) async throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try await stored(in: store) { ManagedListFactory<Model>(transaction: $0, missing: missing) }
  }

  private func stored<Factory: DecodingFactory & SendableMetatype>(
    in store: Store, by makeFactory: @escaping @Sendable (StoreTransaction) -> Factory
  ) async throws -> Factory.Model where Factory.Model: Sendable {
    try await sending { success in
      try await success.response.stored(
        in: store.context, with: responseFormat, reportingTo: success.outcome, by: makeFactory)
    }
  }
}

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
