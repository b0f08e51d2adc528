public import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What went wrong between a request and a successful status, sorted so that code can react to it.
///
///     switch error.code {
///     case .clientError(.notFound): …
///     case .timedOut: print("while in \(error.phase), after \(error.elapsed)")
///     default: …
///     }
public struct TransportError: Error {
  /// The kind of failure.
  public let code: Code
  /// How far the exchange had come, where the session can tell.
  public let phase: Phase?
  /// How long the exchange had taken; set for timeouts.
  public let elapsed: Duration?
  /// One more sentence about this failure, safe to log; often the system's own words.
  public let reason: String?
  /// The error of the layer below, if there is one.
  public let underlyingError: (any Error)?
  /// What was tried before, and which redirects were followed.
  public var history = HTTP.History()

  /// An error of kind `code`.
  public init(
    code: Code, phase: Phase? = nil, elapsed: Duration? = nil, reason: String? = nil,
    underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.phase = phase
    self.elapsed = elapsed
    self.reason = reason
    self.underlyingError = underlyingError
  }
}

extension TransportError {
  /// The same error with one more `reason`.
  package func adding(_ reason: String) -> TransportError {
    var error = TransportError(
      code: code, phase: phase, elapsed: elapsed, reason: self.reason.map { "\($0); \(reason)" } ?? reason,
      underlyingError: underlyingError)
    error.history = history
    return error
  }
}

extension TransportError {
  /// The kinds of failure.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// A 3xx status that nobody followed.
    case redirection
    /// A 4xx status.
    case clientError(HTTP.Status.ClientError)
    /// A 5xx status.
    case serverError(HTTP.Status.ServerError)
    /// A status outside 200–599.
    case unknownStatus(Int)
    /// A successful status without the content that the request expects.
    case noData
    /// The server could not be reached: no network, or the connection was refused.
    case noConnection
    /// The name of the host, or of the proxy, could not be resolved.
    ///
    /// A name that does not exist and a resolver that does not answer look alike to most sessions. The failure is retried as
    /// ``noConnection`` is.
    case hostNotFound
    /// The server was reached and the connection ended before the response's head.
    case connectionLost
    /// The time was up; ``TransportError/phase`` and ``TransportError/elapsed`` say when.
    case timedOut
    /// The caller cancelled the task or dropped the response.
    case cancelled
    /// No secure connection could be made: handshake, certificate or host name.
    case tlsFailure
    /// There is more of the response than a limit allows: in its head, in a body that is collected, or in what a compressed
    /// one comes to.
    case responseTooLarge
    /// The body ended before its announced length or its last chunk.
    case truncatedResponse
    /// What came is not valid HTTP: no status line, a bad chunk, lengths that contradict each other.
    case malformedResponse
    /// More redirects and challenges than the limit allows.
    case tooManyRedirects
    /// A redirect that is not followed: to another scheme, with a body that cannot be sent again, or as the caller's policy says.
    case redirectRefused
    /// Too many requests to this origin failed lately: a circuit breaker did not let the request be sent.
    case circuitOpen
    /// Credentials could not be had: refreshing a token failed.
    case authenticationFailed
    /// The request cannot be sent as it is: ``HTTP/InvalidMessage`` is the underlying error.
    case invalidRequest
    /// The request's body could not be read.
    case requestBodyFailed
    /// The file for the response's body could not be written: no such folder, no permission, no space, or in use.
    case fileNotWritten
    /// None of the above; see ``TransportError/reason`` and ``TransportError/underlyingError``.
    case other
  }

  /// How far an exchange has come.
  @nonexhaustive
  public enum Phase: String, Hashable, Sendable {
    /// Waiting for one of the connections that the session allows itself. Sessions that cannot tell count it as connecting.
    case queue
    /// Resolving the host's name and connecting.
    case connect
    /// The TLS handshake.
    case tls
    /// Sending the request.
    case send
    /// Waiting for the response's head. Sessions that cannot tell count connecting and sending in.
    case firstByte
    /// Reading the response's body.
    case body
    /// Waiting before the request is sent: after a failed attempt, or for a rate limit.
    case delay
  }
}

extension TransportError: Equatable {
  /// Whether both are of the same kind in the same phase; times, reasons and underlying errors do not count.
  public static func == (lhs: TransportError, rhs: TransportError) -> Bool {
    lhs.code == rhs.code && lhs.phase == rhs.phase
  }
}

extension TransportError: CustomStringConvertible {
  /// What went wrong in one line, safe to log: `timed out after 0.3 s waiting for the response`.
  public var description: String {
    var text = "\(code)"
    if let elapsed { text += " after \(elapsed.secondsDescription)" }
    if let phase, code == .timedOut || code == .cancelled { text += " \(phase)" }
    if let reason { text += ": \(reason.printable)" }
    if !history.isEmpty { text += " (\(history))" }
    return text
  }
}

extension TransportError: CustomReflectable {
  /// A mirror that has of the underlying error its type only: `dump` does not show what a caller's own error holds.
  public var customMirror: Mirror {
    let underlying = underlyingError.map { "\(type(of: $0))" }
    return Mirror(
      self,
      children: [
        "code": code, "phase": phase as Any, "elapsed": elapsed as Any, "reason": reason as Any,
        "underlyingError": underlying as Any, "history": "\(history)",
      ])
  }
}

extension TransportError.Code: CustomStringConvertible {
  /// The kind in words; a status with its number and phrase.
  public var description: String {
    switch self {
    case .redirection: "redirection"
    case .clientError(let status): "\(HTTP.Status.clientError(status))"
    case .serverError(let status): "\(HTTP.Status.serverError(status))"
    case .unknownStatus(let code): "unknown status \(code)"
    case .noData: "no data"
    case .noConnection: "no connection"
    case .hostNotFound: "host not found"
    case .connectionLost: "connection lost before the response"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case .tlsFailure: "no secure connection"
    case .responseTooLarge: "response too large"
    case .truncatedResponse: "truncated response"
    case .malformedResponse: "malformed response"
    case .tooManyRedirects: "too many redirects"
    case .redirectRefused: "redirect refused"
    case .circuitOpen: "not sent: the circuit is open"
    case .authenticationFailed: "authentication failed"
    case .invalidRequest: "invalid request"
    case .requestBodyFailed: "the request's body could not be read"
    case .fileNotWritten: "the response's file could not be written"
    case .other: "transport failed"
    }
  }
}

extension TransportError.Phase: CustomStringConvertible {
  /// The phase as what was being done: `waiting for the response`.
  public var description: String {
    switch self {
    case .queue: "waiting for a connection"
    case .connect: "connecting"
    case .tls: "securing the connection"
    case .send: "sending the request"
    case .firstByte: "waiting for the response"
    case .body: "reading the body"
    case .delay: "waiting before it was sent"
    }
  }
}

extension TransportError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
