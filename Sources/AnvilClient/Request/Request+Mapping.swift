extension Request {
  /// The request whose response is what `transform` makes of this one's; all else stays.
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Response) -> New) -> Request<New, Failure> {
    map { _, response in transform(response) }
  }

  /// The request whose response is what `transform` makes of this one's, with the exchange at hand; all else stays.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (TransportSuccess, Response) -> New
  ) -> Request<New, Failure> {
    Request<New, Failure>(
      self,
      successTransformer: { [successTransformer] success in
        successTransformer(success).map { transform(success, $0) }
      },
      successValidator: successValidator, failureTransformer: failureTransformer)
  }

  /// The request whose failure is what `transform` makes of this one's, wherever it comes from: the transport, decoding,
  /// the validator. All else stays.
  public func mapError<New: TransportFailureRepresentable>(
    _ transform: @escaping @Sendable (Failure) -> New
  ) -> Request<Response, New> {
    Request<Response, New>(
      self,
      successTransformer: { [successTransformer] success in successTransformer(success).mapError(transform) },
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
