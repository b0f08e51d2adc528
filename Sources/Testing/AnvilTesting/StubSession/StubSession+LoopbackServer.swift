internal import AnvilClient
internal import AnvilHTTP
public import AnvilServer

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StubSession {
  /// Answers requests for `server` with its routes, without a connection. The handlers run, and requests appear in `server.requests`.
  ///
  /// The stub uses the status, fields, body and delay of a reply, and reports the error that a client would see for a fault. No bytes are
  /// transferred. Therefore slow bodies and intervals between chunks have no delay, trailers are left out, and a request whose reply is
  /// `LoopbackServer.Reply.raw(_:)` fails with an error of code `other`. The session keeps a reference to the server.
  public func answer(as server: LoopbackServer) {
    let prefix = server.url.absoluteString
    on("requests for \(prefix)", where: { $0.url.host() == server.url.host() && $0.url.port == server.port }) {
      request in
      let reply = server.replyWithoutConnection(to: request)
      return reply.content.stubReply(to: request).after(reply.delay)
    }
  }
}

extension LoopbackServer.Reply.Content {
  fileprivate func stubReply(to request: HTTP.Request) -> StubSession.Reply {
    switch self {
    case .message(let status, let headers, let body):
      return .message(status, headers, [body], length: body.count, to: request)
    case .generated(let chunks, let length, let status, let headers):
      return .message(status, headers, chunks, length: length, to: request)
    case .streamed(let chunks, let length, let status, let headers):
      return .message(status, headers, chunks, length: length ?? 0, to: request)
    case .chunked(let chunks, _, let headers, _):
      guard request.method != .head else { return .status(200, headers: headers) }
      return .chunks(chunks, headers: headers)
    case .fault(let fault): return .fault(fault)
    case .steps:
      return .failure(
        TransportError(
          code: .other, reason: "a stub session does not support raw replies, because it has no connection"))
    }
  }
}

extension StubSession.Reply {
  /// Returns a response as a session would after reading it from a connection.
  fileprivate static func message(
    _ status: HTTP.Status, _ headers: HTTP.Headers, _ body: any Sequence<Data> & Sendable, length: Int,
    to request: HTTP.Request
  ) -> Self {
    var headers = headers
    let allowsContent = status.code != 204 && status.code != 304
    if allowsContent, !headers.contains(.contentLength) { headers.add(.contentLength, "\(length)") }
    guard allowsContent, request.method != .head else { return .status(status, headers: headers) }
    return .chunks(body, status: status, headers: headers)
  }

  /// Returns a reply with the response or the error that a session reports for a fault.
  fileprivate static func fault(_ fault: LoopbackServer.Fault) -> Self {
    func failure(_ code: TransportError.Code) -> Self { .failure(TransportError(code: code, phase: .firstByte)) }
    func broken(_ code: TransportError.Code, after text: String, _ headers: HTTP.Headers) -> Self {
      .chunks([Data(text.utf8)], error: TransportError(code: code, phase: .body), headers: headers)
    }
    let chunked: HTTP.Headers = [.transferEncoding: "chunked"]
    return switch fault {
    case .slowHead(let delay): .status(200, headers: [.contentLength: "4"], body: Data("late".utf8)).after(delay)
    case .slowDrip(_, let count):
      .chunks(repeatElement(Data(".".utf8), count: max(count, 0)), headers: [.contentLength: "\(max(count, 0))"])
    case .truncatedBody, .resetInBody: broken(.truncatedResponse, after: "only these", [.contentLength: "100"])
    case .truncatedChunks: broken(.truncatedResponse, after: "hello", chunked)
    case .truncatedHead, .closeBeforeHead, .resetBeforeHead: failure(.connectionLost)
    case .badChunk: broken(.malformedResponse, after: "hello", chunked)
    case .conflictingLengths:
      broken(.malformedResponse, after: "", [.contentLength: "5", .contentLength: "11"])
    case .lengthAndChunked: broken(.malformedResponse, after: "", chunked.merging([.contentLength: "15"]))
    case .notHTTP: failure(.malformedResponse)
    case .neverAnswers: .never
    }
  }
}
