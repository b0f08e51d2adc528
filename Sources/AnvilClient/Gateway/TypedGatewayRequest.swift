public import AnvilHTTP
public import AnvilModel

/// A request that a ``TypedGateway`` made: a ``GatewayRequest`` whose calls throw one type of error.
///
///     var request = api.request("users/\(id)")
///     request.headers[.ifNoneMatch] = tag
///     let user = try await request.execute(as: User.self)
///
/// Has the properties of its ``request``, which also has what is no single call: promises, streams, events, pages, downloads.
@dynamicMemberLookup
public struct TypedGatewayRequest<Failure: DecodingFailureRepresentable>: Sendable {
  /// The request without the type of its error.
  public var request: GatewayRequest

  /// The properties of ``request``.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<GatewayRequest, Value>) -> Value {
    get { request[keyPath: keyPath] }
    set { request[keyPath: keyPath] = newValue }
  }

  /// Sends the request and decodes the response; see ``GatewayRequest/execute(as:failing:)-(R.Type,_)``.
  ///
  /// - Throws: `Failure` and nothing else.
  public func execute<R: Decodable & Sendable>(as type: R.Type = R.self) async throws(Failure) -> R {
    try await request.execute(as: type, failing: Failure.self)
  }

  /// Sends the request and decodes the response, which comes along.
  ///
  /// - Throws: `Failure` and nothing else.
  public func execute<R: Decodable & Sendable>(as type: Decoded<R>.Type) async throws(Failure) -> Decoded<R> {
    try await request.execute(as: type, failing: Failure.self)
  }

  /// Sends the request and decodes the response out of the `container` that wraps it.
  ///
  /// - Throws: `Failure` and nothing else.
  public func execute<C: DecodableContainer & SendableMetatype>(
    as type: C.Contained.Type = C.Contained.self, container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await request.execute(as: type, container: container, failing: Failure.self)
  }

  /// Sends the request and returns the response, whatever its body.
  ///
  /// - Throws: `Failure` and nothing else, for a status that is not 2xx, too.
  @discardableResult
  public func send() async throws(Failure) -> HTTP.Response {
    try await request.send(failing: Failure.self)
  }
}

extension TypedGatewayRequest: CustomStringConvertible, CustomReflectable {
  /// Method and URL, credentials and query values redacted: safe to log.
  public var description: String { request.description }
  /// The request's mirror, without secrets.
  public var customMirror: Mirror { request.customMirror }
}
