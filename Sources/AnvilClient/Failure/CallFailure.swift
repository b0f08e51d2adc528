/// The failure of a call before it becomes the caller's error: the exchange failed, or its response could not be decoded.
enum CallFailure: Error {
  indirect case transport(TransportFailure)
  case decoding(DecodingFailure)

  /// The associated failure.
  var failure: any Error {
    switch self {
    case .transport(let failure): failure
    case .decoding(let failure): failure
    }
  }

  /// Returns the caller's error. `errorTransformer` creates it from a decoding failure.
  func failure<Failure: TransportFailureRepresentable>(_ errorTransformer: (DecodingFailure) -> Failure) -> Failure {
    switch self {
    case .transport(let failure): Failure(transportFailure: failure)
    case .decoding(let failure): errorTransformer(failure)
    }
  }
}

extension CallFailure: DecodingFailureRepresentable {
  init(transportFailure: TransportFailure) { self = .transport(transportFailure) }

  init(decodingFailure: DecodingFailure) { self = .decoding(decodingFailure) }
}

extension TransportFailureRepresentable {
  /// Creates the caller's error from `failure`; `nil` for a decoding failure if the type cannot be created from one.
  init?(failure: any Error) {
    switch failure {
    case let failure as Self: self = failure
    case let failure as TransportFailure: self.init(transportFailure: failure)
    case let failure as DecodingFailure:
      guard let type = Self.self as? any DecodingFailureRepresentable.Type,
        let error = type.init(decodingFailure: failure) as? Self
      else { return nil }
      self = error
    case let failure as CallFailure: self.init(failure: failure.failure)
    default: return nil
    }
  }
}
