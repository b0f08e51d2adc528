internal import AnvilClient
public import AnvilHTTP
internal import AnvilPlatform
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP/1.1 server on 127.0.0.1 or ::1 for tests and demonstrations, which serves routes and, on demand, faults.
///
///     let server = try LoopbackServer()
///     server.on(.get, "/users/:id") { .json(#"{"id": "\#($0.parameters["id"] ?? "")"}"#) }
///     server.on(.get, "/broken") { _ in .fault(.truncatedBody) }
///     let url = server.url("/users/7")
///
/// It keeps connections open, answers pipelined requests in order, and is strict: a request that RFC 9112 forbids is
/// answered with 400 and the connection closed. Limits: 8 KiB for a line, 64 KiB for the header section, 64 MiB for a
/// body that is kept. A path without a route is answered with 404, one that has routes for other methods only with 405, both with a
/// small JSON object. Responses carry no `Date`, so that the same request is answered with the same bytes.
///
/// Each connection is served on a thread of its own, never one of Swift's cooperative pool.
public final class LoopbackServer: Sendable {
  /// The port on which it listens.
  public let port: Int
  /// Where the server is: `http://127.0.0.1:PORT` or `http://[::1]:PORT`, without a slash at the end.
  public let url: URL

  let core: ServerCore
  private let acceptor: Mutex<OwnedThread?>

  /// A server that listens and has no routes yet.
  ///
  /// - Parameters:
  ///   - address: where it listens.
  ///   - port: the port; 0 for one that the system chooses.
  ///   - requestBodies: what becomes of the bodies of requests.
  /// - Throws: ``StartError`` when there is no such address, file descriptor, port or thread to be had.
  public init(
    address: Address = .ipv4, port: UInt16 = 0, requestBodies: BodyPolicy = .kept
  ) throws(StartError) {
    let (listener, port) = try PosixSocket.listening(on: address, port: port, backlog: 512)
    guard let url = URL(string: "http://\(address.host):\(port)") else {
      throw StartError(operation: "URL", reason: "port \(port) makes no URL")
    }
    let core = try ServerCore(requestBodies: requestBodies)
    // The thread is the listener's only owner, so that the port closes with it.
    guard let thread = OwnedThread.start(stackSize: ServerCore.stackSize, { core.accept(from: listener) }) else {
      throw .latest("pthread_create")
    }
    self.port = port
    self.url = url
    self.core = core
    acceptor = Mutex(thread)
  }

  deinit {
    stop()
  }

  /// The server's URL followed by `target`: a path and perhaps a query, `/users/1?x=y`.
  ///
  /// The target is kept as it is where it can be part of a URL. A missing slash in front is added, characters that a
  /// URL cannot hold are percent-encoded, and text that is refused even so has all but its letters, digits and `-._~/`
  /// percent-encoded. Every text gives a URL of this server.
  public func url(_ target: String) -> URL {
    let path = target.hasPrefix("/") ? target : "/\(target)"
    if let url = URL(string: url.absoluteString + path), url.port == port,
      url.host() == self.url.host()
    {
      return url
    }
    let encoded = path.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F, 0x7E: String(Unicode.Scalar(byte))
      default: "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return URL(string: url.absoluteString + encoded.joined()) ?? url
  }

  /// Answers requests for `method` and `pattern` with what `handler` returns. May be called while serving.
  ///
  /// A pattern is a path, written without percent-encoding. A segment `:name` matches any one that is not empty, a last
  /// segment `*` all that is left, slashes included. The first registered route that matches is taken; registering a
  /// method and pattern again replaces the handler, in its place. HEAD without a route of its own takes the route of
  /// GET, and the body is not sent.
  ///
  /// The handler runs on its connection's thread. It may block, which holds up its own connection and ``stop()``.
  public func on(_ method: HTTP.Method, _ pattern: String, _ handler: @escaping @Sendable (Request) -> Reply) {
    core.add(method, pattern, handler)
  }

  /// Answers requests that no route matches, of whatever method and for whatever target, with what `handler` returns.
  ///
  /// They are not in ``requests``. May be called while serving; the last handler counts.
  package func onAnythingElse(_ handler: @escaping @Sendable (Request) -> Reply) {
    core.setFallback(handler)
  }

  /// Sends the bodies of requests for `method` and `pattern` back as they come: the response begins before the body has ended.
  ///
  /// The answer is a 200 in chunks, of the type that the request states. Patterns are those of ``on(_:_:_:)``, whose routes come
  /// second. A request is in ``requests`` when its body has ended, without the body. Nothing more of a request is read while its
  /// client does not read the answer.
  public func echo(_ method: HTTP.Method, _ pattern: String) {
    core.addEcho(method, pattern)
  }

  /// Every request received so far, in the order in which they were complete, those without a route among them.
  ///
  /// A request is here before its handler runs; one that could not be read is not.
  public var requests: [Request] { core.requests }

  /// The numbers of the connections that their clients closed in the midst of a reply, or while one was waited for.
  public var abandonedConnections: Set<Int> { core.abandonedConnections }

  /// How many bytes the system has taken for each connection so far, by its number, heads and framing included.
  ///
  /// What a client does not read stays with the two systems, some megabytes of it; then the count stands still.
  public var sentByteCounts: [Int: Int] { core.sentByteCounts }

  /// Closes the connections that wait for a request, and tells how many those were.
  ///
  /// A client may have read an answer a moment before its connection waits again, and is then not counted.
  @discardableResult
  public func closeIdleConnections() -> Int { core.closeIdle() }

  /// Closes the port and all connections, and returns when all of the server's threads have ended.
  ///
  /// Waits and blocked sending end at once; a running handler is waited for, unless it is the handler that stops its
  /// server. Handlers are let go of; ``requests`` stays. A second time does nothing. The server also stops with its
  /// last reference, which its own handlers had better not hold strongly.
  public func stop() {
    let thread = acceptor.withLock { $0.take() }
    guard let thread else { return }
    core.stop.signal()
    // A handler's thread would wait for itself.
    if core.isServing { thread.detach() } else { thread.join() }
    core.removeRoutes()
  }
}
