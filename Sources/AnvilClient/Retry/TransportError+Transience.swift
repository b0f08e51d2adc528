internal import AnvilHTTP

extension HTTP.Status {
  /// Whether a response of this status may be another one the next time. Rule R2; 413 and 421 only under conditions of their
  /// own.
  var isTransient: Bool {
    switch code {
    case 408, 425, 429, 500, 502, 503, 504: true
    default: false
    }
  }
}

extension TransportError.Code {
  /// Whether a failure of this kind may pass by itself. Rules R2 and R3.
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
  /// Whether it is certain that no server has seen the request.
  ///
  /// A failure of TLS is none of them: who refuses a certificate, or a handshake, does so again. A handshake that is cut short is
  /// a lost connection, where the session can tell.
  var provesNothingWasSent: Bool {
    switch (code, phase) {
    case (.noConnection, _), (.hostNotFound, _): true
    case (.connectionLost, .queue), (.connectionLost, .connect), (.connectionLost, .tls): true
    case (.timedOut, .queue), (.timedOut, .connect), (.timedOut, .tls): true
    default: false
    }
  }
}
