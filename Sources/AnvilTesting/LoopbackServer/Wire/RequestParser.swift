internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes requests out of the bytes of one connection, however these are cut; does no input or output itself.
///
/// Source: RFC 9112 §2.2 (parsing), §7.1 (chunks), §9.3.2 (pipelining).
struct RequestParser {
  /// The most that a client may send; what is beyond is refused.
  enum Limit {
    /// Bytes of one line: of the request line (414), of a field (431), of a chunk's size (400).
    static let line = 8 << 10
    /// Bytes of the request line and header section, or of a trailer section (431).
    static let head = 64 << 10
    /// Bytes of a body that is kept (413).
    static let body = 64 << 20
  }

  /// A request with its body.
  struct Message {
    let head: RequestHead
    /// Empty unless bodies are kept.
    let body: Data
    let bodyCount: Int
    let trailers: HTTP.Headers
  }

  enum Event {
    /// More bytes are needed.
    case incomplete
    /// The client waits for `100 Continue`; comes once, before the request.
    case expectsContinue
    /// The head of a request whose body is wanted as it comes.
    case begins(RequestHead)
    /// A part of such a body.
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
  /// Whether the body that is being read is wanted as it comes.
  private var isStreaming = false
  /// Where the body that is about to be told of begins.
  private var bodyState = State.requestLine

  /// - Parameter isStreamed: whether the body of a request with this head is wanted as it comes.
  init(bodies: LoopbackServer.BodyPolicy = .kept, isStreamed: @escaping (RequestHead) -> Bool = { _ in false }) {
    self.bodies = bodies
    self.isStreamed = isStreamed
  }

  /// Whether nothing of a request has come since the last one.
  var isIdle: Bool {
    if case .requestLine = state { unreadCount == 0 } else { false }
  }

  /// How many bytes have come and belong to no request yet read.
  var unreadCount: Int { buffer.count }

  mutating func append(_ bytes: [UInt8]) {
    buffer.append(bytes)
  }

  /// What the bytes so far amount to. After an error the connection is of no use: where the next request begins cannot
  /// be known.
  mutating func next() throws(BadRequest) -> Event {
    while true {
      switch state {
      case .requestLine:
        guard let line = try takeHeadLine(tooLong: BadRequest(414, "the request line is too long")) else {
          return .incomplete
        }
        // Empty lines before a request are old clients' habit. Source: RFC 9112 §2.2.
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
        guard try buffer.takeLine(limit: 0, tooLong: .malformed("a chunk is longer than its size")) != nil
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
