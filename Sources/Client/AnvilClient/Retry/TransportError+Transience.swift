public import AnvilHTTP

/// Stored once; a static property of a generic type is computed.
private let transientStatuses: Set<HTTP.Status> = [
  408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529,
]

extension Set<HTTP.Status> {
  /// The statuses after which a later attempt may succeed: 408, 425, 429, 500, 502, 503, 504, 520 to 524 (sent by proxies that do not reach
  /// their server) and 529 (overloaded). Rule R2.
  public static var transient: Set<HTTP.Status> { transientStatuses }
}

extension HTTP.Response {
  /// Returns whether a later attempt may get another response, if `statuses` are transient. Rule R2.
  ///
  /// Two statuses usually have another cause: a 403 is transient only if a rate limit is exhausted, and a 413 only with a `Retry-After`.
  func isTransient(among statuses: Set<HTTP.Status>) -> Bool {
    guard statuses.contains(status) else { return false }
    return switch code {
    case 403: RetryAfter.isExhausted(headers)
    case 413: headers.contains(.retryAfter)
    default: true
    }
  }
}

extension TransportError.Code {
  /// A Boolean value that indicates whether a failure of this kind may be transient, other than by its status. Rule R3.
  var isTransient: Bool {
    switch self {
    case .noConnection, .hostNotFound, .connectionLost: true
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
