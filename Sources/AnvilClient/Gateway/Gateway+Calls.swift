internal import AnvilBodies
public import AnvilHTTP
public import AnvilModel

/// Shorthand calls. Each creates a request, sends it, and returns the model or throws an error of type `failing`.
///
///     let user = try await gateway.get("users/\(id)", as: User.self, failing: APIError.self)
///
/// They throw ``AnyError`` unless `failing` names another type; ``failing(as:)`` sets that type for all calls. For a request that needs
/// more than a path, a query and a body, such as a header field, use ``request(_:method:query:)-(HTTP.Path,_,_)`` and
/// ``GatewayRequest/execute(as:container:failing:)``.
extension Gateway {
  /// Gets the resource at `path` and decodes it. If the response wraps the value in an object, `container` is the type of that object.
  public func get<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil, failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await request(path, method: .get, query: query).execute(as: type, container: container, failing: failing)
  }

  /// Gets the resource at `path` and returns the decoded value together with the response.
  public func get<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: Decoded<R>.Type, failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await request(path, method: .get, query: query).execute(as: type, failing: failing)
  }

  /// Unavailable, because the call does not name the type of the response.
  @available(*, unavailable, message: "specify the type of the response, as in get(\"users/1\", as: User.self)")
  public func get<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], failing: F.Type = AnyError.self
  ) async throws(F) {}

  /// Sends a HEAD request for `path` and returns the response.
  @discardableResult
  public func head<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], failing: F.Type = AnyError.self
  ) async throws(F) -> HTTP.Response {
    try await request(path, method: .head, query: query).send(failing: failing)
  }

  /// Deletes the resource at `path` and discards the response.
  public func delete<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], failing: F.Type = AnyError.self
  ) async throws(F) {
    _ = try await request(path, method: .delete, query: query).send(failing: failing)
  }

  /// Deletes the resource at `path` and decodes the response. If the response wraps the value in an object, `container` is the type of that
  /// object.
  public func delete<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil, failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await request(path, method: .delete, query: query).execute(as: type, container: container, failing: failing)
  }

  /// Deletes the resource at `path` and returns the decoded value together with the response.
  public func delete<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: Decoded<R>.Type, failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await request(path, method: .delete, query: query).execute(as: type, failing: failing)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and discards the response.
  public func post<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, failing: F.Type = AnyError.self
  ) async throws(F) {
    _ = try await request(path, method: .post, query: query, body: .encoding(body)).send(failing: failing)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and decodes the response. If the response wraps the value in an object,
  /// `container` is the type of that object.
  public func post<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil,
    failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await request(path, method: .post, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: failing)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and returns the decoded value together with the response.
  public func post<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type,
    failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await request(path, method: .post, query: query, body: .encoding(body)).execute(as: type, failing: failing)
  }

  /// Posts `body` to `path` and discards the response.
  public func post<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, failing: F.Type = AnyError.self
  ) async throws(F) {
    _ = try await request(path, method: .post, query: query, body: body).send(failing: failing)
  }

  /// Posts `body` to `path` and decodes the response. If the response wraps the value in an object, `container` is the type of that object.
  public func post<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil,
    failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await request(path, method: .post, query: query, body: body).execute(
      as: type, container: container, failing: failing)
  }

  /// Posts `body` to `path` and returns the decoded value together with the response.
  public func post<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type,
    failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await request(path, method: .post, query: query, body: body).execute(as: type, failing: failing)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and discards the response.
  public func put<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, failing: F.Type = AnyError.self
  ) async throws(F) {
    _ = try await request(path, method: .put, query: query, body: .encoding(body)).send(failing: failing)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and decodes the response. If the response wraps the value in an object,
  /// `container` is the type of that object.
  public func put<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil,
    failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await request(path, method: .put, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: failing)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and returns the decoded value together with the response.
  public func put<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type,
    failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await request(path, method: .put, query: query, body: .encoding(body)).execute(as: type, failing: failing)
  }

  /// Puts `body` at `path` and discards the response.
  public func put<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, failing: F.Type = AnyError.self
  ) async throws(F) {
    _ = try await request(path, method: .put, query: query, body: body).send(failing: failing)
  }

  /// Puts `body` at `path` and decodes the response. If the response wraps the value in an object, `container` is the type of that object.
  public func put<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil,
    failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await request(path, method: .put, query: query, body: body).execute(
      as: type, container: container, failing: failing)
  }

  /// Puts `body` at `path` and returns the decoded value together with the response.
  public func put<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type,
    failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await request(path, method: .put, query: query, body: body).execute(as: type, failing: failing)
  }

  /// Patches the resource at `path` with `body`, encoded in the gateway's format, and discards the response.
  public func patch<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, failing: F.Type = AnyError.self
  ) async throws(F) {
    _ = try await request(path, method: .patch, query: query, body: .encoding(body)).send(failing: failing)
  }

  /// Patches the resource at `path` with `body`, encoded in the gateway's format, and decodes the response. If the response wraps the value
  /// in an object, `container` is the type of that object.
  public func patch<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil,
    failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await request(path, method: .patch, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: failing)
  }

  /// Patches the resource at `path` with `body`, encoded in the gateway's format, and returns the decoded value together with the response.
  public func patch<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type,
    failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await request(path, method: .patch, query: query, body: .encoding(body)).execute(as: type, failing: failing)
  }

  /// Patches the resource at `path` with `body` and discards the response.
  public func patch<F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, failing: F.Type = AnyError.self
  ) async throws(F) {
    _ = try await request(path, method: .patch, query: query, body: body).send(failing: failing)
  }

  /// Patches the resource at `path` with `body` and decodes the response. If the response wraps the value in an object, `container` is the
  /// type of that object.
  public func patch<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil,
    failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await request(path, method: .patch, query: query, body: body).execute(
      as: type, container: container, failing: failing)
  }

  /// Patches the resource at `path` with `body` and returns the decoded value together with the response.
  public func patch<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type,
    failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await request(path, method: .patch, query: query, body: body).execute(as: type, failing: failing)
  }
}
