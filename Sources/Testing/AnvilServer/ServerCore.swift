internal import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// The state that the threads of a server share. It holds no reference to the server, so that the server's `deinit` can stop them. The
/// accepting thread starts a thread for each connection, and joins the threads that have ended, and all of them when the server stops.
final class ServerCore: Sendable {
  private struct Threads {
    var running: [Int: OwnedThread] = [:]
    /// The numbers of the connections whose thread has finished.
    var ended: [Int] = []
  }

  /// The requests and, by the numbers of connections, what clients did not wait for and how much was sent.
  private struct Log {
    var requests: [LoopbackServer.Request] = []
    var abandoned: Set<Int> = []
    var sentByteCounts: [Int: Int] = [:]
  }

  private struct Routes {
    var table = RouteTable()
    var echoes = RouteTable()
    /// The handler of requests without a route.
    var fallback: RouteTable.Handler?
  }

  /// The stack size of each thread. It is small, because many connections may be open.
  static let stackSize = 1 << 20

  let stop: StopSignal
  let requestBodies: LoopbackServer.BodyPolicy
  private let security: (any ConnectionSecurity)?
  private let routes = Mutex(Routes())
  private let log = Mutex(Log())
  private let idle = Mutex<[Int: ConnectionSocket]>([:])
  private let threads = Mutex(Threads())

  init(
    requestBodies: LoopbackServer.BodyPolicy, security: (any ConnectionSecurity)?
  ) throws(LoopbackServer.StartError) {
    self.requestBodies = requestBodies
    self.security = security
    stop = try StopSignal()
  }

  var requests: [LoopbackServer.Request] { log.withLock(\.requests) }
  var abandonedConnections: Set<Int> { log.withLock(\.abandoned) }
  var sentByteCounts: [Int: Int] { log.withLock(\.sentByteCounts) }

  func record(_ request: LoopbackServer.Request) { log.withLock { $0.requests.append(request) } }
  func recordAbandoned(_ number: Int) { log.withLock { _ = $0.abandoned.insert(number) } }
  func recordSent(_ count: Int, on number: Int) { log.withLock { $0.sentByteCounts[number, default: 0] += count } }

  /// Marks the connection `number` as idle. If `socket` is `nil`, marks it as no longer idle.
  func setIdle(_ socket: ConnectionSocket?, on number: Int) {
    idle.withLock { $0[number] = socket }
  }

  func closeIdle() -> Int {
    // Closed under the lock, so that none of them can start to serve a request meanwhile.
    idle.withLock { idle in
      defer { idle = [:] }
      for socket in idle.values { socket.end() }
      return idle.count
    }
  }

  /// True if the caller runs on the thread of a connection, as handlers do.
  var isServing: Bool {
    threads.withLock { $0.running.values.contains(where: \.isCurrent) }
  }

  func add(_ method: HTTP.Method, _ pattern: String, _ handler: @escaping RouteTable.Handler) {
    replaceRoutes { $0.table.add(method, PathPattern(pattern), handler) }
  }

  func addEcho(_ method: HTTP.Method, _ pattern: String) {
    replaceRoutes { $0.echoes.add(method, PathPattern(pattern)) { _ in .status(200) } }
  }

  func setFallback(_ handler: @escaping RouteTable.Handler) {
    replaceRoutes { $0.fallback = handler }
  }

  func isEchoed(_ head: RequestHead) -> Bool {
    if case .handler = routes.withLock({ $0.echoes.match(head.method, head.target) }) { true } else { false }
  }

  func removeRoutes() { replaceRoutes { $0 = Routes() } }

  /// Releases the former handlers outside the lock, because deallocating captured objects may call back into this object.
  private func replaceRoutes(_ replace: (inout Routes) -> Void) {
    let former = routes.withLock { routes in
      defer { replace(&routes) }
      return routes
    }
    _ = consume former
  }

  /// Returns the reply of the route that matches the request. If none does, returns the reply of the fallback handler, or an error response
  /// without one. Records the request unless the fallback handler answers it. Handlers run on the caller's thread, with no lock held.
  func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    var request = request
    let (match, fallback) = routes.withLock { ($0.table.match(request.method, request.target), $0.fallback) }
    if case .handler(_, let parameters) = match {
      request.parameters = parameters
    } else if let fallback {
      return fallback(request)
    }
    record(request)
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

  /// Accepts connections of `listener` until the server stops, then waits until the threads of all connections have ended.
  func accept(from listener: PosixSocket) {
    var number = 0
    while listener.wait(for: .input, or: stop, until: .never) == .ready {
      guard let socket = listener.accepted() else {
        // Either no descriptor is available or the client has already disconnected. The pause avoids a busy loop in the first case.
        _ = listener.wait(for: .neither, or: stop, until: Deadline(after: .milliseconds(5)))
        continue
      }
      number += 1
      start(socket, number)
      joinEnded()
    }
    let left = threads.withLock { $0.running.values.map(\.self) }
    for thread in left { thread.join() }
  }

  /// Serves `socket` on a new thread, or closes it if no thread can be started.
  private func start(_ socket: PosixSocket, _ number: Int) {
    // Started under the lock, so that the thread can neither end nor use `isServing` before it is registered.
    threads.withLock { threads in
      threads.running[number] = OwnedThread.start(stackSize: Self.stackSize) {
        if let socket = ConnectionSocket(socket, security: self.security) {
          var connection = Connection(socket, number: number, core: self)
          connection.serve()
        }
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

/// The path pattern of a route, such as `/users/:id/repos` or `/files/*`.
struct PathPattern: Hashable {
  private enum Segment: Hashable {
    case literal(String)
    case parameter(String)
    case rest
  }

  private let segments: [Segment]

  /// Creates a pattern from any text. A `*` is special only as the last segment. A missing leading slash is added.
  init(_ pattern: String) {
    let parts = (pattern.hasPrefix("/") ? pattern.dropFirst() : pattern[...])
      .split(separator: "/", omittingEmptySubsequences: false)
    segments = parts.enumerated().map { index, part in
      if part == "*", index == parts.count - 1 { return .rest }
      return part.first == ":" ? .parameter(String(part.dropFirst())) : .literal(String(part))
    }
  }

  /// Returns the parameters in decoded segments, or `nil` if they do not match. A parameter is not empty; the rest, `*`, may be.
  func match(_ path: [String]) -> [String: String]? {
    guard segments.last == .rest ? path.count >= segments.count : path.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      switch segment {
      case .literal(let literal): guard literal == text else { return nil }
      case .parameter(let name):
        guard !text.isEmpty else { return nil }
        parameters[name] = text
      case .rest: parameters["*"] = path[(segments.count - 1)...].joined(separator: "/")
      }
    }
    return parameters
  }
}

/// A request target. Source: RFC 9112 §3.2; the URL standard, "application/x-www-form-urlencoded parsing", for the query.
struct RequestTarget {
  let encodedPath: Substring
  private let encodedQuery: Substring

  /// Parses any text: a path, an absolute URL as sent to proxies, or `*`.
  init(_ target: String) {
    let parts = target.withoutOrigin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first ?? ""
    encodedPath = path.isEmpty ? "/" : path
    encodedQuery = parts.count > 1 ? parts[1] : ""
  }

  var path: String { PercentEncoding.decode(String(encodedPath)) }

  /// The segments of the path, each percent-decoded. A `%2F` does not separate segments.
  var segments: [String] {
    let path = encodedPath.first == "/" ? encodedPath.dropFirst() : encodedPath
    return path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.decode(String($0)) }
  }

  /// The decoded items of the query. Empty items are skipped.
  var query: HTTP.Query {
    HTTP.Query(
      encodedQuery.split(separator: "&").map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // Bytes that are not UTF-8 become U+FFFD.
        let decoded = parts.map { String(decoding: FormEncoding.bytes($0.utf8), as: UTF8.self) }
        return HTTP.Query.Item(decoded[0], decoded.count > 1 ? decoded[1] : nil)
      })
  }
}

/// The routes in the order of their registration. The first one that matches is used.
struct RouteTable {
  typealias Handler = @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply

  private struct Route {
    let method: HTTP.Method
    let pattern: PathPattern
    var handler: Handler
  }

  enum Match {
    case handler(Handler, parameters: [String: String])
    case otherMethods([HTTP.Method])
    case none
  }

  private var routes: [Route] = []

  mutating func add(_ method: HTTP.Method, _ pattern: PathPattern, _ handler: @escaping Handler) {
    if let known = routes.firstIndex(where: { $0.method == method && $0.pattern == pattern }) {
      routes[known].handler = handler
    } else {
      routes.append(Route(method: method, pattern: pattern, handler: handler))
    }
  }

  /// Returns the first route for the method and path. HEAD uses a GET route if there is no HEAD route.
  func match(_ method: HTTP.Method, _ target: String) -> Match {
    let path = RequestTarget(target).segments
    let matches = routes.compactMap { route in route.pattern.match(path).map { (route: route, parameters: $0) } }
    let own = matches.first { $0.route.method == method }
    if let found = own ?? (method == .head ? matches.first { $0.route.method == .get } : nil) {
      return .handler(found.route.handler, parameters: found.parameters)
    }
    guard !matches.isEmpty else { return .none }
    var methods: [HTTP.Method] = []
    for method in matches.map(\.route.method).flatMap({ $0 == .get ? [.get, .head] : [$0] })
    where !methods.contains(method) {
      methods.append(method)
    }
    return .otherMethods(methods)
  }
}
