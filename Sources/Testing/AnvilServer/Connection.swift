internal import AnvilBase
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Serves one client on a dedicated thread until either side closes the connection or the server stops.
///
/// Source: RFC 9112 §9.3 (persistence), §9.6 (closing).
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
  /// True if the body of the current request is being echoed.
  private var isEchoing = false

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
          isEchoing = true
          guard send(ReplyScript.echoHead(of: head)) else { return }
        case .content(let part):
          guard send(GeneratedBody.chunk(part)) else { return }
        case .request(let message) where isEchoing:
          isEchoing = false
          core.record(LoopbackServer.Request(message, connection: number))
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
        guard !isEchoing else { return close() }
        return refuse(error)
      }
    }
  }

  private mutating func refuse(_ error: BadRequest) {
    let script = ReplyScript(.error(error.status, error.reason), to: .unreadable)
    if perform(script.steps) { close() }
  }

  /// Waits for input. Returns `false` when the server stops. If no request has begun, the connection is marked as idle during the wait, so
  /// that ``ServerCore/closeIdle()`` can close it.
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

  /// Sends all of `data`. Returns `false` if the client has disconnected or the server stops.
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

  /// Waits until `deadline`. Returns `false` as soon as the client closes its side or the server stops.
  ///
  /// A closed connection is only detected by reading, so requests are read ahead during the wait.
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

  /// Sends FIN and waits briefly for the client's FIN. Closing while data arrives would send RST instead, and the client would
  /// lose the data that it has not read yet.
  private func close() {
    let deadline = Deadline(after: Self.farewell)
    socket.finish(or: core.stop, until: deadline)
    while !deadline.hasPassed, socket.wait(for: .input, or: core.stop, until: deadline) == .ready,
      socket.receive() != nil
    {}
  }
}
