public import AnvilBase
public import AnvilClient
public import AnvilHTTP
public import AnvilStore

/// A gateway and the store in which models of its responses are kept.
///
///     let managedGateway = ManagedGateway(gateway, context: store.context)
///     let user = try await managedGateway.request("users/\(id)").execute().decode(managed: User.self).value
public struct TypedManagedGateway<Failure: TransportFailureRepresentable>: Sendable {
  package let gateway: TypedGateway<Failure>
  package let context: Store

  /// Creates a gateway that stores models in `context`.
  public init(_ gateway: TypedGateway<Failure>, context: Store) {
    self.gateway = gateway
    self.context = context
  }

  /// Returns a request for `path`, followed by one segment for each of `segments`; see `TypedGateway.request(_:_:method:query:)`.
  public func request(
    _ path: HTTP.Path = "", _ segments: any HTTP.PathValue & Sendable..., method: HTTP.Method = .get,
    query: HTTP.Query = [:]
  ) -> TypedManagedGatewayRequest<Failure> {
    TypedManagedGatewayRequest(
      gateway.request(path, segments: segments, method: method, query: query), context: context)
  }

  /// Unavailable, because a `String` may be a path or the text of one segment.
  @available(
    *, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for the text of one segment"
  )
  public func request(
    _ path: String, _ segments: any HTTP.PathValue & Sendable..., method: HTTP.Method = .get,
    query: HTTP.Query = [:]
  ) -> TypedManagedGatewayRequest<Failure> {
    fatalError("unavailable")
  }
}

/// A managed gateway whose requests throw `AnyError`.
public typealias ManagedGateway = TypedManagedGateway<AnyError>

/// A request and the store for the models in its response.
public struct TypedManagedGatewayRequest<Failure: TransportFailureRepresentable>: Sendable {
  /// The request.
  public var request: TypedGatewayRequest<Failure>
  package let context: Store

  package init(_ request: TypedGatewayRequest<Failure>, context: Store) {
    self.request = request
    self.context = context
  }

  /// Sends the request and returns a promise of the response, with its body in memory; see `TypedGatewayRequest.execute()`.
  public func execute() -> Promise<ManagedResponse> {
    request.execute().wrapped { [context] in ManagedResponse(response: $0, context: context) }
  }
}

/// A response together with the store for its models.
public struct ManagedResponse: HTTP.Message {
  package let response: HTTP.Response
  package let context: Store

  /// The response's body.
  public var body: HTTP.Body { response.body }

  /// The response.
  public var asResponse: HTTP.Response? { response }
}

/// Storing models of the response in its context. Functions without a parameter `managed` do not store models.
///
/// `missing` is the treatment of rows that are not in a list, and `rules` are rules for rows that exist, which take precedence over the model's
/// own.
extension Promise where Value == ManagedResponse {
  /// Returns a promise of the model that the body of the response describes. The model is created or updated in the store.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: Model.Type, with format: (any DecodingFormat)? = nil, rules: [ConflictRule] = []
  ) -> Promise<Model> where Model.Context == StoreTransaction {
    stored(as: .model(rules), in: \.context, with: format)
  }

  /// Returns a promise of the models of the list in the body of the response. The models are created or updated in the store in one
  /// transaction.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: [Model].Type, with format: (any DecodingFormat)? = nil, missing: MissingRows = .kept,
    rules: [ConflictRule] = []
  ) -> Promise<[Model]> where Model.Context == StoreTransaction {
    decode(managedList: type, with: format, missing: missing, rules: rules).map { $0.models }
  }

  /// Returns a promise of the models of the list in the body of the response, and of the changes to their rows.
  package func decode<Model: ManagedDecodable & Codable & Sendable>(
    managedList type: [Model].Type, with format: (any DecodingFormat)? = nil, missing: MissingRows = .kept,
    rules: [ConflictRule] = []
  ) -> Promise<ManagedList<Model>> where Model.Context == StoreTransaction {
    stored(as: .list(missing, rules), in: \.context, with: format)
  }
}
