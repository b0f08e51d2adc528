public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension EventSource {
  /// A server answered with something else than an event stream.
  public struct UnexpectedResponse: Error {
    /// The response. Its body has not been read; to let go of the error ends the transfer.
    public let response: HTTP.Response
  }
}

extension EventSource.UnexpectedResponse: CustomStringConvertible {
  /// Request line, status and type, and what was expected: safe to log.
  public var description: String { "\(response): expected 200 OK text/event-stream" }
}

extension EventSource.UnexpectedResponse: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
