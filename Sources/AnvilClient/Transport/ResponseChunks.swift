internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The chunks of a streamed response, counted against the length that its head announced.
///
/// Every error is a `TransportError`. The end comes from the session, which tells a body that was cut short from a whole
/// one: a reader that is cancelled after that has still read everything.
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
      if let length, count < length { throw wrongLength(.truncatedResponse, "\(count) of \(length) bytes came") }
      progress?.finish()
      return nil
    }
    count += chunk.count
    if let length, count > length {
      throw wrongLength(.malformedResponse, "more than the \(length) bytes announced came")
    }
    progress?.add(chunk.count)
    return chunk
  }

  private func wrongLength(_ code: TransportError.Code, _ reason: String) -> TransportError {
    TransportError(code: code, phase: .body, reason: reason)
  }
}

extension HTTP.Response {
  /// The response with `body` as it arrives, of the type and the length that its fields state.
  func streaming(_ body: TransportBody, progress: ProgressCounter?) -> HTTP.Response {
    let length = announcedLength
    var response = self
    response.body = HTTP.Body(
      storage: .stream(OneShotStream(length: length) { ResponseChunks(body, length: length, progress: progress) }),
      contentType: headers[.contentType])
    return response
  }

  /// Whether a body can come at all. Source: RFC 9110 §6.4.1.
  package var canHaveBody: Bool {
    request.method != .head && code != 204 && code != 304
  }

  /// How many bytes the body will give; `nil` where the fields do not say, contradict each other, or count it compressed.
  ///
  /// Source: RFC 9112 §6.3.
  var announcedLength: Int? {
    guard headers.contentCodings.isEmpty, !headers.contains(.transferEncoding),
      case .bytes(let length) = headers.statedLength
    else { return nil }
    return length
  }
}
