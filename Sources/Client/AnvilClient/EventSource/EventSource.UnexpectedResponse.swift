package import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension EventSource {
  /// The error for a response that is not an event stream.
  package struct UnexpectedResponse: Error {
    /// The response. Its body has not been read; releasing the error ends the transfer.
    package let response: HTTP.Response
  }
}

extension EventSource.UnexpectedResponse: CustomStringConvertible {
  /// The request line, the status, the type, and the expected values. Safe to log.
  package var description: String { "\(response): expected 200 OK text/event-stream" }
}

extension EventSource.UnexpectedResponse: LocalizedError {
  /// The description.
  package var errorDescription: String? { description }
}
