public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An exchange that ended in a successful status, with its body in memory or, where that was asked for, as it arrives.
public struct TransportSuccess: Equatable, Sendable {
  /// The response.
  public var response: HTTP.Response

  /// The success of `response`; its status is not looked at, so that a quick recovery can pass any response on.
  public init(response: HTTP.Response) {
    self.response = response
  }

  /// The request as it was sent.
  public var request: HTTP.Request { response.request }

  /// The response's body.
  public var body: HTTP.Body { response.body }
}

/// An exchange that failed: why, the request, and the response as far as one came.
public struct TransportFailure: Error, Sendable {
  /// Why. For a status, the reason says where not all of the body was kept.
  public let error: TransportError
  /// The request as it was handed to the transport.
  public let request: HTTP.Request
  /// The response, when its head had come. For a failure while its body was read, the body is what had arrived by then.
  public let response: HTTP.Response?
  /// How long the exchange took; `nil` for a failure that no transport service has brought.
  public var elapsed: Duration?

  /// The failure of `request` with `error`.
  public init(error: TransportError, request: HTTP.Request, response: HTTP.Response? = nil) {
    self.error = error
    self.request = request
    self.response = response
    elapsed = response?.elapsed
  }

  /// The failure of `request` with an error of kind `code`.
  public init(code: TransportError.Code, request: HTTP.Request, response: HTTP.Response? = nil) {
    self.init(error: TransportError(code: code), request: request, response: response)
  }
}

extension TransportFailure {
  /// What was tried before, and which redirects were followed.
  public var history: HTTP.History { response?.history ?? error.history }

  /// All that is known of the failure, for people, logs and programs.
  public var report: FailureReport { FailureReport(self) }
}

extension TransportFailure: Equatable {
  /// Whether the same request failed in the same way; in what time does not count.
  public static func == (lhs: TransportFailure, rhs: TransportFailure) -> Bool {
    lhs.error == rhs.error && lhs.request == rhs.request && lhs.response == rhs.response
  }
}

extension TransportFailure: CustomStringConvertible {
  /// Request line and reason in one line, safe to log: `GET https://api.example.com/users/1 → 404 Not Found`.
  public var description: String {
    guard let response else { return "\(request) → \(error)" }
    switch error.code {
    case .clientError, .serverError, .unknownStatus:
      let end = response.history.reasonForEnd.map { ", not sent again: \($0)" } ?? ""
      return "\(response)\(response.history.isEmpty ? "" : " (\(response.history))")\(end)"
    case .redirection: return "\(response), not followed"
    default: return "\(response), \(error)"
    }
  }
}

extension HTTP.Response {
  /// The response sorted by its status: 2xx a success, each other class a failure that keeps the response.
  public var transportResult: Result<TransportSuccess, TransportFailure> {
    let code: TransportError.Code
    switch status {
    case .success: return .success(TransportSuccess(response: self))
    case .redirection: code = .redirection
    case .clientError(let status): code = .clientError(status)
    case .serverError(let status): code = .serverError(status)
    case .unknown(let status): code = .unknownStatus(status)
    }
    var error = TransportError(code: code, reason: history.reasonForEnd.map { "not sent again: \($0)" })
    error.history = history
    return .failure(TransportFailure(error: error, request: request, response: self))
  }
}

extension TransportFailure: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
