internal import AnvilBase
internal import AnvilHTTP

/// A parser of the requests in the bytes of one connection, in pieces of any size. Source: RFC 9112 §2.2, §7.1, §9.3.2.
struct RequestParser {
  /// The limits on requests. A request that exceeds one is rejected with the status in parentheses.
  enum Limit {
    /// The maximum length in bytes of a request line (414), a field line (431), or a chunk size line (400).
    static let line = 8 << 10
    /// The maximum length in bytes of the request line and header section together, or of a trailer section (431).
    static let head = 64 << 10
    /// The maximum length in bytes of a body that is kept (413).
    static let body = 64 << 20
  }

  struct Message {
    let head: RequestHead
    /// The body; empty unless bodies are kept.
    let body: Data
    let bodyCount: Int
    let trailers: HTTP.Headers
  }

  enum Event {
    /// More bytes are needed.
    case incomplete
    /// The client waits for `100 Continue`. Reported once, before the request.
    case expectsContinue
    /// The head of a request whose body is streamed.
    case begins(RequestHead)
    /// A part of a streamed body.
    case content(Data)
    case request(Message)
  }

  private enum State {
    case requestLine, fields, begins
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd, trailers
  }

  private var buffer = LineBuffer()
  private var state = State.requestLine
  private var head = RequestHead.unreadable
  private var headSize = 0
  private var body = Data()
  private var bodyCount = 0
  private var trailers = HTTP.Headers()
  private var chunkOverhead = ChunkOverhead()
  private let bodies: LoopbackServer.BodyPolicy
  private let isStreamed: (RequestHead) -> Bool
  private var isStreaming = false
  /// The state with which parsing continues after ``Event/begins(_:)`` was reported.
  private var bodyState = State.requestLine

  /// Creates a parser. `isStreamed` returns whether the body of a request is reported in parts as it arrives.
  init(bodies: LoopbackServer.BodyPolicy = .kept, isStreamed: @escaping (RequestHead) -> Bool = { _ in false }) {
    self.bodies = bodies
    self.isStreamed = isStreamed
  }

  var isIdle: Bool {
    if case .requestLine = state { unreadCount == 0 } else { false }
  }

  var unreadCount: Int { buffer.count }

  mutating func append(_ bytes: [UInt8]) {
    buffer.append(bytes)
  }

  /// Returns the next event. The connection cannot be used after an error, because the start of the next request is unknown.
  mutating func next() throws(BadRequest) -> Event {
    while true {
      switch state {
      case .requestLine:
        guard let line = try takeHeadLine(tooLong: BadRequest(414, "the request line is too long")) else {
          return .incomplete
        }
        // Some old clients send empty lines before a request. Source: RFC 9112 §2.2.
        guard !line.isEmpty else { continue }
        head = try RequestHead(requestLine: line)
        state = .fields
      case .fields:
        guard let line = try takeHeadLine(tooLong: BadRequest(431, "a header line is too long")) else {
          return .incomplete
        }
        guard line.isEmpty else {
          try head.addField(line)
          continue
        }
        isStreaming = isStreamed(head)
        try beginBody()
        if isStreaming {
          bodyState = state
          state = .begins
        }
        if head.expectsContinue { return .expectsContinue }
      case .begins:
        state = bodyState
        return .begins(head)
      case .body(left: 0):
        return .request(finish())
      case .body(let left):
        guard let content = takeContent(left) else { return .incomplete }
        state = .body(left: left - content.count)
        if isStreaming { return .content(content) }
      case .chunkSize:
        guard let line = try buffer.takeLine(limit: Limit.line, tooLong: .malformed("a chunk size line is too long"))
        else { return .incomplete }
        let size = try chunkSize(line)
        guard size <= bodyLimit - bodyCount else { throw BadRequest(413, "the body is too large") }
        headSize = 0
        state = size == 0 ? .trailers : .chunk(left: size)
      case .chunk(left: 0):
        state = .chunkEnd
      case .chunk(let left):
        guard let content = takeContent(left) else { return .incomplete }
        state = .chunk(left: left - content.count)
        if isStreaming { return .content(content) }
      case .chunkEnd:
        guard try buffer.takeLine(limit: 0, tooLong: .malformed("a chunk is longer than its declared size")) != nil
        else { return .incomplete }
        state = .chunkSize
      case .trailers:
        guard let line = try takeHeadLine(tooLong: BadRequest(431, "a header line is too long")) else {
          return .incomplete
        }
        guard !line.isEmpty else { return .request(finish()) }
        let field = try RequestHead.field(line)
        trailers.add(field.key, field.value)
      }
    }
  }

  private mutating func takeHeadLine(tooLong: BadRequest) throws(BadRequest) -> [UInt8]? {
    guard let line = try buffer.takeLine(limit: Limit.line, tooLong: tooLong) else { return nil }
    headSize += line.count + 2
    guard headSize <= Limit.head else { throw BadRequest(431, "the header section is too large") }
    return line
  }

  private mutating func takeContent(_ left: Int) -> Data? {
    let content = buffer.take(upTo: left)
    guard !content.isEmpty else { return nil }
    if case .kept = bodies, !isStreaming { body += content }
    bodyCount += content.count
    return content
  }

  private var bodyLimit: Int {
    switch bodies {
    case _ where isStreaming: .max
    case .kept: Limit.body
    case .counted: .max
    }
  }

  private mutating func beginBody() throws(BadRequest) {
    switch try head.framing() {
    case .length(let length):
      guard length <= bodyLimit else { throw BadRequest(413, "the body is too large") }
      state = .body(left: length)
    case .chunked:
      state = .chunkSize
    }
  }

  private mutating func finish() -> Message {
    defer {
      state = .requestLine
      headSize = 0
      body = Data()
      bodyCount = 0
      trailers = HTTP.Headers()
      chunkOverhead = ChunkOverhead()
    }
    return Message(head: head, body: body, bodyCount: bodyCount, trailers: trailers)
  }

  private mutating func chunkSize(_ line: [UInt8]) throws(BadRequest) -> Int {
    do throws(ChunkLine.Malformed) {
      let size = try ChunkLine.size(of: line)
      try chunkOverhead.add(lineSize: line.count, contentSize: size)
      return size
    } catch {
      throw .malformed(error.reason)
    }
  }
}

/// A buffer of received bytes, from which lines or a number of bytes are taken.
struct LineBuffer {
  private var bytes: [UInt8] = []
  private var start = 0
  /// The offset up to which no line feed was found, so that no byte is searched twice.
  private var searched = 0

  var count: Int { bytes.count - start }

  mutating func append(_ more: [UInt8]) {
    // Bytes that were taken are removed together here, so that each remaining byte is moved once and not with every line.
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched = max(searched - start, 0)
      start = 0
    }
    bytes += more
  }

  /// Removes and returns the next line, of at most `limit` bytes without its CR LF, or `nil` if the line is incomplete.
  mutating func takeLine(limit: Int, tooLong: BadRequest) throws(BadRequest) -> [UInt8]? {
    let end = bytes[max(searched, start)...].firstIndex(of: .lineFeed)
    guard (end ?? bytes.count) - start <= limit + 1 else { throw tooLong }
    guard let end else {
      searched = bytes.count
      return nil
    }
    guard end > start, bytes[end - 1] == .carriageReturn else {
      throw .malformed("a line ends without a carriage return")
    }
    let line = Array(bytes[start..<(end - 1)])
    start = end + 1
    return line
  }

  /// Removes and returns the next bytes, at most `limit`.
  mutating func take(upTo limit: Int) -> Data {
    let end = start + min(limit, count)
    defer { start = end }
    return Data(bytes[start..<end])
  }
}
