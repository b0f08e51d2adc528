public import AnvilHTTP
public import AnvilModel

/// Calls that give a model or throw one type of error, with no promise in between.
extension GatewayRequest {
  /// Sends the request and decodes the response in ``decodingFormat``.
  ///
  ///     let user = try await request.execute(as: User.self, failing: APIError.self)
  ///
  /// An `Optional` is `nil` when the response has no body, as a 204 has none, or one of white space only. Cancelling the task ends the
  /// exchange.
  ///
  /// - Throws: `failing` and nothing else, for a status that is not 2xx, for what does not decode, for a body that cannot be
  ///   encoded, and for all that can happen on the way.
  public func execute<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    as type: R.Type = R.self, failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    try await backend.perform(typed(AnvilClient.Request<R, F>.decodingTransformer(by: nil)))
  }

  /// Sends the request and decodes the response, which comes along.
  ///
  /// - Throws: `failing` and nothing else.
  public func execute<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    as type: Decoded<R>.Type, failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await backend.perform(
      typed(AnvilClient.Request<R, F>.decodingTransformer(by: nil)).map { Decoded(value: $1, response: $0.response) })
  }

  /// Sends the request and decodes the response out of the `container` that wraps it.
  ///
  /// - Throws: `failing` and nothing else.
  public func execute<C: DecodableContainer & SendableMetatype, F: DecodingFailureRepresentable>(
    as type: C.Contained.Type = C.Contained.self, container: C.Type, failing: F.Type = AnyError.self
  ) async throws(F) -> C.Contained where C.Contained: Sendable {
    try await backend.perform(
      typed(AnvilClient.Request<C.Contained, F>.decodingTransformer(by: nil, out: container)))
  }

  /// Not available: a call without the type of the response.
  @available(*, unavailable, message: "name the type of the response, as in execute(as: User.self)")
  public func execute<F: DecodingFailureRepresentable>(failing: F.Type) async throws(F) {}

  /// Sends the request and returns the response, whatever its body.
  ///
  ///     try await request.send()
  ///
  /// - Throws: ``TransportFailure`` and nothing else, for a status that is not 2xx, too.
  @discardableResult
  public func send() async throws(TransportFailure) -> HTTP.Response {
    try await respond(.collected)
  }

  /// Sends the request and returns the response, whatever its body.
  ///
  /// - Throws: `failing` and nothing else, for a status that is not 2xx, too.
  @discardableResult
  public func send<F: TransportFailureRepresentable>(failing: F.Type) async throws(F) -> HTTP.Response {
    try await respond(.collected, failing: failing)
  }

  /// Sends the request and hands the response over as `delivery` says.
  func respond<F: TransportFailureRepresentable>(
    _ delivery: ResponseDelivery, failing: F.Type
  ) async throws(F) -> HTTP.Response {
    try await backend.perform(
      typed(delivery: delivery) { success -> Result<HTTP.Response, F> in .success(success.response) })
  }

  /// The request with `transformer`.
  private func typed<R, F>(
    delivery: ResponseDelivery = .collected, _ transformer: @escaping AnvilClient.Request<R, F>.Transformer
  ) throws(F) -> AnvilClient.Request<R, F> {
    do throws(TransportFailure) {
      return AnvilClient.Request(try untyped(delivery), successTransformer: transformer)
    } catch {
      throw F(transportFailure: error)
    }
  }
}
