public import AnvilBase
public import AnvilHTTP

/// Serves one client on a dedicated thread until either side closes the connection or the server stops. Source: RFC 9112 §9.3, §9.6.
struct Connection {
  /// The time that the client has to close its side after the server has closed its own. Data that arrives during this time is discarded.
  private static let farewell = Duration.seconds(1)
  /// The time that a client has for the handshake of an encrypted connection.
  private static let handshake = Duration.seconds(60)
  /// The maximum number of bytes of later requests that are read during a wait. Further data stays in the system's buffers.
  private static let readAhead = 64 << 10

  let socket: ConnectionSocket
  let number: Int
  let core: ServerCore
  private var parser: RequestParser
  /// The head of the request that is echoed; `nil` for other requests.
  private var echoed: RequestHead?

  init(_ socket: ConnectionSocket, number: Int, core: ServerCore) {
    self.socket = socket
    self.number = number
    self.core = core
    parser = RequestParser(bodies: core.requestBodies) { core.isEchoed($0) }
  }

  /// Answers requests in order. The caller closes the connection afterwards.
  mutating func serve() {
    switch socket.open(or: core.stop, until: Deadline(after: Self.handshake)) {
    case .ready: answerRequests()
    case .clearText: refuse(BadRequest(400, "the port expects TLS: use https"))
    case .failed: close()
    case .lost: break
    }
  }

  private mutating func answerRequests() {
    while true {
      do throws(BadRequest) {
        switch try parser.next() {
        case .incomplete:
          guard awaitRequest(), receive() else { return }
        case .expectsContinue:
          guard send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return }
        case .begins(let head):
          echoed = head
          guard send(ReplyScript.echoHead(of: head)) else { return }
        case .content(let part):
          guard send(echoed?.minorVersion == 0 ? part : GeneratedBody.chunk(part)) else { return }
        case .request(let message) where echoed != nil:
          echoed = nil
          core.record(LoopbackServer.Request(message, connection: number))
          guard message.head.minorVersion > 0 else { return close() }
          guard send(GeneratedBody.lastChunk(trailers: Data())) else { return }
          guard message.head.isPersistent else { return close() }
        case .request(let message):
          let informational = informationalSender(for: message.head)
          let reply = core.reply(
            to: LoopbackServer.Request(message, connection: number, informational: informational))
          informational.end()
          let script = ReplyScript(reply, to: message.head)
          guard perform(script.steps) else { return }
          if var body = script.body {
            while let step = body.next() {
              // With a client that reads as fast as the server sends, sending never waits, so a stop is checked for here.
              guard !core.stop.isSignalled, perform([step]) else { return }
            }
            guard body.isComplete else { return close() }
          }
          guard script.keepsConnection else { return close() }
        }
      } catch {
        // An error response cannot be inserted into an echo.
        guard echoed == nil else { return close() }
        return refuse(error)
      }
    }
  }

  private mutating func refuse(_ error: BadRequest) {
    let script = ReplyScript(.error(error.status, error.reason), to: .unreadable)
    if perform(script.steps) { close() }
  }

  /// Waits for input. Returns `false` when the server stops. If no request has begun, ``ServerCore/closeIdle()`` can close the connection.
  private func awaitRequest() -> Bool {
    if parser.isIdle { core.setIdle(socket, on: number) }
    defer { core.setIdle(nil, on: number) }
    return socket.wait(for: .input, or: core.stop, until: .never) == .ready
  }

  /// Performs the steps. Returns `false` if they ended the connection.
  private mutating func perform(_ steps: [LoopbackServer.Step]) -> Bool {
    for step in steps {
      switch step {
      case .send(let data):
        guard send(data) else { return false }
      case .wait(let duration):
        guard pause(until: Deadline(after: duration)) else { return false }
      case .close:
        close()
        return false
      case .reset:
        socket.resetWhenClosed()
        return false
      case .hang:
        _ = pause(until: .never)
        return false
      }
    }
    return true
  }

  private func informationalSender(for head: RequestHead) -> InformationalSender {
    guard head.minorVersion > 0 else { return InformationalSender(nil) }
    return InformationalSender { [socket, core, number] in _ = Self.send($0, to: socket, core, number) }
  }

  private func send(_ data: Data) -> Bool {
    Self.send(data, to: socket, core, number)
  }

  private static func send(_ data: Data, to socket: ConnectionSocket, _ core: ServerCore, _ number: Int) -> Bool {
    var rest = data
    while !rest.isEmpty {
      guard let count = socket.send(rest) else {
        core.recordAbandoned(number)
        return false
      }
      core.recordSent(count, on: number)
      rest = rest.dropFirst(count)
      if !rest.isEmpty, socket.wait(for: .output, or: core.stop, until: .never) == .stopped { return false }
    }
    return true
  }

  /// Waits until `deadline`. Returns `false` as soon as the server stops, or the client closes its side, which only reading ahead detects.
  private mutating func pause(until deadline: Deadline) -> Bool {
    while true {
      let interest: PosixSocket.Interest = parser.unreadCount < Self.readAhead ? .input : .neither
      switch socket.wait(for: interest, or: core.stop, until: deadline) {
      case .ready:
        guard receive() else {
          core.recordAbandoned(number)
          return false
        }
      case .timedOut: return true
      case .stopped: return false
      }
    }
  }

  private mutating func receive() -> Bool {
    guard let bytes = socket.receive() else { return false }
    parser.append(bytes)
    return true
  }

  /// Sends FIN and waits briefly for the client's FIN. Closing at once could send RST, which discards what the client has not read.
  private func close() {
    let deadline = Deadline(after: Self.farewell)
    socket.finish(or: core.stop, until: deadline)
    while !deadline.hasPassed, socket.wait(for: .input, or: core.stop, until: deadline) == .ready,
      socket.receive() != nil
    {}
  }
}

extension LoopbackServer {
  /// A handler's reply: a well-formed response, exact bytes, or a fault.
  ///
  ///     server.on(.get, "/users/:id") { request in
  ///       .json(#"{"id": "\#(request.parameters["id"] ?? "")"}"#).after(.milliseconds(50))
  ///     }
  ///
  /// A well-formed response leaves the connection open unless the request or the response's fields contain
  /// `Connection: close`. After ``raw(_:)`` and ``fault(_:)`` the connection is always closed.
  public struct Reply: Sendable {
    package enum Content: Sendable {
      case message(HTTP.Status, HTTP.Headers, Data)
      /// The length is unknown if `length` is `nil`.
      case streamed(any Sequence<Data> & Sendable, length: Int?, HTTP.Status, HTTP.Headers)
      /// The body is incomplete if there is a `failure`.
      case chunked(
        any Sequence<Data> & Sendable, every: Duration = .zero, HTTP.Status, HTTP.Headers, trailers: HTTP.Headers = [:],
        failure: (any Error)? = nil)
      case steps([Step])
      case fault(Fault)
      case failure(any Error)
    }

    package let content: Content
    package private(set) var delay = Duration.zero

    package init(_ content: Content) {
      self.content = content
    }

    /// Returns a response with these fields, in their order, and this body.
    ///
    /// `Content-Length` is added unless `headers` contains it or a `Transfer-Encoding`. A transfer coding, or a length that differs
    /// from the body's, is sent as given, and the connection is closed afterwards. The body is left out for HEAD and for statuses
    /// 1xx, 204 and 304. If a field would break the message, a 500 that names the field is sent instead; use ``raw(_:)`` to
    /// send arbitrary bytes. Source: RFC 9112 §6.3.
    public static func status(_ status: HTTP.Status, headers: HTTP.Headers = [:], body: Data = Data()) -> Reply {
      Reply(.message(status, headers, body))
    }

    /// Returns a response with `text` in UTF-8, of type `text/plain`.
    public static func text(_ text: String, status: HTTP.Status = .success(.ok)) -> Reply {
      .status(status, headers: [.contentType: "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// Returns a response whose body is `text`, which must already be JSON. The type is `application/json` unless `headers` contains
    /// `Content-Type`.
    public static func json(
      _ text: String, status: HTTP.Status = .success(.ok), headers: HTTP.Headers = [:]
    ) -> Reply {
      let type: HTTP.Headers = [.contentType: .applicationJSON]
      return .status(status, headers: type.merging(headers), body: Data(text.utf8))
    }

    /// Returns a response whose body is produced while it is sent, as by ``streamed(_:headers:length:produce:)``. Bytes beyond `length` are
    /// not sent. If there are fewer, the connection is closed afterwards.
    package static func status(
      _ status: HTTP.Status, headers: HTTP.Headers = [:], length: Int, body: some Sequence<Data> & Sendable
    ) -> Reply {
      Reply(.streamed(body, length: length, status, headers))
    }

    /// Returns a response with status 200 whose body is sent in these chunks. The first chunk is sent immediately, and the others
    /// `interval` apart.
    ///
    /// The next chunk is requested from the sequence once the system has accepted the previous one. This happens on the connection's
    /// thread, which the sequence may block. Only one chunk is in memory at a time, so the sequence may be endless.
    ///
    /// The fields `Transfer-Encoding` and, if `trailers` is not empty, `Trailer` are added unless `headers` already contains them. Empty
    /// chunks are skipped, as they would end the body. For HTTP/1.0, which has no chunks, the bytes are sent without framing and the body
    /// ends when the connection closes. Source: RFC 9112 §7.1.
    public static func chunked(
      _ chunks: some Sequence<Data> & Sendable, every interval: Duration = .zero, headers: HTTP.Headers = [:],
      trailers: HTTP.Headers = [:]
    ) -> Reply {
      Reply(.chunked(chunks, every: interval, .success(.ok), headers, trailers: trailers))
    }

    /// Returns a response whose body is produced by a closure, in chunks unless `length` is known.
    ///
    /// `produce` is called for the next chunk once the system has accepted the previous one. It runs on the connection's thread, which it
    /// may block. `nil` ends the body. If it throws, the connection is reset with RST. `Content-Length` and `Transfer-Encoding` in
    /// `headers` are replaced. For HEAD and for statuses 1xx, 204 and 304 these fields are sent as given, and `produce` is not called.
    package static func streamed(
      _ status: HTTP.Status, headers: HTTP.Headers, length: Int?, produce: @escaping @Sendable () throws -> Data?
    ) -> Reply {
      Reply(.streamed(FailableChunks(produce), length: length.map { max($0, 0) }, status, headers))
    }

    /// Returns a reply of exactly these steps, whatever the method. The connection is then closed, with FIN unless a step specifies
    /// otherwise.
    public static func raw(_ steps: [Step]) -> Reply {
      Reply(.steps(steps))
    }

    /// Returns a reply that contains a fault. The connection is closed afterwards.
    public static func fault(_ fault: Fault) -> Reply {
      Reply(.fault(fault))
    }

    /// Returns the same reply with an additional delay before it begins. Delays add up.
    public func after(_ delay: Duration) -> Reply {
      var later = self
      later.delay += delay
      return later
    }
  }
}
