internal import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// The steps that send a reply, and whether the connection can be reused afterwards. Source: RFC 9112 §6, §9.3; RFC 9110 §6.4.1.
struct ReplyScript {
  private(set) var steps: [LoopbackServer.Step]
  /// A body that is produced while it is sent, after ``steps``; `nil` if the steps contain the whole response.
  private(set) var body: GeneratedBody?
  private(set) var keepsConnection: Bool

  init(_ reply: LoopbackServer.Reply, to head: RequestHead) {
    keepsConnection = head.isPersistent
    steps = []
    if let field = reply.content.firstInvalid {
      self = Self.serverError(field, to: head)
    } else {
      append(reply.content, to: head)
    }
    if reply.delay > .zero { steps.insert(.wait(reply.delay), at: 0) }
  }

  private mutating func append(_ content: LoopbackServer.Reply.Content, to head: RequestHead) {
    switch content {
    case .message(let status, let headers, let content): append(status, headers, content, to: head)
    case .streamed(let chunks, let length, let status, let headers):
      appendStreamed(chunks, length: length, status, headers, to: head)
    case .chunked(let chunks, let interval, let status, let headers, let trailers, let failure):
      appendChunked(chunks, every: interval, status, headers, trailers: trailers, isCutShort: failure != nil, to: head)
    case .steps(let exact):
      keepsConnection = false
      steps = exact
    case .fault(let fault):
      keepsConnection = false
      steps = fault.steps
    case .failure:
      keepsConnection = false
      steps = [.close]
    }
  }

  private mutating func append(
    _ status: HTTP.Status, _ headers: HTTP.Headers, _ content: Data, to head: RequestHead
  ) {
    var headers = headers
    let hasContent = head.method != .head && status.allowsContent
    if headers.contains(.contentLength) || headers.contains(.transferEncoding) {
      let isRight = headers.values(for: .contentLength).map(\.rawValue) == ["\(content.count)"]
      if hasContent, !isRight || headers.contains(.transferEncoding) { keepsConnection = false }
    } else if status.allowsContent {
      headers.add(.contentLength, "\(content.count)")
    }
    announceClose(in: &headers)
    steps.append(.send(Self.head(status, headers) + (hasContent ? content : Data())))
  }

  private mutating func appendStreamed(
    _ chunks: any Sequence<Data>, length: Int?, _ status: HTTP.Status, _ headers: HTTP.Headers, to head: RequestHead
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
    } else if let length, status.allowsContent, !headers.contains(.contentLength) {
      headers.add(.contentLength, "\(length)")
    }
    announceClose(in: &headers)
    steps.append(.send(Self.head(status, headers)))
    if hasContent { body = GeneratedBody(chunks, every: .zero, framing: framing) }
  }

  private mutating func appendChunked(
    _ chunks: any Sequence<Data>, every interval: Duration, _ status: HTTP.Status, _ headers: HTTP.Headers,
    trailers: HTTP.Headers, isCutShort: Bool, to head: RequestHead
  ) {
    var headers = headers
    let isFramed = head.minorVersion > 0 && status.allowsContent
    if isFramed {
      if !headers.contains(.transferEncoding) { headers.add(.transferEncoding, "chunked") }
      if !trailers.isEmpty, !headers.contains(.trailer) {
        headers.add(.trailer, "\(trailers.map(\.key.rawValue).joined(separator: ", "))")
      }
    }
    announceClose(in: &headers)
    steps.append(.send(Self.head(status, headers)))
    guard head.method != .head, status.allowsContent else { return }
    body = GeneratedBody(
      chunks, every: interval, framing: isFramed ? .chunks(trailers: Self.fields(trailers)) : .close,
      isCutShort: isCutShort)
  }

  static func echoHead(of request: RequestHead) -> Data {
    // HTTP/1.0 has no chunks: the body ends when the connection closes.
    var headers: HTTP.Headers = request.minorVersion > 0 ? [.transferEncoding: "chunked"] : [:]
    for type in request.headers.values(for: .contentType) { headers.add(.contentType, type) }
    if !request.isPersistent { headers.add(.connection, "close") }
    return head(.success(.ok), headers)
  }

  /// Adds `Connection: close` to `headers` if the connection will be closed, as it also is if the handler has set the field.
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

extension LoopbackServer.Reply.Content {
  fileprivate var firstInvalid: HTTP.Headers.Field? {
    switch self {
    case .message(_, let headers, _), .streamed(_, _, _, let headers):
      headers.firstInvalid
    case .chunked(_, _, _, let headers, let trailers, _): headers.firstInvalid ?? trailers.firstInvalid
    case .steps, .fault, .failure: nil
    }
  }
}

extension HTTP.Headers {
  /// The first field that would break or split the message.
  fileprivate var firstInvalid: Field? {
    first { !$0.key.isValid || !$0.value.isValid }
  }
}

/// Sends informational responses until the final one begins. The server keeps all requests with their senders, so that ``end()`` must
/// release the connection, which would otherwise stay open.
final class InformationalSender: Sendable {
  private let connection: Mutex<Connection>

  /// A structure, because each access to a mutex that contains a closure directly would wrap the closure in two others.
  private struct Connection {
    var write: (@Sendable (Data) -> Void)?
  }

  init(_ write: (@Sendable (Data) -> Void)?) {
    connection = Mutex(Connection(write: write))
  }

  func send(_ status: HTTP.Status, _ headers: HTTP.Headers) {
    guard (102..<200).contains(status.code), headers.firstInvalid == nil else { return }
    connection.withLock { $0.write?(ReplyScript.head(status, headers)) }
  }

  /// Makes later calls of ``send(_:_:)`` have no effect.
  func end() {
    connection.withLock { $0.write = nil }
  }
}

/// A request line and header section, and the properties of the body and the connection that follow from them.
///
/// Parsing is strict, because the server is used to test clients. Syntax that RFC 9112 only permits a server to tolerate is rejected, with
/// one exception: a target may contain text beyond ASCII that is not percent-encoded, because many clients send it.
///
/// Source: RFC 9112 §3 (request line), §5 (fields), §6.3 (body length).
struct RequestHead {
  enum Framing {
    case length(Int)
    case chunked
  }

  private(set) var method: HTTP.Method
  private(set) var target: String
  private(set) var minorVersion: Int
  private(set) var headers = HTTP.Headers()

  /// A placeholder for a head that could not be read. A reply to it closes the connection.
  static let unreadable = RequestHead(method: .get, target: "/", minorVersion: 0)
}

extension RequestHead {
  /// Creates a head from the bytes of its request line, without the line end.
  init(requestLine line: [UInt8]) throws(BadRequest) {
    let parts = line.split(separator: .space, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed("the request line must consist of method, target and version") }
    let method = String(decoding: parts[0], as: UTF8.self)
    // A method is a token, like the name of a field.
    guard HTTP.HeaderKey(rawValue: method).isValid else { throw .malformed("the method is not a token") }
    guard let target = String(validating: parts[1], as: UTF8.self), !target.isEmpty, !target.utf8.contains(.numberSign),
      !target.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .malformed("the target is empty, not UTF-8, or contains a character that must be percent-encoded") }
    guard
      target.utf8.first == .slash || (target == "*" && method == "OPTIONS") || target.containsSchemeEnd
        || method == "CONNECT"
    else {
      throw .malformed("the target does not begin with a slash")
    }
    let version = Array(parts[2])
    guard version.count == 8, version.starts(with: "HTTP/".utf8), version[6] == .period,
      version[5].isDigit, version[7].isDigit
    else { throw .malformed("the HTTP version does not have the form HTTP/1.1") }
    guard version[5] == UInt8(ascii: "1") else { throw BadRequest(505, "the version is not HTTP/1") }
    self.init(method: HTTP.Method(rawValue: method), target: target, minorVersion: Int(version[7] - .digit0))
  }

  /// Adds the field in `line`, the bytes of a field line without the line end.
  mutating func addField(_ line: [UInt8]) throws(BadRequest) {
    let field = try Self.field(line)
    headers.add(field.key, field.value)
  }

  /// Returns the field in `line`, the bytes of a field line without the line end.
  static func field(_ line: [UInt8]) throws(BadRequest) -> HTTP.Headers.Field {
    guard let colon = line.firstIndex(of: .colon) else { throw .malformed("a header line has no colon") }
    let key = HTTP.HeaderKey(rawValue: String(decoding: line[..<colon], as: UTF8.self))
    guard key.isValid else { throw .malformed("a header name is not a token") }
    let value = HTTP.HeaderValue(
      rawValue: String(decoding: line[(colon + 1)...].trimmingBlanks, as: UTF8.self))
    guard value.isValid else { throw .malformed("a header value contains a control character") }
    return HTTP.Headers.Field(key, value)
  }

  var isPersistent: Bool {
    minorVersion > 0 && !headers.hasToken("close", in: .connection)
  }

  /// True if the client waits for `100 Continue` before it sends the body. Source: RFC 9110 §10.1.1.
  var expectsContinue: Bool {
    minorVersion > 0 && headers.hasToken("100-continue", in: .expect)
  }

  /// Checks the complete head and returns the framing of the body.
  func framing() throws(BadRequest) -> Framing {
    if minorVersion > 0, headers.values(for: .host).count != 1 {
      throw .malformed("the request must have exactly one Host header")
    }
    if let host = headers.values(for: .host).first, !Self.isHost(host.rawValue) {
      throw .malformed("the Host header is not a host with an optional port")
    }
    if minorVersion > 0, headers.contains(.expect), !expectsContinue {
      throw BadRequest(417, "the only supported expectation is 100-continue")
    }
    guard headers.contains(.transferEncoding) else { return .length(try Self.length(headers.contentLength)) }
    guard minorVersion > 0 else { throw .malformed("HTTP/1.0 does not support Transfer-Encoding") }
    guard !headers.contains(.contentLength) else {
      throw .malformed("the request has both Content-Length and Transfer-Encoding")
    }
    guard headers.values(for: .transferEncoding).map({ $0.rawValue.lowercased() }) == ["chunked"] else {
      throw BadRequest(501, "the only supported transfer coding is chunked")
    }
    return .chunked
  }

  /// Returns whether the text is empty, or a host with or without a port, such as `[::1]:80`.
  private static func isHost(_ text: String) -> Bool {
    let host = text.utf8.first == .openBracket ? text.utf8.drop { $0 != .closeBracket } : text.utf8[...]
    let port = host.drop { $0 != .colon }.dropFirst()
    return !text.utf8.contains(where: " \t,/?#@\"<>\\^`{|}".utf8.contains) && port.allSatisfy { $0.isDigit }
  }

  private static func length(_ stated: HTTP.Headers.ContentLength) throws(BadRequest) -> Int {
    switch stated {
    case .none: return 0
    case .bytes(let length): return length
    case .contradictory: throw .malformed("the Content-Length headers differ")
    case .malformed(let value):
      guard !value.isEmpty, value.utf8.allSatisfy({ $0.isDigit }) else {
        throw .malformed("the Content-Length is not a number")
      }
      // A number too large for `Int` is treated as the largest `Int`.
      return .max
    }
  }
}

/// The rejection of a request: the response's status, and a reason without characters that JSON escapes.
struct BadRequest: Error {
  let status: HTTP.Status
  let reason: String

  init(_ status: HTTP.Status, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func malformed(_ reason: String) -> BadRequest {
    BadRequest(400, reason)
  }
}

extension LoopbackServer.Fault {
  var steps: [LoopbackServer.Step] {
    switch self {
    case .slowHead(let delay):
      [.wait(delay), .send("HTTP/1.1 200 OK", "Content-Length: 4", "Connection: close", body: "late")]
    case .slowDrip(let interval, let count):
      [.send("HTTP/1.1 200 OK", "Content-Length: \(max(count, 0))", "Connection: close", body: "")]
        + (0..<max(count, 0)).flatMap { _ -> [LoopbackServer.Step] in [.wait(interval), .send(Data(".".utf8))] }
    case .truncatedBody:
      [.send("HTTP/1.1 200 OK", "Content-Length: 100", body: "only these")]
    case .truncatedChunks:
      [.send("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", body: "5\r\nhello\r\n")]
    case .truncatedHead:
      [.send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/pl".utf8))]
    case .closeBeforeHead:
      [.close]
    case .resetBeforeHead:
      [.reset]
    case .resetInBody:
      // The pause gives the bytes time to arrive, as a reset discards data that is not delivered yet.
      [.send("HTTP/1.1 200 OK", "Content-Length: 100", body: "only these"), .wait(.milliseconds(50)), .reset]
    case .badChunk:
      [.send("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", body: "5\r\nhello\r\nxyz\r\nworld\r\n0\r\n\r\n")]
    case .conflictingLengths:
      [.send("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 11", body: "hello world")]
    case .lengthAndChunked:
      [.send("HTTP/1.1 200 OK", "Content-Length: 15", "Transfer-Encoding: chunked", body: "5\r\nhello\r\n0\r\n\r\n")]
    case .notHTTP:
      [.send(Data("SSH-2.0-OpenSSH_9.6\r\n".utf8))]
    case .neverAnswers:
      [.hang]
    }
  }
}

extension LoopbackServer.Step {
  fileprivate static func send(_ lines: String..., body: String) -> Self {
    .send(Data("\(lines.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8))
  }
}
