public import AnvilHTTP
public import AnvilModel

/// Calls that return a model or throw one type of error, without a promise.
extension GatewayRequest {
  /// Sends the request and decodes the response in ``decodingFormat``. If the response wraps the value in an object, `container` is the
  /// type of that object.
  ///
  ///     let user = try await request.execute(as: User.self, failing: APIError.self)
  ///
  /// An `Optional` is `nil` when the response has no body, such as a 204, or a body that is only white space. Cancelling the task
  /// cancels the exchange.
  ///
  /// - Throws: an error of type `failing` only: for a status that is not 2xx, for a response that cannot be decoded, for a body that
  ///   cannot be encoded, and for every transport error.
  public func execute<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    as type: R.Type = R.self, container: (any (DecodableContainer<R> & SendableMetatype).Type)? = nil,
    failing: F.Type = AnyError.self
  ) async throws(F) -> R {
    guard let container else {
      return try await backend.perform(typed() as AnvilClient.Request<R, F>)
    }
    return try await backend.perform(typed(AnvilClient.Request<R, F>.decodingTransformer(by: nil, out: container)))
  }

  /// Sends the request and returns the decoded value together with the response.
  ///
  /// - Throws: an error of type `failing` only.
  public func execute<R: Decodable & Sendable, F: DecodingFailureRepresentable>(
    as type: Decoded<R>.Type, failing: F.Type = AnyError.self
  ) async throws(F) -> Decoded<R> {
    try await backend.perform(
      (typed() as AnvilClient.Request<R, F>).map { Decoded(value: $1, response: $0.response) })
  }

  /// Unavailable, because the call does not name the type of the response.
  @available(*, unavailable, message: "specify the type of the response, as in execute(as: User.self)")
  public func execute<F: DecodingFailureRepresentable>(failing: F.Type) async throws(F) {}

  /// Sends the request and returns the response, whatever its body.
  ///
  ///     try await request.send()
  ///
  /// - Throws: an error of type `failing` only, by default ``TransportFailure``. A status that is not 2xx is an error as well.
  @discardableResult
  public func send<F: TransportFailureRepresentable>(
    failing: F.Type = TransportFailure.self
  ) async throws(F) -> HTTP.Response {
    try await respond(.collected, failing: failing)
  }

  /// Sends the request and returns the response, delivered according to `delivery`.
  func respond<F: TransportFailureRepresentable>(
    _ delivery: ResponseDelivery, failing: F.Type
  ) async throws(F) -> HTTP.Response {
    try await backend.perform(
      typed(delivery: delivery) { success -> Result<HTTP.Response, F> in .success(success.response) })
  }

  /// Returns the typed request, whose response is decoded.
  private func typed<R: Decodable, F: DecodingFailureRepresentable>() throws(F) -> AnvilClient.Request<R, F> {
    do throws(TransportFailure) {
      return AnvilClient.Request(try untyped(), decodingBy: nil)
    } catch {
      throw F(transportFailure: error)
    }
  }

  /// Returns the typed request, whose response is transformed by `transformer`.
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
