extension HTTP {
  /// A message with a body: a request, a response, or a value that contains one. Source: RFC 9110 §6.
  ///
  /// A promise of a message can decode the message's body.
  public protocol Message: Sendable {
    /// The body.
    var body: Body { get }
    /// The response to report in an error when the body cannot be decoded; `nil` for a request.
    var asResponse: Response? { get }
  }
}

extension HTTP.Request: HTTP.Message {
  /// Always `nil`.
  public var asResponse: HTTP.Response? { nil }
}

extension HTTP.Response: HTTP.Message {
  /// The response itself.
  public var asResponse: HTTP.Response? { self }
}
