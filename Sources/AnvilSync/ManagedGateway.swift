public import AnvilClient
public import AnvilHTTP
public import AnvilModel
public import AnvilStore

/// A gateway whose responses can be decoded as models that are kept in a store.
///
///     let managedGateway = ManagedGateway(gateway, context: store.context)
///     let user = try await managedGateway.request("users/\(id)").execute().decode(managed: User.self).value
public struct ManagedGateway: Sendable {
  /// The gateway that makes the requests.
  public var gateway: Gateway
  /// The context in which models are stored.
  package let context: StoreContext

  /// Creates a gateway that stores models in `context`.
  public init(_ gateway: Gateway, context: StoreContext) {
    self.gateway = gateway
    self.context = context
  }

  /// Returns a request for `path`; see `Gateway.request(_:method:query:)`.
  public func request(
    _ path: HTTP.Path, method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> ManagedGatewayRequest {
    ManagedGatewayRequest(gateway.request(path, method: method, query: query), context: context)
  }

  /// Returns a request for a path with one segment for each of `components`; see `Gateway.request(_:method:query:)`.
  @_disfavoredOverload
  public func request(
    _ components: any CustomStringConvertible & Sendable..., method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> ManagedGatewayRequest {
    ManagedGatewayRequest(gateway.request(path: components, method: method, query: query), context: context)
  }

  /// Returns a request for the expansion of `template`; see `Gateway.request(template:_:method:query:)`.
  ///
  /// - Throws: `URITemplate.InvalidTemplate`, `URITemplate.InvalidPrefix`.
  public func request(
    template: String, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) throws -> ManagedGatewayRequest {
    ManagedGatewayRequest(
      try gateway.request(template: template, values, method: method, query: query), context: context)
  }
}

/// A request of a ``ManagedGateway``: a `GatewayRequest` together with the store for the models in its response. The properties of the
/// `GatewayRequest` are accessible on it.
@dynamicMemberLookup
public struct ManagedGatewayRequest: Sendable {
  /// The request.
  public var request: GatewayRequest
  /// The context in which models are stored.
  package let context: StoreContext

  /// Creates a request that stores the models of its response in `context`.
  package init(_ request: GatewayRequest, context: StoreContext) {
    self.request = request
    self.context = context
  }

  /// Accesses a property of the request.
  public subscript<Value>(dynamicMember property: WritableKeyPath<GatewayRequest, Value>) -> Value {
    get { request[keyPath: property] }
    set { request[keyPath: property] = newValue }
  }

  /// Sends the request and returns a promise of the response, with its body in memory; see `GatewayRequest.execute()`.
  public func execute() -> Promise<ManagedResponse> {
    request.execute().map { [context] in ManagedResponse($0, context: context) }
  }

  /// Sends the request and returns the response, without decoding its body; see `GatewayRequest.send(failing:)`.
  ///
  /// - Throws: An error of the type `failing`, which is `TransportFailure` by default. A status that is not 2xx is an error, too.
  @discardableResult
  public func send<F: TransportFailureRepresentable>(
    failing: F.Type = TransportFailure.self
  ) async throws(F) -> ManagedResponse {
    ManagedResponse(try await request.send(failing: failing), context: context)
  }

  /// Sends the request and returns a promise that is fulfilled when the response head arrives; see `GatewayRequest.stream()`.
  public func stream() -> Promise<ManagedResponse> {
    request.stream().map { [context] in ManagedResponse($0, context: context) }
  }
}

/// A response together with the store for its models. The properties of the `HTTP.Response` are accessible on it.
@dynamicMemberLookup
public struct ManagedResponse: HTTP.Message {
  /// The response.
  public let response: HTTP.Response
  /// The context in which models are stored.
  package let context: StoreContext

  init(_ response: HTTP.Response, context: StoreContext) {
    self.response = response
    self.context = context
  }

  /// The response's body.
  public var body: HTTP.Body { response.body }

  /// The response.
  public var asResponse: HTTP.Response? { response }

  /// Returns a property of the response.
  public subscript<Value>(dynamicMember property: KeyPath<HTTP.Response, Value>) -> Value {
    response[keyPath: property]
  }
}

/// Storing models of the response in its context. Functions without a parameter `managed` do not store models.
extension Promise where Value == ManagedResponse {
  /// A promise of the response alone.
  public var response: Promise<HTTP.Response> { map { $0.response } }

  /// Returns a promise of the model that the body of the response describes. The model is created or updated in the store.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: Model.Type, with format: (any DecodingFormat)? = nil
  ) -> Promise<Model> where Model.Context == StoreTransaction {
    then { managed in try await managed.decode(managed: type, in: managed.context, with: format) }
  }

  /// Returns a promise of the models of the list in the body of the response. The models are created or updated in the store in one
  /// transaction.
  ///
  /// `missing` is the treatment of rows that are not in the list.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: [Model].Type, with format: (any DecodingFormat)? = nil, missing: MissingRows = .kept
  ) -> Promise<[Model]> where Model.Context == StoreTransaction {
    decode(managedList: type, with: format, missing: missing).map { $0.models }
  }

  /// Returns a promise of the models of the list in the body of the response, and of the changes to their rows. The models are created or
  /// updated in the store in one transaction.
  ///
  /// `missing` is the treatment of rows that are not in the list.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managedList type: [Model].Type, with format: (any DecodingFormat)? = nil, missing: MissingRows = .kept
  ) -> Promise<ManagedList<Model>> where Model.Context == StoreTransaction {
    then { managed in
      try await managed.decode(managedList: type, in: managed.context, with: format, missing: missing)
    }
  }
}
