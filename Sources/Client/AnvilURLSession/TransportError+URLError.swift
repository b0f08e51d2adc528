internal import AnvilClient
internal import AnvilHTTP
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension TransportError {
  /// Creates the error for a transfer that URLSession ended with `error`.
  ///
  /// On Linux most results of libcurl have the same code and differ only in their text, so the text is matched. On Apple's platforms the text
  /// is in the language of the user.
  ///
  /// - Parameters:
  ///   - afterHead: Whether the response's head had been received.
  ///   - elapsed: The duration of the exchange.
  init(
    _ error: any Error, afterHead: Bool, elapsed: Duration, _ foundation: FoundationImplementation = .current
  ) {
    let phase: Phase = afterHead ? .body : .firstByte
    guard let error = error as? URLError else {
      // The description may contain the request's URL.
      let error = error as NSError
      self.init(code: .other, phase: phase, reason: "\(error.domain) \(error.code)")
      return
    }
    let text = error.localizedDescription
    // An invalid proxy of the environment is refused before the request is sent.
    if foundation == .corelibs, text.hasPrefix("Unsupported proxy") {
      self.init(code: .invalidRequest, phase: .connect, reason: "URLSession does not support the proxy")
      return
    }
    let code = Code(error.code, curlText: foundation == .corelibs ? text : "", afterHead: afterHead)
    let safeText = Self.safeText(ofLibrary: text) ?? "URLSession error \(error.errorCode)"
    // The error itself contains the request's URL, which may contain secrets, and the unchecked text.
    self.init(
      code: code, phase: phase, elapsed: code == .timedOut ? elapsed : nil, reason: safeText,
      underlyingError: URLError(error.code, userInfo: [NSLocalizedDescriptionKey: safeText]))
  }
}

extension TransportError.Code {
  /// - Parameter text: The message of libcurl; empty if Foundation does not use libcurl.
  fileprivate init(_ code: URLError.Code, curlText text: String, afterHead: Bool) {
    self =
      switch code {
      case .cancelled: .cancelled
      case .timedOut: .timedOut
      case .cannotFindHost, .dnsLookupFailed: .hostNotFound
      case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed, .callIsActive:
        .noConnection
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        .tlsFailure
      case .networkConnectionLost: afterHead ? .truncatedResponse : .connectionLost
      case .badServerResponse: text.hasPrefix("Empty reply") ? .connectionLost : .malformedResponse
      case .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse: .malformedResponse
      case .unsupportedURL:
        text.hasPrefix("Received HTTP/0.9") || text.hasPrefix("Unsupported ")
          ? .malformedResponse : .invalidRequest
      case .badURL: .invalidRequest
      case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .requestBodyStreamExhausted:
        .requestBodyFailed
      default: Self(curlText: text)
      }
  }

  /// Maps messages of libcurl, as of version 7.88.
  private init(curlText text: String) {
    let kinds: [(fragment: String, code: TransportError.Code)] = [
      ("transfer closed", .truncatedResponse),
      ("SSL", .tlsFailure),
      ("certificate", .tlsFailure),
      ("TLS", .tlsFailure),
      ("chunked-encoding", .malformedResponse),
      ("hexadecimal sequence", .malformedResponse),
      // The message for a header line of more than 100 kB.
      ("Out of memory", .malformedResponse),
      ("header", .malformedResponse),
      ("Header", .malformedResponse),
      ("Content-Length", .malformedResponse),
      ("content encoding", .malformedResponse),
      ("Failed writing received data", .malformedResponse),
    ]
    self = kinds.first { text.contains($0.fragment) }?.code ?? .other
  }
}
