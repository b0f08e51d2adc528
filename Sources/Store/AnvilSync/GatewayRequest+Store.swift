internal import AnvilBase
public import AnvilClient
internal import AnvilHTTP
public import AnvilStore

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
