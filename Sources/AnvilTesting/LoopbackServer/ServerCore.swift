internal import AnvilClient
internal import AnvilHTTP
internal import AnvilPlatform
internal import Synchronization

/// What the threads of a server share. It holds no reference to the server, whose `deinit` can therefore stop them.
///
/// The accepting thread starts a thread for each connection, joins those that have ended with each new one, and at the
/// end all of them.
final class ServerCore: Sendable {
  private struct Threads {
    var running: [Int: OwnedThread] = [:]
    /// Numbers of connections whose thread has nothing more to do.
    var ended: [Int] = []
  }

  /// The handler of requests without a route.
  ///
  /// In a structure: each access to a mutex of a bare closure would wrap it in two more closures.
  private struct Fallback {
    var handler: RouteTable.Handler?
  }

  /// What each of a server's threads has: many connections may be open.
  static let stackSize = 1 << 20

  let stop: StopSignal
  let requestBodies: LoopbackServer.BodyPolicy
  private let routes = Mutex(RouteTable())
  private let recorded = Mutex<[LoopbackServer.Request]>([])
  private let abandoned = Mutex<Set<Int>>([])
  private let sent = Mutex<[Int: Int]>([:])
  private let idle = Mutex<[Int: PosixSocket]>([:])
  private let echoes = Mutex(RouteTable())
  private let fallback = Mutex(Fallback())
  private let threads = Mutex(Threads())

  init(requestBodies: LoopbackServer.BodyPolicy) throws(LoopbackServer.StartError) {
    self.requestBodies = requestBodies
    stop = try StopSignal()
  }

  var requests: [LoopbackServer.Request] { recorded.withLock { $0 } }

  /// Numbers of connections whose client went away before a reply was whole.
  var abandonedConnections: Set<Int> { abandoned.withLock { $0 } }

  func recordAbandoned(_ number: Int) {
    abandoned.withLock { _ = $0.insert(number) }
  }

  /// Says that a connection waits for a request, or no longer does.
  func setIdle(_ socket: PosixSocket?, on number: Int) {
    idle.withLock { $0[number] = socket }
  }

  /// Ends the connections that wait for a request, and tells how many those were.
  func closeIdle() -> Int {
    // Under the lock, so that none of them can have begun to serve a request meanwhile.
    idle.withLock { idle in
      defer { idle = [:] }
      for socket in idle.values { socket.end() }
      return idle.count
    }
  }

  /// How many bytes each connection has taken, by its number.
  var sentByteCounts: [Int: Int] { sent.withLock { $0 } }

  func recordSent(_ count: Int, on number: Int) {
    sent.withLock { $0[number, default: 0] += count }
  }

  /// Whether the caller runs on the thread of a connection, as handlers do.
  var isServing: Bool {
    threads.withLock { $0.running.values.contains(where: \.isCurrent) }
  }

  func add(_ method: HTTP.Method, _ pattern: String, _ handler: @escaping RouteTable.Handler) {
    routes.withLock { $0.add(method, PathPattern(pattern), handler) }
  }

  func addEcho(_ method: HTTP.Method, _ pattern: String) {
    echoes.withLock { $0.add(method, PathPattern(pattern)) { _ in .status(200) } }
  }

  func setFallback(_ handler: @escaping RouteTable.Handler) {
    let replaced = fallback.withLock { fallback in
      defer { fallback = Fallback(handler: handler) }
      return fallback
    }
    _ = consume replaced
  }

  /// Whether the body of a request with this head is to be sent back as it comes.
  func isEchoed(_ head: RequestHead) -> Bool {
    let match = echoes.withLock { $0.match(head.method, head.target) }
    if case .handler = match { return true } else { return false }
  }

  /// Records a request that needs no reply.
  func record(_ request: LoopbackServer.Request) {
    recorded.withLock { $0.append(request) }
  }

  /// Lets go of all handlers, and of what they hold.
  func removeRoutes() {
    let removed = routes.withLock { routes in
      defer { routes = RouteTable() }
      return routes
    }
    let removedFallback = fallback.withLock { $0.handler.take() }
    // Released here and not under the lock: what they hold may end with them and come back to this core.
    _ = consume removed
    _ = consume removedFallback
  }

  /// Records the request and has its route answer it. The handler runs on the caller's thread, under no lock.
  func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    var request = request
    let match = routes.withLock { $0.match(request.method, request.target) }
    if case .handler(_, let parameters) = match {
      request.parameters = parameters
    } else if let fallback = fallback.withLock({ $0.handler }) {
      return fallback(request)
    }
    recorded.withLock { $0.append(request) }
    switch match {
    case .handler(let handler, _):
      return handler(request)
    case .otherMethods(let methods):
      let allow = HTTP.HeaderValue(rawValue: methods.map(\.rawValue).joined(separator: ", "))
      return .error(405, "the path has no route for this method", headers: [.allow: allow])
    case .none:
      return .error(404, "no route matches the path")
    }
  }

  /// Accepts connections of `listener` until the server stops, then waits for the threads of all of them.
  func accept(from listener: PosixSocket) {
    var number = 0
    while listener.wait(for: .input, or: stop, until: nil) == .ready {
      guard let socket = listener.accepted() else {
        // Out of descriptors, or the client has gone already: the moment keeps the first from being a busy loop.
        _ = listener.wait(for: .neither, or: stop, until: .now + .milliseconds(5))
        continue
      }
      number += 1
      start(socket, number)
      joinEnded()
    }
    let left = threads.withLock { $0.running.values.map(\.self) }
    for thread in left { thread.join() }
  }

  /// Serves `socket` on a new thread; without one it is closed.
  private func start(_ socket: PosixSocket, _ number: Int) {
    // Under the lock, so that the thread cannot end, nor ask whether it serves, before it is known.
    threads.withLock { threads in
      threads.running[number] = OwnedThread.start(stackSize: Self.stackSize) {
        var connection = Connection(socket, number: number, core: self)
        connection.serve()
        self.threads.withLock { $0.ended.append(number) }
      }
    }
  }

  private func joinEnded() {
    let ended = threads.withLock { threads in
      defer { threads.ended = [] }
      return threads.ended.compactMap { threads.running.removeValue(forKey: $0) }
    }
    for thread in ended { thread.join() }
  }
}
