public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

/// The error of an exchange, with a code for programs to act on.
///
///     switch error.code {
///     case .clientError(.notFound): …
///     case .timedOut: print("while in \(error.phase), after \(error.elapsed)")
///     default: …
///     }
public struct TransportError: Error {
  /// The kind of failure.
  public let code: Code
  /// The phase that the exchange had reached; `nil` if the session does not report it.
  public package(set) var phase: Phase?
  /// The duration of the exchange until the error; set for timeouts.
  public let elapsed: Duration?
  /// An additional sentence about this failure, safe to log. Often it is the system's message.
  public internal(set) var reason: String?
  /// The error of the layer below, if there is one.
  public let underlyingError: (any Error)?
  /// The previous attempts and the redirects that were followed.
  public var history = HTTP.History()

  /// Creates an error of kind `code`.
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
  package func adding(_ reason: String) -> TransportError {
    var error = self
    error.reason = self.reason.map { "\($0); \(reason)" } ?? reason
    return error
  }

  /// The kinds of failure.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// A 3xx status: a redirect that was not followed, or another status of this class, such as 304.
    ///
    /// What to do: set `redirects` of the ``ClientConfiguration``, or read `Location`.
    case redirection
    /// A 4xx status.
    ///
    /// What to do: correct the request; decode the body for the API's explanation; after 401 authenticate, after 429 wait.
    case clientError(HTTP.Status.ClientError)
    /// A 5xx status.
    ///
    /// What to do: try again later; with `retries`, requests that can be sent twice are retried.
    case serverError(HTTP.Status.ServerError)
    /// A status outside 200–599.
    ///
    /// What to do: check that the URL is the API's and not that of a proxy.
    case unknownStatus(Int)
    /// A successful status without the content that the request requires.
    ///
    /// What to do: request `EmptyResponse` if the API may send an empty response.
    case noData
    /// The server could not be reached: no network, or the connection was refused.
    ///
    /// What to do: check the network, the port and the firewall; try again later.
    case noConnection
    /// The name of the host, or of the proxy, could not be resolved.
    ///
    /// Most sessions cannot distinguish a name that does not exist from a resolver that does not answer. The failure is retried like
    /// ``noConnection``.
    ///
    /// What to do: check the spelling of the host and the resolver.
    case hostNotFound
    /// The server was reached, but the connection ended before the response head arrived.
    ///
    /// What to do: try again if the request can be sent twice: the server may have executed it.
    case connectionLost
    /// The timeout or deadline expired; see ``TransportError/phase`` and ``TransportError/elapsed``.
    ///
    /// What to do: look at `phase` and `elapsed`; raise `timeout` or `deadline` if the server needs longer.
    case timedOut
    /// The caller cancelled the task or released the response.
    ///
    /// What to do: nothing; do not show it to the user as a failure.
    case cancelled
    /// No secure connection could be established: handshake, certificate or host name.
    ///
    /// What to do: check the certificate, the trusted authorities and the clock; do not turn verification off.
    case tlsFailure
    /// The response is larger than a limit allows: its head, a body that is collected, or a body after decompression.
    ///
    /// What to do: stream or download the body, or raise `sizeLimit`.
    case responseTooLarge
    /// The body ended before its announced length or its last chunk.
    ///
    /// What to do: try again; a download resumes.
    case truncatedResponse
    /// The response is not valid HTTP: no status line, a bad chunk, contradictory lengths.
    ///
    /// What to do: check that the port speaks HTTP; report it to the operator of the server.
    case malformedResponse
    /// The redirects and challenges exceeded the limit.
    ///
    /// What to do: look at `history` for a cycle, often a missing cookie or credential.
    case tooManyRedirects
    /// A redirect was not followed, because its scheme is not supported, its URL is invalid, the body cannot be sent again, or the caller's
    /// policy does not allow it.
    ///
    /// What to do: look at `history`; call the new URL, or change the policy.
    case redirectRefused
    /// A circuit breaker rejected the request because too many recent requests to this origin failed.
    ///
    /// What to do: answer from a cache or fail at once. After a pause, the breaker sends the next request as a trial.
    case circuitOpen
    /// No token is available because it could not be refreshed, the server requires the hash of a body that can be read only once, or a
    /// proxy rejected the credentials for a tunnel.
    ///
    /// What to do: have the user sign in again; `underlyingError` has the cause. Correct the proxy's credentials.
    case authenticationFailed
    /// The request is invalid and was not sent; ``TransportError/reason`` describes the problem. The underlying error is often
    /// ``HTTP/MessageError``.
    ///
    /// What to do: correct the program: `reason` and `underlyingError` name the part.
    case invalidRequest
    /// The request's body could not be read.
    ///
    /// What to do: check the file; `underlyingError` is often an ``HTTP/BodyError``.
    case requestBodyFailed
    /// The file for the response's body could not be written: the folder is missing, permission or space is missing, or the file is in
    /// use.
    ///
    /// What to do: check the folder, the permissions and the free space.
    case fileNotWritten
    /// Any other failure; see ``TransportError/reason`` and ``TransportError/underlyingError``.
    ///
    /// What to do: read `reason` and `underlyingError`, and report it if it is a bug.
    case other
  }

  /// A phase of an exchange.
  @nonexhaustive
  public enum Phase: String, Hashable, Sendable {
    /// Waiting for a connection because the session's connection limit is reached. Sessions that do not distinguish it report `connect`.
    case queue
    /// Resolving the host's name and connecting.
    case connect
    /// The TLS handshake.
    case tls
    /// Sending the request.
    case send
    /// Waiting for the response head. Sessions that do not distinguish connecting and sending report them as this phase.
    case firstByte
    /// Reading the response's body.
    case body
    /// Waiting before the request is sent, after a failed attempt, because of a rate limit or for a token.
    case delay
  }
}

extension TransportError: Equatable {
  /// Returns whether both have the same code and the same phase. Times, reasons, underlying errors and histories are not compared.
  public static func == (lhs: TransportError, rhs: TransportError) -> Bool {
    lhs.code == rhs.code && lhs.phase == rhs.phase
  }
}

extension TransportError: CustomStringConvertible, CustomReflectable, LocalizedError {
  /// The error in one line, safe to log: `timed out after 0.300 s waiting for the response`.
  public var description: String {
    var text = "\(code)"
    if let elapsed { text += " after \(elapsed.secondsDescription)" }
    if let phase, code == .timedOut || code == .cancelled { text += " \(phase)" }
    if let reason { text += ": \(reason.printable)" }
    if !history.isEmpty { text += " (\(history))" }
    return text
  }

  /// A mirror that shows only the type of the underlying error, so that `dump` does not show the content of a caller's error.
  public var customMirror: Mirror {
    let underlying = underlyingError.map { "\(type(of: $0))" }
    return Mirror(
      self,
      children: [
        "code": code, "phase": phase as Any, "elapsed": elapsed as Any, "reason": reason as Any,
        "underlyingError": underlying as Any, "history": "\(history)",
      ])
  }

  /// The description.
  public var errorDescription: String? { description }
}

extension TransportError.Code: CustomStringConvertible {
  /// The kind in words. A status has its number and phrase.
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
    case .tlsFailure: "TLS failure"
    case .responseTooLarge: "response too large"
    case .truncatedResponse: "truncated response"
    case .malformedResponse: "malformed response"
    case .tooManyRedirects: "too many redirects"
    case .redirectRefused: "redirect refused"
    case .circuitOpen: "not sent: the circuit breaker is open"
    case .authenticationFailed: "authentication failed"
    case .invalidRequest: "invalid request"
    case .requestBodyFailed: "the request's body could not be read"
    case .fileNotWritten: "the response's file could not be written"
    case .other: "transport failed"
    }
  }
}

extension TransportError.Phase: CustomStringConvertible {
  /// The phase as an activity: `waiting for the response`.
  public var description: String {
    switch self {
    case .queue: "waiting for a connection"
    case .connect: "connecting"
    case .tls: "negotiating TLS"
    case .send: "sending the request"
    case .firstByte: "waiting for the response"
    case .body: "reading the body"
    case .delay: "waiting to send the request"
    }
  }
}

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

  package var kind: Kind {
    switch self {
    case .clientError: .clientError
    case .serverError: .serverError
    case .unknownStatus: .unknownStatus
    default: Kind.allCases.first { $0.code == self } ?? .other
    }
  }
}
