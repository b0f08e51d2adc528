/// The reason why a successful response could not be turned into a model.
enum UnusableResponse: Error {
  /// There was no content to decode.
  indirect case noData(TransportFailure)
  /// The content could not be decoded.
  case undecodable(DecodingFailure)

  /// The associated failure.
  var failure: any Error {
    switch self {
    case .noData(let failure): failure
    case .undecodable(let failure): failure
    }
  }

  /// Returns the caller's error. `errorTransformer` creates it from a decoding failure.
  func failure<Failure: TransportFailureRepresentable>(_ errorTransformer: (DecodingFailure) -> Failure) -> Failure {
    switch self {
    case .noData(let failure): Failure(transportFailure: failure)
    case .undecodable(let failure): errorTransformer(failure)
    }
  }
}
