internal import AnvilHTTP

extension HTTP.Status {
  /// A Boolean value that indicates whether a later attempt may get another status. Rule R2. 413 and 421 depend on
  /// further conditions and are not included.
  var isTransient: Bool {
    switch code {
    case 408, 425, 429, 500, 502, 503, 504: true
    default: false
    }
  }
}

extension TransportError.Code {
  /// A Boolean value that indicates whether a failure of this kind may be transient. Rules R2 and R3.
  var isTransient: Bool {
    switch self {
    case .noConnection, .hostNotFound, .connectionLost: true
    case .clientError(let status): HTTP.Status.clientError(status).isTransient
    case .serverError(let status): HTTP.Status.serverError(status).isTransient
    default: false
    }
  }
}

extension TransportError {
  /// A Boolean value that indicates whether the request certainly did not reach a server.
  ///
  /// TLS failures are not included: they are permanent and are not retried. An interrupted handshake counts as a lost connection, if the
  /// session can distinguish the two.
  var provesNothingWasSent: Bool {
    switch (code, phase) {
    case (.noConnection, _), (.hostNotFound, _): true
    case (.connectionLost, .queue), (.connectionLost, .connect), (.connectionLost, .tls): true
    case (.timedOut, .queue), (.timedOut, .connect), (.timedOut, .tls): true
    default: false
    }
  }
}
