extension Request {
  /// The request whose response is what `transform` makes of this one's; all else stays.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Response) -> New) -> Request<New, Failure> {
    map { _, response in transform(response) }
  }

  /// The request whose response is what `transform` makes of this one's, with the exchange at hand; all else stays.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (TransportSuccess, Response) -> New
  ) -> Request<New, Failure> {
    var mapped = rebuilt(Request<New, Failure>.self) { [successTransformer] success in
      successTransformer(success).map { transform(success, $0) }
    }
    mapped.successValidator = successValidator
    mapped.failureTransformer = failureTransformer
    return mapped
  }

  /// The request whose failure is what `transform` makes of this one's, wherever it comes from: the transport, decoding,
  /// the validator. All else stays.
  public func mapError<New: TransportFailureRepresentable>(
    _ transform: @escaping @Sendable (Failure) -> New
  ) -> Request<Response, New> {
    var mapped = rebuilt(Request<Response, New>.self) { [successTransformer] success in
      successTransformer(success).mapError(transform)
    }
    mapped.successValidator = { [successValidator] success throws(New) in
      do throws(Failure) {
        try successValidator(success)
      } catch {
        throw transform(error)
      }
    }
    mapped.failureTransformer = { [failureTransformer] in transform(failureTransformer($0)) }
    return mapped
  }

  /// A request of another type with every property that does not depend on the types.
  private func rebuilt<NewResponse, NewFailure>(
    _ type: Request<NewResponse, NewFailure>.Type, _ transformer: @escaping Request<NewResponse, NewFailure>.Transformer
  ) -> Request<NewResponse, NewFailure> {
    var request = Request<NewResponse, NewFailure>(
      method: method, url: url, headers: headers, body: body, cachePolicy: cachePolicy, timeout: timeout,
      successTransformer: transformer)
    request.responseDelivery = responseDelivery
    request.progressHandler = progressHandler
    request.eventHandler = eventHandler
    request.maxRecoveryAttempts = maxRecoveryAttempts
    request.recoveryAttemptCount = recoveryAttemptCount
    request.recoveryTransformer = recoveryTransformer
    return request
  }
}
