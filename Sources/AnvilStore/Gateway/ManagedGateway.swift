public import AnvilClient
public import AnvilHTTP
public import AnvilModel

/// A gateway whose responses go into a store.
///
///     let managedGateway = ManagedGateway(gateway, context: store.context)
///     let user = try await managedGateway.request("users", 1).execute().decode(managed: User.self).value
public struct ManagedGateway: Sendable {
  /// What makes the requests.
  public var gateway: Gateway
  /// Where models are kept.
  public let context: StoreContext

  /// The gateway, with a store for its models.
  public init(_ gateway: Gateway, context: StoreContext) {
    self.gateway = gateway
    self.context = context
  }

  /// A request for the path of `components`; see `Gateway.request(_:method:query:)`.
  public func request(
    _ components: any CustomStringConvertible & Sendable..., method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) -> ManagedGatewayRequest {
    ManagedGatewayRequest(gateway.request(path: components, method: method, query: query), context: context)
  }

  /// A request for what `template` expands to; see `Gateway.request(template:_:method:query:)`.
  ///
  /// - Throws: `URITemplate.InvalidTemplate`, `URITemplate.InvalidPrefix`.
  public func request(
    template: String, _ values: [String: any URITemplateVariable], method: HTTP.Method = .get, query: HTTP.Query = [:]
  ) throws -> ManagedGatewayRequest {
    ManagedGatewayRequest(
      try gateway.request(template: template, values, method: method, query: query), context: context)
  }
}

/// A request that a ``ManagedGateway`` made: a `GatewayRequest`, whose properties it has, with a store for its response.
@dynamicMemberLookup
public struct ManagedGatewayRequest: Sendable {
  /// The request.
  public var request: GatewayRequest
  /// Where models are kept.
  public let context: StoreContext

  /// The request, with a store for the models of its response.
  public init(_ request: GatewayRequest, context: StoreContext) {
    self.request = request
    self.context = context
  }

  /// The request's own properties.
  public subscript<Value>(dynamicMember property: WritableKeyPath<GatewayRequest, Value>) -> Value {
    get { request[keyPath: property] }
    set { request[keyPath: property] = newValue }
  }

  /// Sends the request and promises the response, with its body in memory; see `GatewayRequest.execute()`.
  public func execute() -> Promise<ManagedResponse> {
    request.execute().map { [context] in ManagedResponse($0, context: context) }
  }

  /// Sends the request and promises the response as soon as its head has come; see `GatewayRequest.stream()`.
  public func stream() -> Promise<ManagedResponse> {
    request.stream().map { [context] in ManagedResponse($0, context: context) }
  }
}

/// A response, whose properties it has, with a store for its models.
@dynamicMemberLookup
public struct ManagedResponse: Sendable {
  /// The response.
  public let response: HTTP.Response
  /// Where models are kept.
  public let context: StoreContext

  init(_ response: HTTP.Response, context: StoreContext) {
    self.response = response
    self.context = context
  }

  /// The response's own properties.
  public subscript<Value>(dynamicMember property: KeyPath<HTTP.Response, Value>) -> Value {
    response[keyPath: property]
  }
}

/// Models out of the response, in the store and beside it.
extension Promise where Value == ManagedResponse {
  /// A promise of the response alone.
  public var response: Promise<HTTP.Response> { map { $0.response } }

  /// A promise of the model that the response's body speaks of: updated, or new, and stored.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: Model.Type
  ) -> Promise<Model> where Model.Context == StoreTransaction {
    then { managed in try await managed.response.decode(managed: type, in: managed.context) }
  }

  /// A promise of the models that the response's body is a list of, in one transaction: updated, or new, and stored.
  ///
  /// `missing` says what becomes of rows that no element speaks of.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managed type: [Model].Type, missing: MissingRows = .kept
  ) -> Promise<[Model]> where Model.Context == StoreTransaction {
    decode(managedList: type, missing: missing).map { $0.models }
  }

  /// A promise of the models that the response's body is a list of, and of what became of their rows.
  ///
  /// `missing` says what becomes of rows that no element speaks of.
  public func decode<Model: ManagedDecodable & Codable & Sendable>(
    managedList type: [Model].Type, missing: MissingRows = .kept
  ) -> Promise<ManagedList<Model>> where Model.Context == StoreTransaction {
    then { managed in try await managed.response.decode(managedList: type, in: managed.context, missing: missing) }
  }

  /// A promise of the response's body as a `type`, which is not stored.
  public func decode<Model: Decodable & Sendable>(as type: Model.Type) -> Promise<Model> {
    response.decode(as: type)
  }

  /// A promise of `value` with what the response's body says of it, which is not stored.
  @discardableResult
  public func update<Model: DecoderUpdatable & Sendable>(_ value: Model) -> Promise<Model> {
    response.update(value)
  }
}
