public import AnvilBase
internal import AnvilBodies
public import AnvilHTTP

/// Shorthand calls. Each creates a request, sends it, and returns the model or throws `Failure`.
///
///     let user = try await gateway.get("users/\(id)", as: User.self)
///
/// With `Decoded<User>.self`, a call returns the model and the response. For a request that needs more than a path, a query and a body, such
/// as a header field, use ``request(_:_:method:query:)`` and ``TypedGatewayRequest/execute(as:container:)``. If the response wraps the value
/// in an object, `container` is the type of that object.
extension TypedGateway where Failure: DecodingFailureRepresentable {
  /// Gets the resource at `path` and decodes the response.
  public func get<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call(GatewayTarget(path), method: .get, query: query, body: .empty).model(
      as: type, container: container, failing: Failure.self)
  }

  /// Deletes the resource at `path` and decodes the response.
  public func delete<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call(GatewayTarget(path), method: .delete, query: query, body: .empty).model(
      as: type, container: container, failing: Failure.self)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and decodes the response.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call(GatewayTarget(path), method: .post, query: query, body: .encoding(body)).model(
      as: type, container: container, failing: Failure.self)
  }

  /// Posts `body` to `path` and decodes the response.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call(GatewayTarget(path), method: .post, query: query, body: body).model(
      as: type, container: container, failing: Failure.self)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and decodes the response.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call(GatewayTarget(path), method: .put, query: query, body: .encoding(body)).model(
      as: type, container: container, failing: Failure.self)
  }

  /// Puts `body` at `path` and decodes the response.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call(GatewayTarget(path), method: .put, query: query, body: body).model(
      as: type, container: container, failing: Failure.self)
  }

  /// Patches the resource at `path` with `body`, encoded in the gateway's format, and decodes the response.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call(GatewayTarget(path), method: .patch, query: query, body: .encoding(body)).model(
      as: type, container: container, failing: Failure.self)
  }

  /// Patches the resource at `path` with `body` and decodes the response.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await call(GatewayTarget(path), method: .patch, query: query, body: body).model(
      as: type, container: container, failing: Failure.self)
  }
}

/// Shorthand calls that decode nothing.
extension TypedGateway {
  /// Sends a HEAD request for `path` and returns the response.
  @discardableResult
  public func head(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) -> HTTP.Response {
    try await request(GatewayTarget(path), method: .head, query: query).send()
  }

  /// Deletes the resource at `path` and discards the response.
  public func delete(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) {
    try await request(GatewayTarget(path), method: .delete, query: query).send()
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and discards the response.
  public func post(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable
  ) async throws(Failure) {
    try await request(GatewayTarget(path), method: .post, query: query, body: .encoding(body)).send()
  }

  /// Posts `body` to `path` and discards the response.
  public func post(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    try await request(GatewayTarget(path), method: .post, query: query, body: body).send()
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and discards the response.
  public func put(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable
  ) async throws(Failure) {
    try await request(GatewayTarget(path), method: .put, query: query, body: .encoding(body)).send()
  }

  /// Puts `body` at `path` and discards the response.
  public func put(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    try await request(GatewayTarget(path), method: .put, query: query, body: body).send()
  }

  /// Patches the resource at `path` with `body`, encoded in the gateway's format, and discards the response.
  public func patch(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable
  ) async throws(Failure) {
    try await request(GatewayTarget(path), method: .patch, query: query, body: .encoding(body)).send()
  }

  /// Patches the resource at `path` with `body` and discards the response.
  public func patch(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    try await request(GatewayTarget(path), method: .patch, query: query, body: body).send()
  }
}

/// Calls that the compiler rejects with a sentence: with a `String` that may be a path or the text of one segment.
extension TypedGateway {
  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  public func head(_ path: String, query: HTTP.Query = [:]) async throws(Failure) -> HTTP.Response {
    fatalError("unavailable")
  }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  public func delete(_ path: String, query: HTTP.Query = [:]) async throws(Failure) {
    fatalError("unavailable")
  }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  @_disfavoredOverload
  public func post<Body>(_ path: String, query: HTTP.Query = [:], body: Body = HTTP.Body.empty) async throws(Failure) {
    fatalError("unavailable")
  }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  @_disfavoredOverload
  public func put<Body>(_ path: String, query: HTTP.Query = [:], body: Body = HTTP.Body.empty) async throws(Failure) {
    fatalError("unavailable")
  }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  @_disfavoredOverload
  public func patch<Body>(_ path: String, query: HTTP.Query = [:], body: Body = HTTP.Body.empty) async throws(Failure) {
    fatalError("unavailable")
  }
}

/// Such calls with the type of the response, and calls that lack it. They have the constraint of the calls that they resemble, so that a
/// `Failure` that cannot be created from a decoding failure is reported first.
extension TypedGateway where Failure: DecodingFailureRepresentable {
  /// Unavailable, because the call does not name the type of the response.
  @available(*, unavailable, message: "specify the type of the response, as in get(\"users/1\", as: User.self)")
  public func get(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) { fatalError("unavailable") }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  public func get<R: Decodable & Sendable>(
    _ path: String, query: HTTP.Query = [:], as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    fatalError("unavailable")
  }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  public func delete<R: Decodable & Sendable>(
    _ path: String, query: HTTP.Query = [:], as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    fatalError("unavailable")
  }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  @_disfavoredOverload
  public func post<Body, R: Decodable & Sendable>(
    _ path: String, query: HTTP.Query = [:], body: Body = HTTP.Body.empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    fatalError("unavailable")
  }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  @_disfavoredOverload
  public func put<Body, R: Decodable & Sendable>(
    _ path: String, query: HTTP.Query = [:], body: Body = HTTP.Body.empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    fatalError("unavailable")
  }

  /// Unavailable: see ``request(_:_:method:query:)``.
  @available(*, unavailable, message: "write HTTP.Path(syntax: text) for a path, or \"\\(text)\" for one segment")
  @_disfavoredOverload
  public func patch<Body, R: Decodable & Sendable>(
    _ path: String, query: HTTP.Query = [:], body: Body = HTTP.Body.empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    fatalError("unavailable")
  }
}

/// Calls with a body that is neither encodable nor an `HTTP.Body`. Without them, the compiler would choose the calls above, and name the path.
extension TypedGateway {
  /// Unavailable, because the body cannot be encoded.
  @available(*, unavailable, message: "the body must be Encodable and Sendable, or an HTTP.Body")
  public func post<Body>(_ path: HTTP.Path, query: HTTP.Query = [:], body: Body) async throws(Failure) {
    fatalError("unavailable")
  }

  /// Unavailable, because the body cannot be encoded.
  @available(*, unavailable, message: "the body must be Encodable and Sendable, or an HTTP.Body")
  public func put<Body>(_ path: HTTP.Path, query: HTTP.Query = [:], body: Body) async throws(Failure) {
    fatalError("unavailable")
  }

  /// Unavailable, because the body cannot be encoded.
  @available(*, unavailable, message: "the body must be Encodable and Sendable, or an HTTP.Body")
  public func patch<Body>(_ path: HTTP.Path, query: HTTP.Query = [:], body: Body) async throws(Failure) {
    fatalError("unavailable")
  }
}

extension TypedGateway where Failure: DecodingFailureRepresentable {
  /// Unavailable, because the body cannot be encoded.
  @available(*, unavailable, message: "the body must be Encodable and Sendable, or an HTTP.Body")
  public func post<Body, R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: Body, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    fatalError("unavailable")
  }

  /// Unavailable, because the body cannot be encoded.
  @available(*, unavailable, message: "the body must be Encodable and Sendable, or an HTTP.Body")
  public func put<Body, R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: Body, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    fatalError("unavailable")
  }

  /// Unavailable, because the body cannot be encoded.
  @available(*, unavailable, message: "the body must be Encodable and Sendable, or an HTTP.Body")
  public func patch<Body, R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: Body, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    fatalError("unavailable")
  }
}

/// A model and the response that it was decoded from.
///
///     let exchange = try await gateway.get("users/\(id)", as: Decoded<User>.self)
///     print(exchange.value.login, exchange.response.headers[.eTag] ?? "")
///
/// It is decoded from a response as a whole: by the calls of a gateway and its requests, by a ``Request`` and by the promise of a response.
public struct Decoded<Value: Sendable>: Sendable {
  /// The model.
  public let value: Value
  /// The response, with status, fields, body and history.
  public let response: HTTP.Response

  /// Creates the pair of `value` and `response`.
  public init(value: Value, response: HTTP.Response) {
    self.value = value
    self.response = response
  }
}

extension Decoded: Equatable where Value: Equatable {}

extension Decoded: Decodable where Value: Decodable {
  /// Throws an error, because a decoder has no response. Only a response as a whole is decoded as this type.
  public init(from decoder: any Decoder) throws {
    let description =
      "a value with its response is decoded from a response as a whole, and not as a part of another value; "
      + "for a list, write Decoded<[\(Value.self)]>"
    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: description))
  }
}

/// A type whose values are decoded from a response and contain it.
protocol ResponseDecodable {
  init(
    _ response: HTTP.Response, by format: any DecodingFormat, reportingTo outcome: AttemptOutcome?) throws(CallFailure)
}

extension Decoded: ResponseDecodable where Value: Decodable {
  init(
    _ response: HTTP.Response, by format: any DecodingFormat, reportingTo outcome: AttemptOutcome?
  ) throws(CallFailure) {
    value = try response.decoded(as: Value.self, by: format, reportingTo: outcome)
    self.response = response
  }
}

/// A response without a value is `nil` before it gets here.
extension Optional: ResponseDecodable where Wrapped: ResponseDecodable {
  init(
    _ response: HTTP.Response, by format: any DecodingFormat, reportingTo outcome: AttemptOutcome?
  ) throws(CallFailure) {
    self = try Wrapped(response, by: format, reportingTo: outcome)
  }
}
