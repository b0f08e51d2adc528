public import AnvilBase
public import AnvilHTTP
internal import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 for tests and demonstrations, which serves routes and can simulate faults.
///
///     let server = try LoopbackServer()
///     server.on(.get, "/users/:id") { .json(#"{"id": "\#($0.parameters["id"] ?? "")"}"#) }
///     server.on(.get, "/broken") { _ in .fault(.truncatedBody) }
///     let url = server.url("/users/7")
///
/// The server keeps connections open, answers pipelined requests in order, and is strict: a request that RFC 9112 forbids is
/// answered with 400 and the connection is closed. The limits are 8 KiB for a line, 64 KiB for the header section, and 64 MiB for a
/// body that is kept. A path without a route is answered with 404, and a path that only has routes for other methods with 405,
/// each with a small JSON object. Responses have no `Date`, so that equal requests receive identical bytes.
///
/// Each connection is served on a dedicated thread, never on a thread of Swift's cooperative pool.
public final class LoopbackServer: Sendable {
  /// The port on which the server listens.
  public let port: Int
  /// The base URL of the server, such as `http://127.0.0.1:PORT`, without a trailing slash.
  public let url: URL

  let core: ServerCore
  private let acceptor: Mutex<OwnedThread?>

  /// Creates a server that listens on 127.0.0.1 and has no routes yet.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 to let the system choose one.
  ///   - requestBodies: The handling of request bodies.
  /// - Throws: ``StartError`` if a file descriptor, the port or a thread is not available.
  public convenience init(port: UInt16 = 0, requestBodies: BodyPolicy = .kept) throws(StartError) {
    try self.init(address: .ipv4, port: port, requestBodies: requestBodies)
  }

  /// With `security`, the server encrypts its connections, and its URL begins with `https`.
  package init(
    address: Address, port: UInt16 = 0, requestBodies: BodyPolicy = .kept, security: (any ConnectionSecurity)? = nil
  ) throws(StartError) {
    let (listener, port) = try PosixSocket.listening(on: address, port: port, backlog: 512)
    guard let url = URL(string: "\(security == nil ? "http" : "https")://\(address.rawValue):\(port)") else {
      throw StartError(operation: "URL", reason: "the URL with port \(port) is invalid")
    }
    let core = try ServerCore(requestBodies: requestBodies, security: security)
    // The thread is the listener's only owner, so that the port closes with it.
    guard let thread = OwnedThread.start(stackSize: ServerCore.stackSize, { core.accept(from: listener) }) else {
      throw .latest("pthread_create")
    }
    (self.port, self.url, self.core) = (port, url, core)
    acceptor = Mutex(thread)
  }

  deinit {
    stop()
  }

  /// Returns the server's URL followed by `target`, a path with an optional query such as `/users/1?x=y`.
  ///
  /// The target is kept unchanged if it can be part of a URL. A missing leading slash is added, and characters that are not
  /// allowed in a URL are percent-encoded. If the result is still invalid, everything but letters, digits and `-._~/`
  /// is percent-encoded. Any text therefore gives a URL of this server.
  public func url(_ target: String) -> URL {
    let path = target.hasPrefix("/") ? target : "/\(target)"
    if let url = URL(string: url.absoluteString + path), HTTP.Origin(url) == HTTP.Origin(self.url) { return url }
    return URL(string: url.absoluteString + PercentEncoding.encode(path, keeping: .path)) ?? url
  }

  /// Answers requests for `method` and `pattern` with the reply that `handler` returns. May be called while serving.
  ///
  /// A pattern is a path without percent-encoding. A segment `:name` matches any segment that is not empty. A last
  /// segment `*` matches the rest of the path, including slashes. The first registered route that matches is used. Registering a
  /// method and pattern again replaces the handler and keeps the route's position. A HEAD request without a HEAD route uses the GET
  /// route, and the body is not sent.
  ///
  /// The handler runs on its connection's thread. It may block, which delays only its connection and ``stop()``.
  public func on(_ method: HTTP.Method, _ pattern: String, _ handler: @escaping @Sendable (Request) -> Reply) {
    core.add(method, pattern, handler)
  }

  /// Answers requests that no route matches, which are not in ``requests``, with the reply of `handler`. It replaces an earlier handler.
  package func onAnythingElse(_ handler: @escaping @Sendable (Request) -> Reply) {
    core.setFallback(handler)
  }

  /// Echoes the bodies of requests for `method` and `pattern` while they arrive: the response begins before the request body ends.
  ///
  /// The response is a chunked 200 with the media type of the request. Patterns work as in ``on(_:_:_:)``; echo routes take
  /// precedence over those routes. A request is added to ``requests``, without its body, when the body has ended. The server stops
  /// reading the request while the client does not read the response.
  package func echo(_ method: HTTP.Method, _ pattern: String) {
    core.addEcho(method, pattern)
  }

  /// All requests received so far, in the order in which they were completed, including those without a route.
  ///
  /// A request is added before its handler runs. Requests that could not be parsed are not included.
  public var requests: [Request] { core.requests }

  /// The numbers of the connections that the client closed while a reply was sent or was pending.
  package var abandonedConnections: Set<Int> { core.abandonedConnections }

  /// The number of bytes, including heads and framing, that the system has accepted so far, by connection number. It stays the same when
  /// the client does not read and the buffers of both systems, some megabytes, are full.
  package var sentByteCounts: [Int: Int] { core.sentByteCounts }

  /// Closes the idle connections and returns their number. One whose client has only just read its response may not be idle yet.
  @discardableResult
  package func closeIdleConnections() -> Int { core.closeIdle() }

  /// Closes the port and all connections, and returns when all of the server's threads have ended.
  ///
  /// Waits and blocked sends end immediately. Running handlers are waited for, except a handler that stops its own server. Handlers are
  /// released; ``requests`` remains available. Further calls have no effect. The server also stops when its last reference is released, so
  /// its handlers should not hold a strong reference to it.
  public func stop() {
    let thread = acceptor.withLock { $0.take() }
    guard let thread else { return }
    core.stop.signal()
    // If a handler stops its own server, joining would make threads wait for each other without end.
    if core.isServing { thread.detach() } else { thread.join() }
    core.removeRoutes()
  }
}

extension LoopbackServer {
  /// Records `request`, runs its route, and returns the reply without sending it. The body of the request must be in memory.
  package func replyWithoutConnection(to request: HTTP.Request) -> Reply {
    let text = request.url.absoluteString.dropFirst(url.absoluteString.count).prefix { $0 != "#" }
    let target = text.hasPrefix("/") ? String(text) : "/\(text)"
    let parts = RequestTarget(target)
    let body = request.body.data ?? Data()
    var headers: HTTP.Headers = [.host: "\(request.url.sentHost ?? ""):\(port)"]
    for field in request.headers where field.key != .contentLength { headers.add(field.key, field.value) }
    if !body.isEmpty { headers.add(.contentLength, "\(body.count)") }
    if !headers.contains(.contentType), let type = request.body.contentType { headers.add(.contentType, type) }
    return core.reply(
      to: Request(
        method: request.method, target: target, path: parts.path, query: parts.query, headers: headers,
        body: core.requestBodies == .kept ? body : Data(), bodyByteCount: body.count, connection: 0,
        informational: InformationalSender(nil)))
  }

  /// A loopback address. A server cannot start on `::1` on machines without IPv6.
  package enum Address: String, Sendable {
    case ipv4 = "127.0.0.1"
    case ipv6 = "[::1]"
  }
  /// The handling of request bodies by a server.
  public enum BodyPolicy: Hashable, Sendable {
    /// Keeps each body in ``Request/body``. A body of more than 64 MiB is answered with 413.
    case kept
    /// Counts the bytes of each body in ``Request/bodyByteCount`` and discards them. The length of a body is unlimited.
    case counted
  }

  /// A server fault to test a client with. Every fault happens after the whole request was received.
  public enum Fault: Sendable, Hashable {
    /// A correct response whose head is delayed by this duration.
    case slowHead(Duration)
    /// A correct response of `count` bytes, which are sent one at a time, `interval` apart.
    case slowDrip(interval: Duration, count: Int)
    /// The connection closes, with FIN, before the announced length of the body is reached.
    case truncatedBody
    /// The connection closes, with FIN, before the last chunk.
    case truncatedChunks
    /// The connection closes, with FIN, in the middle of a header line.
    case truncatedHead
    /// The connection closes, with FIN, before any data is sent.
    case closeBeforeHead
    /// The connection is reset, with RST, before any data is sent.
    case resetBeforeHead
    /// The connection is reset, with RST, in the middle of the body.
    case resetInBody
    /// A chunk with a size that is not hexadecimal.
    case badChunk
    /// Two `Content-Length` fields that contradict each other. Source: RFC 9112 §6.3.
    case conflictingLengths
    /// `Content-Length` together with `Transfer-Encoding: chunked`, and a body that is valid for both. Source: RFC 9112 §6.3.
    case lengthAndChunked
    /// The greeting of an SSH server, followed by FIN.
    case notHTTP
    /// No response. The connection stays open until the client closes it or the server stops.
    case neverAnswers
  }
}

extension LoopbackServer.Fault {
  /// All faults in the order of their declaration, each with a name for paths. The slow ones are slow enough for a person to notice.
  package static let all: [(name: String, fault: LoopbackServer.Fault)] = [
    ("slow-head", .slowHead(.seconds(2))),
    ("slow-drip", .slowDrip(interval: .milliseconds(100), count: 10)),
    ("truncated-body", .truncatedBody),
    ("truncated-chunks", .truncatedChunks),
    ("truncated-head", .truncatedHead),
    ("close-before-head", .closeBeforeHead),
    ("reset-before-head", .resetBeforeHead),
    ("reset-in-body", .resetInBody),
    ("bad-chunk", .badChunk),
    ("conflicting-lengths", .conflictingLengths),
    ("length-and-chunked", .lengthAndChunked),
    ("not-http", .notHTTP),
    ("never-answers", .neverAnswers),
  ]
}

extension LoopbackServer {
  /// A received request, including its complete body.
  public struct Request: Sendable {
    /// The method as sent by the client.
    public let method: HTTP.Method
    /// The request target, byte for byte as in the request line: `/users/1?x=y`.
    public let target: String
    /// The percent-decoded path of the target; `*` for the target `*`.
    ///
    /// A `%` that is not followed by two hexadecimal digits is kept. Bytes that are not valid UTF-8 become U+FFFD.
    public let path: String
    /// The percent-decoded values of the pattern's `:name` segments by name, and the rest of the path for the key `*`. Empty if no route
    /// matched.
    public internal(set) var parameters: [String: String] = [:]
    /// The items of the query in order, including duplicates, decoded. `+` is decoded as a space. An item without `=` has no value.
    public let query: HTTP.Query
    /// The header fields in order, with duplicates and case preserved.
    public let headers: HTTP.Headers
    /// The trailer fields of a chunked body, in order.
    package internal(set) var trailers: HTTP.Headers = [:]
    /// The body without its framing; empty if the server only counts bodies.
    public let body: Data
    /// The number of bytes in the body.
    public let bodyByteCount: Int
    /// The number of the connection, counted from 1. Requests with the same number used the same connection.
    package let connection: Int
    let informational: InformationalSender

    /// Sends an informational response, such as 103 Early Hints, immediately.
    ///
    /// Call it in the handler before it returns its reply; later calls have no effect. Calls also have no effect for HTTP/1.0
    /// clients, for a status outside 102 to 199, and for invalid fields. Source: RFC 9110 §15.2.
    package func sendInformational(_ status: HTTP.Status, headers: HTTP.Headers = [:]) {
      informational.send(status, headers)
    }
  }
}

extension LoopbackServer.Request {
  init(
    _ message: RequestParser.Message, connection: Int, informational: InformationalSender = InformationalSender(nil)
  ) {
    let target = RequestTarget(message.head.target)
    self.init(
      method: message.head.method, target: message.head.target, path: target.path, query: target.query,
      headers: message.head.headers, trailers: message.trailers, body: message.body, bodyByteCount: message.bodyCount,
      connection: connection,
      informational: informational)
  }
}

extension LoopbackServer {
  /// An error thrown if a server cannot start to listen, for example because no file descriptor, port or thread is available.
  public struct StartError: Error, Hashable, CustomStringConvertible {
    /// The system call that failed, such as `bind`.
    package let operation: String
    /// The system's error message.
    package let reason: String

    /// The failed operation and the reason.
    public var description: String {
      "the loopback server cannot listen: \(operation): \(reason)"
    }
  }

  /// A single action of the server on a connection. Every reply is a list of steps.
  ///
  /// The list ends early if the client disconnects, if it closes its sending side during a wait, or if the server stops.
  public enum Step: Sendable, Hashable {
    /// Sends these bytes, and waits while the client does not read.
    case send(Data)
    /// Waits for this duration. Zero and negative durations do not wait.
    case wait(Duration)
    /// Closes the connection gracefully, with FIN. Later steps are skipped.
    case close
    /// Resets the connection, with RST. Later steps are skipped.
    case reset
    /// Keeps the connection open and silent until the client closes it or the server stops. Later steps are skipped.
    case hang
  }
}
