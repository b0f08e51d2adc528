public import AnvilClient
public import AnvilJSON
public import AnvilStore

/// A description of how the rows of an API's listing are requested and kept in a store.
///
///     let members = Pull(
///       "members", gateway.request("members", query: ["per_page": 100]), of: Member.self, by: .linkHeader,
///       cursor: .field("updated_at", parameter: "since"))
///     let report = try await store.run(members)
///
/// A run requests the pages of the listing one after the other. Each page is stored in one transaction, together with the position after
/// it. An interrupted run therefore continues where it stopped: no page is lost, and none is stored twice. The limits, retries and
/// authentication of the gateway apply to the requests.
///
/// Rows are updated or inserted as by `ManagedDecodable.createOrUpdate(in:from:)`. Members that are absent from the payload keep their
/// stored values, and null clears them. A row that cannot be decoded is skipped and reported. With a cursor, skipped rows are requested
/// again once a day, until no row is skipped.
public struct Pull<Model: ManagedDecodable & Codable & Sendable>: Sendable where Model.Context == StoreTransaction {
  package let plan: PullPlan

  /// Creates a pull of one listing.
  ///
  /// - Parameters:
  ///   - name: The name under which the position is kept in the store. Each pull of a store needs a separate name. The position is
  ///     discarded, and everything is listed again, if the pull's entity, URL, query, `items` or cursor field has changed.
  ///   - request: The request for the first page, of a gateway with any failure type. A run throws the transport's and the store's errors,
  ///     whatever this type is.
  ///   - type: The type of the rows.
  ///   - pagination: The rule that finds the next page. A page is a `JSON` value: `.cursor("after") { $0["next"]?.string }`.
  ///   - items: The path of the list in a page. By default the page is the list.
  ///   - cursor: The rule by which later runs request only changed rows.
  ///   - missing: The treatment of rows that are missing from the listing; see `Store.run(_:sharing:onPage:)`.
  ///   - tombstone: The field that marks deleted rows in the listing, if the API has one.
  ///   - rules: The rules for attributes that are already stored. They take precedence over the model's `conflictRules`.
  public init<Failure: TransportFailureRepresentable>(
    _ name: String, _ request: TypedGatewayRequest<Failure>, of type: Model.Type, by pagination: Pagination<JSON>,
    items: JSON.Path = JSON.Path(), cursor: PullCursor = .none, missing: MissingRows = .kept,
    tombstone: PullTombstone? = nil, rules: [ConflictRule] = []
  ) {
    self.init(
      name, partitions: ["": request], of: type, by: pagination, items: items, cursor: cursor, missing: missing,
      tombstone: tombstone, rules: rules)
  }

  /// Creates a pull of a listing that is divided into partitions, such as one for each team.
  ///
  ///     Pull("issues", partitions: ["red": gateway.request("teams/red/issues"), …], of: Issue.self, by: .linkHeader)
  ///
  /// Each partition has a separate position, and partitions are requested in the order of their names. Rows are missing if they are in none
  /// of the partitions, including those that only other runs of the pull have. `partitions` contains the request for the first page of each
  /// partition, by name. See
  /// ``init(_:_:of:by:items:cursor:missing:tombstone:rules:)`` for the other parameters.
  public init<Failure: TransportFailureRepresentable>(
    _ name: String, partitions: [String: TypedGatewayRequest<Failure>], of type: Model.Type,
    by pagination: Pagination<JSON>,
    items: JSON.Path = JSON.Path(), cursor: PullCursor = .none, missing: MissingRows = .kept,
    tombstone: PullTombstone? = nil, rules: [ConflictRule] = []
  ) {
    plan = PullPlan(
      name: name, partitions: partitions.mapValues { $0.failing(as: AnyError.self) }, pagination: pagination,
      items: items, cursor: cursor, missing: missing,
      tombstone: tombstone, rows: ModelRows<Model>(rules: rules))
  }
}
