public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension EventSource {
  /// The error for a response that is not an event stream.
  public struct UnexpectedResponse: Error {
    /// The response. Its body has not been read; releasing the error ends the transfer.
    public let response: HTTP.Response
  }
}

extension EventSource.UnexpectedResponse: CustomStringConvertible {
  /// The request line, the status, the type, and the expected values. Safe to log.
  public var description: String { "\(response): expected 200 OK text/event-stream" }
}

extension EventSource.UnexpectedResponse: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
