import Anvil
import AnvilTesting
import Foundation
import Synchronization

/// A server on the loopback interface that imitates the API.
final class APIServer: Sendable {
  private let server: LoopbackServer
  private let deployments = Mutex(1)

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/users/:login") { request in
      switch request.parameters["login"] {
      case "ada": .json(#"{"id": 1, "login": "ada", "name": "Ada Norling", "followers": 1204}"#)
      case "drifted": .json(#"{"id": 2, "login": "drifted", "name": "Tomoko Arai", "followers": "a dozen"}"#)
      default: .json(#"{"message": "there is no such user"}"#, status: .clientError(.notFound))
      }
    }
    server.on(.get, "/users/ada/repos") { _ in .json(Self.list(Self.repositories.prefix(4))) }
    server.on(.get, "/repositories") { [unowned self] request in page(request) }
    server.on(.get, "/flaky") { [unowned self] _ in
      let isDeploying = deployments.withLock { count in
        defer { count = 0 }
        return count > 0
      }
      return isDeploying
        ? .json(#"{"message": "deploying"}"#, status: .serverError(.serviceUnavailable), headers: [.retryAfter: "0"])
        : .json(Self.list(Self.repositories.prefix(2)))
    }
  }

  var url: URL { server.url }

  /// The number of received requests.
  var requestCount: Int { server.requests.count }

  /// Two repositories on each page, and a link to the next page on all but the last.
  private func page(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
    let number = request.query["page"].flatMap { Int($0) } ?? 1
    var headers: HTTP.Headers = [:]
    if 2 * number < Self.repositories.count {
      headers[.link] = "<\(server.url("/repositories?page=\(number + 1)"))>; rel=\"next\""
    }
    return .json(Self.list(Self.repositories.dropFirst(2 * (number - 1)).prefix(2)), headers: headers)
  }

  private static func list(_ objects: some Sequence<String>) -> String { "[\(objects.joined(separator: ", "))]" }

  private static let repositories = [
    #"{"id": 101, "full_name": "ada/bellows", "stargazers_count": 3120, "description": "A job queue over plain files"}"#,
    #"{"id": 102, "full_name": "ada/tongs", "stargazers_count": 871, "description": "Takes hot JSON out of slow servers"}"#,
    #"{"id": 103, "full_name": "ada/clinker", "stargazers_count": 12, "description": null}"#,
    #"{"id": 104, "full_name": "ada/straße", "stargazers_count": 5, "description": "Größen, “quotes” and 🔨"}"#,
    #"{"id": 105, "full_name": "tomoko/ferrite", "stargazers_count": 14208, "description": "Graphs from build logs"}"#,
    #"{"id": 106, "full_name": "mbeki/timetable", "stargazers_count": 466, "description": "Railway timetables"}"#,
  ]
}
