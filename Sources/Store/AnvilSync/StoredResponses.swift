public import AnvilBase
internal import AnvilBodies
public import AnvilClient
public import AnvilHTTP
internal import AnvilJSON
public import AnvilStore

/// The content of a body and the way to store it: one model, a list, or a list whose elements are stored as they arrive.
enum StoredContent<Model: ManagedDecodable & Codable, Result: Sendable>: Sendable
where Model.Context == StoreTransaction {
  /// The whole body, in one transaction.
  case whole(@Sendable (StoreTransaction, any Decoder) throws -> Result)
  /// A list in batches, each in one transaction. The rules are those for rows that exist, which take precedence over the model's own.
  case batches(
    size: Int, sizeLimit: Int, MissingRows, [ConflictRule], @Sendable (StoreChanges.Counts) -> Result)
}

extension StoredContent where Result == Model, Model: Sendable {
  static func model(_ rules: [ConflictRule]) -> StoredContent {
    .whole { try ManagedDecodingFactory<Model>(context: $0, rules: rules).create(from: $1) }
  }
}

extension StoredContent where Result == ManagedList<Model>, Model: Sendable {
  static func list(_ missing: MissingRows, _ rules: [ConflictRule]) -> StoredContent {
    .whole { try $0.createOrUpdate([Model].self, from: $1, missing: missing, rules: rules) }
  }
}

private struct ContentFactory<Result>: DecodingFactory {
  let make: (any Decoder) throws -> Result

  func create(from decoder: any Decoder) throws -> Result { try make(decoder) }
}

extension HTTP.Message {
  /// Stores the content of the body. Requests, promises, managed gateways and bodies are all stored by this function.
  ///
  /// - Parameters:
  ///   - format: The format of the body; `nil` for the body's own.
  ///   - outcome: The outcome of the message's exchange; `nil` for another message, or without observers. Elements that are stored as they
  ///     arrive are not reported.
  /// - Throws: For a response, `DecodingFailure` and `TransportFailure`; for any other message, the errors of the format and of reading the
  ///   body. `StoreError` and `CancellationError`. Nothing is stored in these cases, except for earlier batches.
  func stored<Model: ManagedDecodable & Codable, Result: Sendable>(
    as content: StoredContent<Model, Result>, in store: Store, with format: (any DecodingFormat)?,
    reportingTo outcome: AttemptOutcome? = nil
  ) async throws -> Result where Model.Context == StoreTransaction {
    switch content {
    case .whole(let make):
      return try await store.perform { transaction in
        // Errors of the store and cancellation are not errors of the message.
        try decoded(using: ContentFactory { try make(transaction, $0) }, by: format, reportingTo: outcome) {
          $0 is StoreError || $0 is CancellationError
        }
      }
    case .batches(let size, let limit, let missing, let rules, let result):
      let batches = BatchedElements<Model>(
        reader: ElementReader(body, format: format ?? body.decodingFormat, limit: limit),
        format: format ?? body.decodingFormat, size: Swift.max(size, 1), rules: rules)
      do {
        return result(try await batches.stored(in: store, missing: missing))
      } catch  where error is StoreError || error is CancellationError {
        throw error
      } catch {
        throw failure(reading: Model.self, error)
      }
    }
  }
}

/// A body that is not part of a response. Its errors are those of its format.
private struct BodyAlone: HTTP.Message {
  let body: HTTP.Body

  var asResponse: HTTP.Response? { nil }
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
    try await BodyAlone(body: self).stored(as: .model(factory.rules), in: factory.store.required, with: format)
  }

  /// Creates or updates the models of the list in the body, in one transaction of the factory's store, and returns them.
  ///
  ///     let users = try await body.decode(using: ManagedDecodingFactory<User>(context: store.context).array)
  ///
  /// - Throws: The same errors as for a single model. Nothing is stored in these cases.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ManagedArrayFactory<Model>, with format: (any DecodingFormat)? = nil
  ) async throws -> [Model] where Model.Context == StoreTransaction {
    try await BodyAlone(body: self).stored(
      as: .list(factory.missing, factory.element.rules), in: factory.element.store.required, with: format
    ).models
  }

  /// Creates or updates a model for each element of a JSON array, as the elements arrive, and returns the changes to the rows.
  ///
  ///     let response = try await gateway.request("users").stream()
  ///     let changes = try await response.body.storeElements(of: User.self, in: context)
  ///
  /// Use `TypedGatewayRequest.storeElements` for the response of a request, which throws the failure type of its gateway.
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
    of type: Model.Type, in context: Store, batchSize: Int = 1_000, sizeLimit limit: Int = 16 << 20,
    missing: MissingRows = .kept, rules: [ConflictRule] = []
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    let content = StoredContent<Model, _>.batches(size: batchSize, sizeLimit: limit, missing, rules) { $0 }
    return try await BodyAlone(body: self).stored(as: content, in: context, with: nil)
  }
}

private struct BatchedElements<Model: ManagedDecodable & Codable> where Model.Context == StoreTransaction {
  var reader: ElementReader
  let format: any DecodingFormat
  let size: Int
  let rules: [ConflictRule]

  consuming func stored(in context: Store, missing: MissingRows) async throws -> StoreChanges.Counts {
    guard missing.deletesRows else { return try await stored(in: context, listing: nil) }
    let listing = try await context.perform { transaction in try transaction.beginTemporaryListing(of: Model.self) }
    do {
      var counts = try await stored(in: context, listing: listing)
      counts.deleted = try await context.perform { transaction in
        try transaction.end(listing, of: Model.self, missing: missing)
      }
      return counts
    } catch {
      // The keys are also removed when this task was cancelled. If this fails, another listing removes them later.
      _ = await Task { try await context.perform { try $0.end(listing, of: Model.self, missing: .kept) } }.result
      throw error
    }
  }

  private consuming func stored(in context: Store, listing: StoreListing?) async throws -> StoreChanges.Counts {
    let (format, rules) = (format, rules)
    var counts = StoreChanges.Counts()
    var isAtEnd = false
    while !isAtEnd {
      var batch: [(bytes: Data, index: Int)] = []
      var failure: (any Error)?
      do {
        while batch.count < size {
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
          try transaction.createOrUpdate(Model.self, batch, format, in: listing, rules)
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
/// keeps the stored value, and new rows are inserted. If anything fails, nothing is stored. `missing` is the treatment of rows that are not
/// in the list, and `rules` are rules for rows that exist, which take precedence over the model's own.
///
/// The functions throw the `Failure` of the request's gateway for a failed exchange, for a response that cannot be decoded, and for one
/// without a body. For a response that cannot be decoded, they throw `DecodingFailure` if `Failure` does not conform to
/// `DecodingFailureRepresentable`. They throw `StoreError` if the store fails, and `CancellationError` if the task is cancelled before the
/// commit. The closures of `recovering` are called for a failed exchange only.
extension TypedGatewayRequest {
  /// Sends the request, creates or updates the model that the response describes, and returns the model.
  @discardableResult
  public func store<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, in store: Store, rules: [ConflictRule] = []
  ) async throws -> Model where Model.Context == StoreTransaction {
    try await stored(as: .model(rules), in: store)
  }

  /// Sends the request, creates or updates the models of the list in the response, and returns the models.
  @discardableResult
  public func store<Model: ManagedDecodable & Codable & Sendable>(
    _ type: [Model].Type, in store: Store, missing: MissingRows = .kept, rules: [ConflictRule] = []
  ) async throws -> [Model] where Model.Context == StoreTransaction {
    try await self.store(ManagedList<Model>.self, in: store, missing: missing, rules: rules).models
  }

  /// Sends the request, creates or updates the models of the list in the response, and returns the models and the changes to their rows.
  @discardableResult
  public func store<Model: ManagedDecodable & Codable & Sendable>(
    _ type: ManagedList<Model>.Type, in store: Store, missing: MissingRows = .kept, rules: [ConflictRule] = []
  ) async throws -> ManagedList<Model> where Model.Context == StoreTransaction {
    try await stored(as: .list(missing, rules), in: store)
  }

  /// Sends the request, creates or updates a model for each element of the JSON array in the response, as the elements arrive, and returns
  /// the changes to the rows. Use this for a list that does not fit into memory.
  ///
  ///     let changes = try await api.request("users").storeElements(of: User.self, in: store)
  ///
  /// Batches, parameters and errors in the middle of the array are those of `HTTP.Body.storeElements`. A transfer that breaks off is a
  /// `Failure`, too.
  ///
  /// - Throws: `Failure`, `StoreError`, `CancellationError`; see above. Earlier batches stay committed.
  @discardableResult
  public func storeElements<Model: ManagedDecodable & Codable>(
    of type: Model.Type, in store: Store, batchSize: Int = 1_000, sizeLimit limit: Int = 16 << 20,
    missing: MissingRows = .kept, rules: [ConflictRule] = []
  ) async throws -> StoreChanges.Counts where Model.Context == StoreTransaction {
    let content = StoredContent<Model, _>.batches(size: batchSize, sizeLimit: limit, missing, rules) { $0 }
    return try await stored(as: content, in: store, isStreamed: true)
  }

  private func stored<Model: ManagedDecodable & Codable, Result: Sendable>(
    as content: StoredContent<Model, Result>, in store: Store, isStreamed: Bool = false
  ) async throws -> Result where Model.Context == StoreTransaction {
    try await sending(isStreamed: isStreamed) { success in
      try await success.response.stored(
        as: content, in: store, with: responseFormat, reportingTo: success.outcome)
    }
  }
}

/// Storing models from the bodies of responses and requests.
///
/// Each promise runs a separate transaction. It fails with the errors of `decode(as:with:)`, with a `StoreError`, or with
/// `CancellationError` if it is cancelled before the commit.
extension Promise where Value: HTTP.Message {
  /// Returns a promise of the model that the body of the message describes. The model is stored in a transaction of the factory's store.
  ///
  /// It fails with `StoreError.Code.outsideTransaction` for a factory of a single transaction, which ends before the promise.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ManagedDecodingFactory<Model>, with format: (any DecodingFormat)? = nil
  ) -> Promise<Model> where Model.Context == StoreTransaction {
    let store = factory.store
    return stored(as: .model(factory.rules), in: { _ in try store.required }, with: format)
  }

  /// Returns a promise of the models of the list in the body of the message. The models are stored in one transaction of the factory's
  /// store.
  ///
  /// It fails with `StoreError.Code.outsideTransaction` for a factory of a single transaction, which ends before the promise.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    using factory: ManagedArrayFactory<Model>, with format: (any DecodingFormat)? = nil
  ) -> Promise<[Model]> where Model.Context == StoreTransaction {
    let store = factory.element.store
    let content = StoredContent<Model, ManagedList<Model>>.list(factory.missing, factory.element.rules)
    return stored(as: content, in: { _ in try store.required }, with: format).map { $0.models }
  }

  func stored<Model: ManagedDecodable & Codable & Sendable, Result: Sendable>(
    as content: StoredContent<Model, Result>, in store: @escaping @Sendable (Value) throws -> Store,
    with format: (any DecodingFormat)?
  ) -> Promise<Result> where Model.Context == StoreTransaction {
    thenMessage { message, outcome in
      try await message.stored(as: content, in: store(message), with: format, reportingTo: outcome)
    }
  }
}
