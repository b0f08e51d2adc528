internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The chunks of a streamed response, whose total is checked against the length announced in its head.
///
/// Every error is a `TransportError`. The session marks the end of the body and distinguishes a truncated body from a complete one. If a
/// reader is cancelled after the end, it has therefore read the complete body.
final class ResponseChunks: ChunkProducer {
  private var iterator: TransportBody.AsyncIterator
  private let length: Int?
  private var progress: ProgressCounter?
  private var count = 0

  init(_ body: TransportBody, length: Int?, progress: ProgressCounter?) {
    iterator = body.makeAsyncIterator()
    self.length = length
    self.progress = progress
  }

  func next() async throws -> Data? {
    guard let chunk = try await iterator.next() else {
      if let length, count < length {
        throw wrongLength(.truncatedResponse, "only \(count) of \(length) bytes were received")
      }
      progress?.finish()
      return nil
    }
    count += chunk.count
    if let length, count > length {
      throw wrongLength(.malformedResponse, "more than the announced \(length) bytes were received")
    }
    progress?.add(chunk.count)
    return chunk
  }

  private func wrongLength(_ code: TransportError.Code, _ reason: String) -> TransportError {
    TransportError(code: code, phase: .body, reason: reason)
  }
}

extension HTTP.Response {
  /// Returns the response with `body` as a stream, with the media type and the length that its fields state.
  func streaming(_ body: TransportBody, progress: ProgressCounter?) -> HTTP.Response {
    let length = announcedLength
    var response = self
    response.body = HTTP.Body(
      storage: .stream(OneShotStream(length: length) { ResponseChunks(body, length: length, progress: progress) }),
      contentType: headers[.contentType])
    return response
  }

  /// A Boolean value that indicates whether the response can have a body. Source: RFC 9110 §6.4.1.
  package var canHaveBody: Bool {
    request.method != .head && code != 204 && code != 304
  }

  /// The length of the body in bytes. `nil` if the fields do not state it, contradict each other, or state the compressed length.
  ///
  /// Source: RFC 9112 §6.3.
  var announcedLength: Int? {
    guard !headers.contains(.contentEncoding) || headers.contentCodings.isEmpty, !headers.contains(.transferEncoding),
      case .bytes(let length) = headers.contentLength
    else { return nil }
    return length
  }
}
