public import AnvilBase
public import AnvilHTTP

/// An exchange that ended with a successful status. Its body is in memory, or arrives as a stream if the request is streamed.
public struct TransportSuccess: Sendable {
  /// The response.
  public var response: HTTP.Response
  /// The outcome that the observers of the exchange wait for; `nil` without observers.
  package var outcome: AttemptOutcome?

  /// Creates a success with `response`. The status is not checked, so that a recovery can treat any response as a success.
  public init(response: HTTP.Response) {
    self.response = response
  }

  /// The request as it was sent.
  public var request: HTTP.Request { response.request }

  /// The response's body.
  public var body: HTTP.Body { response.body }
}

extension TransportSuccess: Equatable {
  /// Returns whether the responses are equal.
  public static func == (lhs: TransportSuccess, rhs: TransportSuccess) -> Bool { lhs.response == rhs.response }
}

extension TransportSuccess: CustomReflectable {
  /// A mirror of the response.
  public var customMirror: Mirror { Mirror(self, children: ["response": response]) }
}

/// An exchange that failed: the error, the request, and the response if one arrived.
public struct TransportFailure: Error, Sendable {
  /// The error. If the response was rejected because of its status and its body was not kept completely, the reason of the error states
  /// this.
  public let error: TransportError
  /// The request in the form that the transport received.
  public let request: HTTP.Request
  /// The response, if its head arrived. If reading its body failed, the body contains the bytes that had arrived by then.
  public let response: HTTP.Response?
  /// The duration of the exchange; `nil` for a failure that was not created by a transport service.
  public var elapsed: Duration?
  // Always `nil`, and never read. Without an existential, whose layout the compiler does not know, the compiler of Swift 6.3 crashes in
  // `catch .refused(let text)` if the type of the error is an enumeration that contains a failure.
  private var opaque: (any Sendable)?

  /// Creates the failure of `request` with `error`.
  @inline(never)
  public init(error: TransportError, request: HTTP.Request, response: HTTP.Response? = nil) {
    self.error = error
    self.request = request
    self.response = response
    elapsed = response?.elapsed
  }

  /// Creates the failure of `request` with an error of kind `code`.
  package init(code: TransportError.Code, request: HTTP.Request, response: HTTP.Response? = nil) {
    self.init(error: TransportError(code: code), request: request, response: response)
  }
}

extension TransportFailure {
  /// The previous attempts and the redirects that were followed.
  public var history: HTTP.History { response?.history ?? error.history }

  /// A report of everything known about the failure, for people, logs and programs.
  package var report: FailureReport { FailureReport(self) }
}

extension TransportFailure: Equatable {
  /// Returns whether the same request failed in the same way. Durations are not compared.
  public static func == (lhs: TransportFailure, rhs: TransportFailure) -> Bool {
    lhs.error == rhs.error && lhs.request == rhs.request && lhs.response == rhs.response
  }
}

extension TransportFailure: CustomStringConvertible, LocalizedError {
  /// The request line and the reason in one line, safe to log: `GET https://api.example.com/users/1 → 404 Not Found`.
  public var description: String {
    guard let response else { return "\(request) → \(error)" }
    switch error.code {
    case .redirection where response.code != 304:
      return "\(response), \(response.history.reasonForEnd ?? "not followed")"
    case .redirection, .clientError, .serverError, .unknownStatus:
      let end = response.history.reasonForEnd.map { ", \($0)" } ?? ""
      return "\(response)\(response.history.isEmpty ? "" : " (\(response.history))")\(end)"
    default: return "\(response), \(error)"
    }
  }

  /// The description.
  public var errorDescription: String? { description }
}

extension HTTP.Response {
  /// Returns the response as a success if its status is 2xx or one of `accepted`.
  package func transportSuccess(accepting accepted: Set<HTTP.Status> = []) throws(TransportFailure) -> TransportSuccess
  {
    let code: TransportError.Code
    switch status {
    case .success: return TransportSuccess(response: self)
    case let status where accepted.contains(status): return TransportSuccess(response: self)
    case .redirection: code = .redirection
    case .clientError(let status): code = .clientError(status)
    case .serverError(let status): code = .serverError(status)
    case .unknown(let status): code = .unknownStatus(status)
    }
    var error = TransportError(code: code, reason: history.reasonForEnd)
    error.history = history
    throw TransportFailure(error: error, request: request, response: self)
  }
}
