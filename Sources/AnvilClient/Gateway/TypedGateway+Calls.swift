internal import AnvilBodies
public import AnvilHTTP
public import AnvilModel

/// Shorthand calls of a gateway whose failures all have the same type.
extension TypedGateway {
  /// Gets the resource at `path` and decodes it. If the response wraps the value in an object, `container` is the type of that object.
  public func get<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .get, query: query).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Gets the resource at `path` and returns the decoded value together with the response.
  public func get<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .get, query: query).execute(as: type, failing: Failure.self)
  }

  /// Unavailable, because the call does not name the type of the response.
  @available(*, unavailable, message: "specify the type of the response, as in get(\"users/1\", as: User.self)")
  public func get(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) {}

  /// Sends a HEAD request for `path` and returns the response.
  @discardableResult
  public func head(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) -> HTTP.Response {
    try await gateway.request(path, method: .head, query: query).send(failing: Failure.self)
  }

  /// Deletes the resource at `path` and discards the response.
  public func delete(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) {
    _ = try await gateway.request(path, method: .delete, query: query).send(failing: Failure.self)
  }

  /// Deletes the resource at `path` and decodes the response. If the response wraps the value in an object, `container` is the type of that
  /// object.
  public func delete<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .delete, query: query).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Deletes the resource at `path` and returns the decoded value together with the response.
  public func delete<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .delete, query: query).execute(as: type, failing: Failure.self)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and discards the response.
  public func post(_ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable) async throws(Failure) {
    _ = try await gateway.request(path, method: .post, query: query, body: .encoding(body)).send(failing: Failure.self)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and decodes the response. If the response wraps the value in an object,
  /// `container` is the type of that object.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .post, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and returns the decoded value together with the response.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .post, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Posts `body` to `path` and discards the response.
  public func post(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    _ = try await gateway.request(path, method: .post, query: query, body: body).send(failing: Failure.self)
  }

  /// Posts `body` to `path` and decodes the response. If the response wraps the value in an object, `container` is the type of that object.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .post, query: query, body: body).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Posts `body` to `path` and returns the decoded value together with the response.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .post, query: query, body: body).execute(as: type, failing: Failure.self)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and discards the response.
  public func put(_ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable) async throws(Failure) {
    _ = try await gateway.request(path, method: .put, query: query, body: .encoding(body)).send(failing: Failure.self)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and decodes the response. If the response wraps the value in an object,
  /// `container` is the type of that object.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .put, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and returns the decoded value together with the response.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .put, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Puts `body` at `path` and discards the response.
  public func put(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    _ = try await gateway.request(path, method: .put, query: query, body: body).send(failing: Failure.self)
  }

  /// Puts `body` at `path` and decodes the response. If the response wraps the value in an object, `container` is the type of that object.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .put, query: query, body: body).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Puts `body` at `path` and returns the decoded value together with the response.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .put, query: query, body: body).execute(as: type, failing: Failure.self)
  }

  /// Patches the resource at `path` with `body`, encoded in the gateway's format, and discards the response.
  public func patch(_ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable) async throws(Failure) {
    _ = try await gateway.request(path, method: .patch, query: query, body: .encoding(body)).send(failing: Failure.self)
  }

  /// Patches the resource at `path` with `body`, encoded in the gateway's format, and decodes the response. If the response wraps the value
  /// in an object, `container` is the type of that object.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .patch, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Patches the resource at `path` with `body`, encoded in the gateway's format, and returns the decoded value together with the response.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .patch, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Patches the resource at `path` with `body` and discards the response.
  public func patch(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    _ = try await gateway.request(path, method: .patch, query: query, body: body).send(failing: Failure.self)
  }

  /// Patches the resource at `path` with `body` and decodes the response. If the response wraps the value in an object, `container` is the
  /// type of that object.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self,
    container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .patch, query: query, body: body).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Patches the resource at `path` with `body` and returns the decoded value together with the response.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .patch, query: query, body: body).execute(as: type, failing: Failure.self)
  }
}
