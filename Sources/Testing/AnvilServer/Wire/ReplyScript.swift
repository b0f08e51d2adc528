internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The steps that send a reply, and whether the connection can be reused afterwards. The last steps may be produced while they
/// are performed.
///
/// Source: RFC 9112 §6 (body), §9.3 (persistence); RFC 9110 §6.4.1 (which responses have no content).
struct ReplyScript {
  private(set) var steps: [LoopbackServer.Step]
  /// A body that is produced while it is sent, after ``steps``; `nil` if the steps contain the whole response.
  private(set) var body: GeneratedBody?
  private(set) var keepsConnection: Bool

  /// Creates the script that sends `reply` to the request whose head is `head`.
  init(_ reply: LoopbackServer.Reply, to head: RequestHead) {
    keepsConnection = head.isPersistent
    steps = []
    switch reply.content {
    case .message(let status, let headers, let body):
      if let field = headers.firstInvalid {
        self = Self.serverError(field, to: head)
      } else {
        appendMessage(status, headers, body, to: head)
      }
    case .generated(let chunks, let length, let status, let headers):
      if let field = headers.firstInvalid {
        self = Self.serverError(field, to: head)
      } else {
        appendGenerated(chunks, length: length, status, headers, to: head)
      }
    case .streamed(let chunks, let length, let status, let headers):
      if let field = headers.firstInvalid {
        self = Self.serverError(field, to: head)
      } else {
        appendStreamed(chunks, length: length, status, headers, to: head)
      }
    case .chunked(let chunks, let interval, let headers, let trailers):
      if let field = headers.firstInvalid ?? trailers.firstInvalid {
        self = Self.serverError(field, to: head)
      } else {
        appendChunked(chunks, every: interval, headers, trailers: trailers, to: head)
      }
    case .steps(let exact):
      keepsConnection = false
      steps = exact
    case .fault(let fault):
      keepsConnection = false
      steps = fault.steps
    }
    if reply.delay > .zero { steps.insert(.wait(reply.delay), at: 0) }
  }

  private mutating func appendMessage(
    _ status: HTTP.Status, _ headers: HTTP.Headers, _ body: Data, to head: RequestHead
  ) {
    let (bytes, hasContent) = begin(status, headers, length: body.count, to: head)
    steps.append(.send(hasContent ? bytes + body : bytes))
  }

  private mutating func appendGenerated(
    _ chunks: any Sequence<Data>, length: Int, _ status: HTTP.Status, _ headers: HTTP.Headers, to head: RequestHead
  ) {
    let (bytes, hasContent) = begin(status, headers, length: length, to: head)
    steps.append(.send(bytes))
    if hasContent { body = GeneratedBody(chunks, every: .zero, framing: .length(length)) }
  }

  /// Returns the head of a response whose body has `length` bytes, and whether the body is sent after it. Updates ``keepsConnection``.
  private mutating func begin(
    _ status: HTTP.Status, _ headers: HTTP.Headers, length: Int, to head: RequestHead
  ) -> (bytes: Data, hasContent: Bool) {
    var headers = headers
    let hasContent = head.method != .head && status.allowsContent
    if headers.contains(.contentLength) || headers.contains(.transferEncoding) {
      let isRight = headers.values(for: .contentLength).map(\.rawValue) == ["\(length)"]
      if hasContent, !isRight || headers.contains(.transferEncoding) { keepsConnection = false }
    } else if status.allowsContent {
      headers.add(.contentLength, "\(length)")
    }
    announceClose(in: &headers)
    return (Self.head(status, headers), hasContent)
  }

  private mutating func appendStreamed(
    _ chunks: FailableChunks, length: Int?, _ status: HTTP.Status, _ headers: HTTP.Headers, to head: RequestHead
  ) {
    var headers = headers
    let hasContent = head.method != .head && status.allowsContent
    let framing: GeneratedBody.Framing =
      length.map { .length($0) } ?? (head.minorVersion > 0 ? .chunks(trailers: Data()) : .close)
    if hasContent {
      headers.remove(.contentLength)
      headers.remove(.transferEncoding)
      switch framing {
      case .length(let length): headers.add(.contentLength, "\(length)")
      case .chunks: headers.add(.transferEncoding, "chunked")
      case .close: keepsConnection = false
      }
    }
    announceClose(in: &headers)
    steps.append(.send(Self.head(status, headers)))
    if hasContent { body = GeneratedBody(chunks, every: .zero, framing: framing) }
  }

  private mutating func appendChunked(
    _ chunks: any Sequence<Data>, every interval: Duration, _ headers: HTTP.Headers, trailers: HTTP.Headers,
    to head: RequestHead
  ) {
    var headers = headers
    let isFramed = head.minorVersion > 0
    if isFramed {
      if !headers.contains(.transferEncoding) { headers.add(.transferEncoding, "chunked") }
      if !trailers.isEmpty, !headers.contains(.trailer) {
        headers.add(.trailer, "\(trailers.map(\.key.rawValue).joined(separator: ", "))")
      }
    }
    announceClose(in: &headers)
    steps.append(.send(Self.head(.success(.ok), headers)))
    guard head.method != .head else { return }
    body = GeneratedBody(
      chunks, every: interval, framing: isFramed ? .chunks(trailers: Self.fields(trailers)) : .close)
  }

  /// Returns the head of a response that echoes the body of a request in chunks.
  static func echoHead(of request: RequestHead) -> Data {
    var headers: HTTP.Headers = [.transferEncoding: "chunked"]
    for type in request.headers.values(for: .contentType) { headers.add(.contentType, type) }
    if !request.isPersistent { headers.add(.connection, "close") }
    return head(.success(.ok), headers)
  }

  /// Adds `Connection: close` to `headers` if the connection will be closed. If the handler has already set `close`, the connection will be
  /// closed.
  private mutating func announceClose(in headers: inout HTTP.Headers) {
    if headers.hasToken("close", in: .connection) {
      keepsConnection = false
    } else if !keepsConnection {
      headers.add(.connection, "close")
    }
  }

  private static func serverError(_ field: HTTP.Headers.Field, to head: RequestHead) -> ReplyScript {
    ReplyScript(.text("the reply's header \(field.key.rawValue.debugDescription) is invalid", status: 500), to: head)
  }

  /// Returns the bytes of a response's head.
  static func head(_ status: HTTP.Status, _ headers: HTTP.Headers) -> Data {
    Data("HTTP/1.1 \(status.code) \(status.reasonPhrase ?? "")\r\n".utf8) + fields(headers) + Data("\r\n".utf8)
  }

  private static func fields(_ headers: HTTP.Headers) -> Data {
    Data(headers.map { "\($0.key.rawValue): \($0.value.rawValue)\r\n" }.joined().utf8)
  }
}

extension LoopbackServer.Reply {
  /// Returns an error response of the server, whose body is a small JSON object. `reason` must not contain characters that JSON escapes.
  static func error(_ status: HTTP.Status, _ reason: String, headers: HTTP.Headers = [:]) -> Self {
    .json(
      #"{"status":\#(status.code),"error":"\#(status.reasonPhrase ?? "")","reason":"\#(reason)"}"#,
      status: status, headers: headers)
  }
}

extension HTTP.Status {
  /// True if a response with this status can have a body.
  fileprivate var allowsContent: Bool {
    code >= 200 && code != 204 && code != 304
  }
}

extension HTTP.Headers {
  /// The first field that would break or split the message.
  fileprivate var firstInvalid: Field? {
    first { !$0.key.isValid || !$0.value.isValid }
  }
}
