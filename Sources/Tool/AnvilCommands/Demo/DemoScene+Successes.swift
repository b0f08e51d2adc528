internal import Anvil
internal import Foundation

/// Scenes that succeed.
extension DemoScene {
  static let typedModel = DemoScene(
    title: "A typed model", code: "Request<User, APIError>(url: …/users/ada)"
  ) { api in
    await show(Request<User, APIError>(url: api.url("/users/ada"), decoder: JSON.Decoder.api), count: 1) { user in
      let year = Calendar(identifier: .gregorian).component(.year, from: user.createdAt)
      return [
        "\(user.name ?? user.login) of \(user.location ?? "nowhere"), \(user.followers) followers, member since \(year)"
      ]
    }
  }

  static let gateway = DemoScene(
    title: "Two requests at once through a gateway",
    code: "Promise.all(gateway.request(\"users\", \"ada\").execute().decode(as: User.self), …)"
  ) { api in
    let gateway = api.gateway
    let user = gateway.request("users", "ada").execute().decode(as: User.self)
    let found = gateway.request("search", "repositories", query: ["q": "rust"]).execute()
      .decode(as: [Repository].self, container: SearchResults.self)
    switch await Promise.all(user, found).result {
    case .success((let user, let repositories)):
      return Result(
        outcome: .decoded(1 + repositories.count),
        lines: ["the user \(user.login), and the repository \(repositories.map(\.fullName).joined(separator: ", "))"])
    case .failure(let error): return .unexpected(error)
    }
  }

  static let typedArray = DemoScene(
    title: "An array, with nulls and Unicode", code: "Request<[Repository], APIError>(url: …/users/ada/repos)"
  ) { api in
    let request = Request<[Repository], APIError>(url: api.url("/users/ada/repos"), decoder: JSON.Decoder.api)
    return await show(request, count: 4) { $0.map(line) }
  }

  static let rootKey = DemoScene(
    title: "A root key unwrapped", code: #"…(url: …/search/repositories?q=rust, containerType: SearchResults.self)"#
  ) { api in
    let request = Request<[Repository], APIError>(
      url: api.url("/search/repositories?q=rust"), decoder: JSON.Decoder.api, containerType: SearchResults.self)
    return await show(request, count: 1) { $0.map(line) }
  }

  static let polymorphicEvents = DemoScene(
    title: "Events with payloads of different types", code: "Request<[Event], APIError>(url: …/events)"
  ) { api in
    let request = Request<[Event], APIError>(url: api.url("/events"), decoder: JSON.Decoder.api)
    return await show(request, count: 6) { $0.map { "\($0.actor.login) \($0.payload.sentence) (\($0.repo.name))" } }
  }

  static let emptyResponse = DemoScene(
    title: "A request without a response body",
    code: "Request<EmptyResponse, APIError>.withEmptyResponse(method: .put, …, emptyDecodingStrategy: .validatedEmpty)"
  ) { api in
    let request = Request<EmptyResponse, APIError>.withEmptyResponse(
      method: .put, url: api.url("/user/starred/ada/bellows"), emptyDecodingStrategy: .validatedEmpty)
    do throws(APIError) {
      _ = try await backend.execute(request)
      return Result(outcome: .done, lines: ["204 without a body, as expected"])
    } catch {
      return .unexpected(error)
    }
  }

  static let recovered = DemoScene(
    title: "A 503, and a second attempt that succeeds", code: "BackendService()"
  ) { api in
    var policy = RetryPolicy()
    policy.backoff = ExponentialBackoff(base: .milliseconds(50))
    var configuration = ClientConfiguration.standard
    configuration.retries = policy
    let patient = BackendService(configuration: configuration)
    let before = api.requestCount
    let request = Request<[Repository], APIError>(url: api.url("/flaky/repos"), decoder: JSON.Decoder.api)
    do throws(APIError) {
      let repositories = try await patient.execute(request)
      let attempts = api.requestCount - before
      guard attempts == 2, repositories.count == 2 else { return .unexpected("\(attempts) attempts") }
      return Result(
        outcome: .recovered(repositories.count),
        lines: [
          "503 Service Unavailable, a pause, then \(repositories.count) repositories: \(attempts) requests, one call"
        ])
    } catch {
      return .unexpected(error)
    }
  }

  /// Executes `request`, which must return `count` models.
  private static func show<Response>(
    _ request: Request<Response, APIError>, count: Int, _ lines: @Sendable (Response) -> [String]
  ) async -> Result {
    do throws(APIError) {
      let lines = lines(try await backend.execute(request))
      guard lines.count == count else { return .unexpected("\(lines.count) models instead of \(count)") }
      return Result(outcome: .decoded(count), lines: lines)
    } catch {
      return .unexpected(error)
    }
  }

  static func line(_ repository: Repository) -> String {
    let name = repository.fullName + (repository.archived ? " (archived)" : "")
    let license = repository.license.map { $0.spdxId ?? $0.key } ?? "no license"
    let description = repository.description ?? "(no description)"
    return "\(name): \(description) · \(repository.language ?? "–") · ★ \(repository.stargazersCount) · \(license)"
  }
}

extension Event.Payload {
  fileprivate var sentence: String {
    switch self {
    case .push(let ref, let commits): "pushed \(commits) commits to \(ref)"
    case .issue(let action, let number, let title): "\(action) issue #\(number), “\(title)”"
    case .pullRequest(_, let number, merged: true): "merged pull request #\(number)"
    case .pullRequest(let action, let number, merged: false): "\(action) pull request #\(number)"
    case .release(let tag): "released \(tag)"
    case .star: "starred"
    case .other(let type): "did something else (\(type))"
    }
  }
}
