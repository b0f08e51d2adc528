extension TransportError.Code {
  /// A code without its status. The raw value is the name of the code.
  ///
  /// Both conversions are exhaustive switches: a new code does not compile until it is listed here, and the tests iterate over this list
  /// to check every table of codes.
  package enum Kind: String, CaseIterable, Sendable {
    case redirection, clientError, serverError, unknownStatus
    case noData, noConnection, hostNotFound, connectionLost, timedOut, cancelled, tlsFailure
    case responseTooLarge, truncatedResponse, malformedResponse
    case tooManyRedirects, redirectRefused, circuitOpen, authenticationFailed
    case invalidRequest, requestBodyFailed, fileNotWritten, other

    /// The code of this kind; `nil` for codes that have a status.
    package var code: TransportError.Code? {
      switch self {
      case .clientError, .serverError, .unknownStatus: nil
      case .redirection: .redirection
      case .noData: .noData
      case .noConnection: .noConnection
      case .hostNotFound: .hostNotFound
      case .connectionLost: .connectionLost
      case .timedOut: .timedOut
      case .cancelled: .cancelled
      case .tlsFailure: .tlsFailure
      case .responseTooLarge: .responseTooLarge
      case .truncatedResponse: .truncatedResponse
      case .malformedResponse: .malformedResponse
      case .tooManyRedirects: .tooManyRedirects
      case .redirectRefused: .redirectRefused
      case .circuitOpen: .circuitOpen
      case .authenticationFailed: .authenticationFailed
      case .invalidRequest: .invalidRequest
      case .requestBodyFailed: .requestBodyFailed
      case .fileNotWritten: .fileNotWritten
      case .other: .other
      }
    }
  }

  /// The kind of this code.
  package var kind: Kind {
    switch self {
    case .redirection: .redirection
    case .clientError: .clientError
    case .serverError: .serverError
    case .unknownStatus: .unknownStatus
    case .noData: .noData
    case .noConnection: .noConnection
    case .hostNotFound: .hostNotFound
    case .connectionLost: .connectionLost
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .tlsFailure: .tlsFailure
    case .responseTooLarge: .responseTooLarge
    case .truncatedResponse: .truncatedResponse
    case .malformedResponse: .malformedResponse
    case .tooManyRedirects: .tooManyRedirects
    case .redirectRefused: .redirectRefused
    case .circuitOpen: .circuitOpen
    case .authenticationFailed: .authenticationFailed
    case .invalidRequest: .invalidRequest
    case .requestBodyFailed: .requestBodyFailed
    case .fileNotWritten: .fileNotWritten
    case .other: .other
    }
  }
}
