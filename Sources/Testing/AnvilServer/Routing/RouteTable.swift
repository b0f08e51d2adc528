internal import AnvilHTTP

/// The routes in the order of their registration. The first one that matches is used.
struct RouteTable {
  typealias Handler = @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply

  private struct Route {
    let method: HTTP.Method
    let pattern: PathPattern
    var handler: Handler
  }

  /// The result of looking up a request.
  enum Match {
    case handler(Handler, parameters: [String: String])
    /// The path has routes, but only for these methods.
    case otherMethods([HTTP.Method])
    case none
  }

  private var routes: [Route] = []

  /// Appends a route, or replaces the handler of the one with the same method and pattern.
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
