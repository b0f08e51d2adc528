extension Request {
  /// Returns a request whose response is this request's response transformed by `transform`. Everything else is unchanged.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Response) -> New) -> Request<New, Failure> {
    map { _, response in transform(response) }
  }

  /// Returns a request whose response is this request's response transformed by `transform`, which also receives the exchange.
  /// Everything else is unchanged.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (TransportSuccess, Response) -> New
  ) -> Request<New, Failure> {
    Request<New, Failure>(
      self,
      makeResponse: { [makeResponse] success, format throws(Failure) in
        transform(success, try makeResponse(success, format))
      },
      successValidator: successValidator, failureTransformer: failureTransformer)
  }

  /// Returns a request whose failures are this request's failures transformed by `transform`, whether they come from the transport, from
  /// decoding or from the validator. Everything else is unchanged.
  public func mapError<New: TransportFailureRepresentable>(
    _ transform: @escaping @Sendable (Failure) -> New
  ) -> Request<Response, New> {
    Request<Response, New>(
      self,
      makeResponse: { [makeResponse] success, format throws(New) in
        do throws(Failure) { return try makeResponse(success, format) } catch { throw transform(error) }
      },
      successValidator: { [successValidator] success throws(New) in
        do throws(Failure) {
          try successValidator(success)
        } catch {
          throw transform(error)
        }
      },
      failureTransformer: { [failureTransformer] in transform(failureTransformer($0)) })
  }
}
