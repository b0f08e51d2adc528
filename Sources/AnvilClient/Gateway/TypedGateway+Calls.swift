public import AnvilHTTP
public import AnvilModel

/// The short calls of a gateway whose failures are all of one type.
extension TypedGateway {
  /// Asks for what is at `path` and decodes it.
  public func get<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: R.Type = R.self
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .get, query: query).execute(as: type, failing: Failure.self)
  }

  /// Asks for what is at `path` and decodes it; the response comes along with its status and fields.
  public func get<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .get, query: query).execute(as: type, failing: Failure.self)
  }

  /// Asks for what is at `path` and decodes it out of the `container` that wraps it.
  public func get<C: DecodableContainer & SendableMetatype>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: C.Contained.Type = C.Contained.self, container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await gateway.request(path, method: .get, query: query).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Not available: a call without the type of the response.
  @available(*, unavailable, message: "name the type of the response, as in get(\"users/1\", as: User.self)")
  public func get(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) {}

  /// Asks for the status and fields of what is at `path`, without its body.
  @discardableResult
  public func head(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) -> HTTP.Response {
    try await gateway.request(path, method: .head, query: query).send(failing: Failure.self)
  }

  /// Deletes what is at `path` and lets go of the response.
  public func delete(_ path: HTTP.Path, query: HTTP.Query = [:]) async throws(Failure) {
    _ = try await gateway.request(path, method: .delete, query: query).send(failing: Failure.self)
  }

  /// Deletes what is at `path` and decodes the response.
  public func delete<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: R.Type = R.self
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .delete, query: query).execute(as: type, failing: Failure.self)
  }

  /// Deletes what is at `path` and decodes the response, which comes along with its status and fields.
  public func delete<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .delete, query: query).execute(as: type, failing: Failure.self)
  }

  /// Deletes what is at `path` and decodes the response out of the `container` that wraps it.
  public func delete<C: DecodableContainer & SendableMetatype>(
    _ path: HTTP.Path, query: HTTP.Query = [:], as type: C.Contained.Type = C.Contained.self, container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await gateway.request(path, method: .delete, query: query).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and lets go of the response.
  public func post(_ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable) async throws(Failure) {
    _ = try await gateway.request(path, method: .post, query: query, body: .encoding(body)).send(failing: Failure.self)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and decodes the response.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .post, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and decodes the response, which comes along with its status and fields.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .post, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Posts `body`, encoded in the gateway's format, to `path` and decodes the response out of the `container` that wraps it.
  public func post<C: DecodableContainer & SendableMetatype>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable,
    as type: C.Contained.Type = C.Contained.self, container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await gateway.request(path, method: .post, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Posts `body` to `path` and lets go of the response.
  public func post(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    _ = try await gateway.request(path, method: .post, query: query, body: body).send(failing: Failure.self)
  }

  /// Posts `body` to `path` and decodes the response.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .post, query: query, body: body).execute(as: type, failing: Failure.self)
  }

  /// Posts `body` to `path` and decodes the response, which comes along with its status and fields.
  public func post<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .post, query: query, body: body).execute(as: type, failing: Failure.self)
  }

  /// Posts `body` to `path` and decodes the response out of the `container` that wraps it.
  public func post<C: DecodableContainer & SendableMetatype>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: C.Contained.Type = C.Contained.self,
    container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await gateway.request(path, method: .post, query: query, body: body).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and lets go of the response.
  public func put(_ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable) async throws(Failure) {
    _ = try await gateway.request(path, method: .put, query: query, body: .encoding(body)).send(failing: Failure.self)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and decodes the response.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .put, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and decodes the response, which comes along with its status and fields.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .put, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Puts `body`, encoded in the gateway's format, at `path` and decodes the response out of the `container` that wraps it.
  public func put<C: DecodableContainer & SendableMetatype>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable,
    as type: C.Contained.Type = C.Contained.self, container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await gateway.request(path, method: .put, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Puts `body` at `path` and lets go of the response.
  public func put(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    _ = try await gateway.request(path, method: .put, query: query, body: body).send(failing: Failure.self)
  }

  /// Puts `body` at `path` and decodes the response.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .put, query: query, body: body).execute(as: type, failing: Failure.self)
  }

  /// Puts `body` at `path` and decodes the response, which comes along with its status and fields.
  public func put<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .put, query: query, body: body).execute(as: type, failing: Failure.self)
  }

  /// Puts `body` at `path` and decodes the response out of the `container` that wraps it.
  public func put<C: DecodableContainer & SendableMetatype>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: C.Contained.Type = C.Contained.self,
    container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await gateway.request(path, method: .put, query: query, body: body).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Changes what is at `path` by `body`, encoded in the gateway's format, and lets go of the response.
  public func patch(_ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable) async throws(Failure) {
    _ = try await gateway.request(path, method: .patch, query: query, body: .encoding(body)).send(failing: Failure.self)
  }

  /// Changes what is at `path` by `body`, encoded in the gateway's format, and decodes the response.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: R.Type = R.self
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .patch, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Changes what is at `path` by `body`, encoded in the gateway's format, and decodes the response, which comes along with its status and fields.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .patch, query: query, body: .encoding(body)).execute(
      as: type, failing: Failure.self)
  }

  /// Changes what is at `path` by `body`, encoded in the gateway's format, and decodes the response out of the `container` that wraps it.
  public func patch<C: DecodableContainer & SendableMetatype>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: some Encodable & Sendable,
    as type: C.Contained.Type = C.Contained.self, container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await gateway.request(path, method: .patch, query: query, body: .encoding(body)).execute(
      as: type, container: container, failing: Failure.self)
  }

  /// Changes what is at `path` by `body` and lets go of the response.
  public func patch(_ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty) async throws(Failure) {
    _ = try await gateway.request(path, method: .patch, query: query, body: body).send(failing: Failure.self)
  }

  /// Changes what is at `path` by `body` and decodes the response.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: R.Type = R.self
  ) async throws(Failure) -> R {
    try await gateway.request(path, method: .patch, query: query, body: body).execute(as: type, failing: Failure.self)
  }

  /// Changes what is at `path` by `body` and decodes the response, which comes along with its status and fields.
  public func patch<R: Decodable & Sendable>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: Decoded<R>.Type
  ) async throws(Failure) -> Decoded<R> {
    try await gateway.request(path, method: .patch, query: query, body: body).execute(as: type, failing: Failure.self)
  }

  /// Changes what is at `path` by `body` and decodes the response out of the `container` that wraps it.
  public func patch<C: DecodableContainer & SendableMetatype>(
    _ path: HTTP.Path, query: HTTP.Query = [:], body: HTTP.Body = .empty, as type: C.Contained.Type = C.Contained.self,
    container: C.Type
  ) async throws(Failure) -> C.Contained where C.Contained: Sendable {
    try await gateway.request(path, method: .patch, query: query, body: body).execute(
      as: type, container: container, failing: Failure.self)
  }
}
