internal import AnvilBodies
internal import AnvilHTTP

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

extension CallFailure {
  /// Creates the failure for `error`, which was thrown by reading a response as a stream, or page by page.
  ///
  /// - Parameters:
  ///   - type: The type of the values; `nil` if nothing is decoded.
  ///   - response: The response, without its body; `nil` before it arrived.
  ///   - request: The request, for an error without a response.
  init(
    _ error: any Error, reading type: (any (Decodable & SendableMetatype).Type)?, of response: HTTP.Response?,
    to request: @autoclosure () -> HTTP.Request
  ) {
    switch error {
    case let failure as CallFailure: self = failure
    case let failure as TransportFailure: self = .transport(failure)
    case let failure as DecodingFailure: self = .decoding(failure)
    case let rejected as EventSource.UnexpectedResponse:
      self = .transport(
        TransportFailure(
          error: TransportError(code: .malformedResponse, reason: "it is not an event stream", underlyingError: error),
          request: rejected.response.request, response: rejected.response))
    default:
      if let type, let response, let error = DecodingError(reading: error) {
        self = .decoding(
          .decodingError(DecodingFailure.Context(decodingError: error, failingType: type, response: response)))
      } else {
        self = .transport(
          TransportFailure(
            error: TransportError(reading: error), request: response?.request ?? request(), response: response))
      }
    }
  }
}

extension DecodingError {
  /// Creates the decoding error that `error` is or contains; `nil` for another error.
  fileprivate init?(reading error: any Error) {
    switch error {
    case let error as DecodingError: self = error
    case let error as HTTP.LineDecodingError:
      self = .dataCorrupted(Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
    case let error as HTTP.RecordDecodingError:
      self = .dataCorrupted(Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
    default: return nil
    }
  }
}

extension TransportError {
  /// Creates the transport error that `error` is, or that corresponds to it.
  fileprivate init(reading error: any Error) {
    switch error {
    case let error as TransportError: self = error
    case is CancellationError: self.init(code: .cancelled, phase: .body, underlyingError: error)
    case let error as HTTP.BodyError:
      self.init(
        code: error.isExcess ? .responseTooLarge : .malformedResponse, phase: .body, reason: "\(error)",
        underlyingError: error)
    case is PaginationError: self.init(code: .malformedResponse, reason: "\(error)", underlyingError: error)
    default: self.init(code: .other, reason: "\(error)", underlyingError: error)
    }
  }
}

extension HTTP.BodyError {
  /// True if a part of the body exceeds a limit.
  fileprivate var isExcess: Bool {
    switch self {
    case .tooLarge, .lineTooLong, .recordTooLong, .eventTooLarge: true
    default: false
    }
  }
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
