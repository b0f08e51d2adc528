internal import Anvil
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation
internal import Synchronization

/// The demo's server: a GitHub-like API on the loopback interface, with built-in failures.
final class DemoAPI: Sendable {
  private let server: LoopbackServer

  /// Starts the server.
  ///
  /// - Throws: `LoopbackServer.StartError`.
  init() throws(LoopbackServer.StartError) {
    server = try LoopbackServer()
    let users = Self.index(DemoData.users, by: "login")
    let repositories = Self.index(DemoData.repositories, by: "full_name")

    server.on(.get, "/users/:login") { request in
      users[request.parameters["login"] ?? ""].map { .json($0) } ?? Self.notFound("user")
    }
    server.on(.get, "/users/:login/repos") { request in
      let prefix = "\(request.parameters["login"] ?? "")/"
      return .json(
        DemoData.array(repositories.keys.sorted().filter { $0.hasPrefix(prefix) }.compactMap { repositories[$0] }))
    }
    server.on(.get, "/search/repositories") { request in
      let word = request.query["q"]?.lowercased() ?? ""
      let found = DemoData.repositories.filter { $0.lowercased().contains(word) }
      return .json(
        #"{"total_count": \#(found.count), "incomplete_results": false, "items": \#(DemoData.array(found))}"#)
    }
    server.on(.get, "/events") { _ in .json(DemoData.array(DemoData.events)) }
    server.on(.get, "/repos/:owner/:name") { request in
      let name = "\(request.parameters["owner"] ?? "")/\(request.parameters["name"] ?? "")"
      return repositories[name].map { .json($0) } ?? Self.notFound("repository")
    }
    server.on(.put, "/user/starred/:owner/:name") { _ in .status(204) }
    addBadDays()
  }

  private func addBadDays() {
    server.on(.get, "/flaky/repos") { [flakyAnswers = Counter()] _ in
      guard flakyAnswers.next() > 1 else {
        return .json(#"{"message": "deploying, back in a moment"}"#, status: 503, headers: [.retryAfter: "0"])
      }
      return .json(DemoData.array(Array(DemoData.repositories.prefix(2))))
    }
    server.on(.get, "/limited/users/:login") { _ in
      .json(#"{"error": {"code": "rate_limited", "message": "60 requests an hour are enough for anyone"}}"#)
    }
    server.on(.get, "/slow/users/:login") { _ in .fault(.neverAnswers) }
    server.on(.get, "/drifted/repos") { _ in
      var repositories = DemoData.repositories
      repositories[2] = repositories[2].replacing(#""stargazers_count": 12"#, with: #""stargazers_count": "a dozen""#)
      return .json(DemoData.array(repositories))
    }
  }

  /// The root URL of the API.
  var url: URL { server.url }

  /// Returns the URL of `target`, a path with a query.
  func url(_ target: String) -> URL { server.url(target) }

  /// A gateway to the API, which decodes its models.
  var gateway: Gateway {
    var gateway = Gateway(baseURL: url(""))
    gateway.decodingFormat = JSON.Decoder.api
    return gateway
  }

  /// The number of received requests.
  var requestCount: Int { server.requests.count }

  func stop() { server.stop() }

  private static func notFound(_ kind: String) -> LoopbackServer.Reply {
    .json(
      #"{"message": "no such \#(kind)", "documentation_url": "https://docs.example.org/rest/\#(kind)s"}"#, status: 404)
  }

  /// Returns a dictionary of the JSON texts in `objects`. The key of each object is the string in its member `key`.
  private static func index(_ objects: [String], by key: String) -> [String: String] {
    Dictionary(
      objects.compactMap { object in
        (try? JSON(parsing: object))?[key]?.string.map { ($0, object) }
      }, uniquingKeysWith: { first, _ in first })
  }
}

/// A counter that starts at 1.
private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
