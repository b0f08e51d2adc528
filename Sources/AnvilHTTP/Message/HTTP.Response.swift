#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// A response and the request that it answers.
  public struct Response: Sendable {
    /// The request as it was sent.
    public var request: Request
    /// The status.
    public var status: Status
    /// The header fields, as far as the session keeps their order and duplicates.
    public var headers: Headers
    /// The body.
    public var body: Body
    /// What was tried before, which redirects were followed, and what a cache had to do with it.
    public var history = History()
    /// How long the exchange took, from the request to the last byte of a body that was collected, or to the head of one that is
    /// streamed; attempts and waits before it count. `nil` for a response that no transport service has brought.
    public var elapsed: Duration?
    /// Those who want to know what becomes of the response. It has none unless an observer was installed.
    package var outcomeHandlers: [OutcomeHandler] = []

    /// The answer to `request` with `status`, which may be written as a number: `status: 404`.
    public init(request: Request, status: Status, headers: Headers = [:], body: Body = .empty) {
      self.request = request
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// The status as a number.
    public var code: Int { status.code }

    /// Where the response came from: the request's URL.
    public var url: URL { request.url }
  }
}

extension HTTP.Response: Equatable {
  /// Whether both say the same to the same request; how they came about, and in what time, does not count.
  public static func == (lhs: HTTP.Response, rhs: HTTP.Response) -> Bool {
    lhs.status == rhs.status && lhs.request == rhs.request && lhs.headers == rhs.headers && lhs.body == rhs.body
  }
}

extension HTTP.Response: CustomStringConvertible {
  /// Request line, status and content type: `GET https://api.example.com/users → 200 OK application/json`. Safe to log.
  public var description: String {
    let type = headers[.contentType].map { " \($0.rawValue.loggable)" } ?? ""
    return "\(request) → \(status)\(type)"
  }
}
