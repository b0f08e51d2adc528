internal import Anvil
internal import AnvilSQLite
internal import Foundation

/// A user of the demo's API, as a caller would define it.
struct User: Codable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]

  var id: Int
  var login: String
  var name: String?
  var location: String?
  var publicRepos: Int
  var followers: Int
  var createdAt: Date
}

/// A repository with its owner and licence. A store keeps owners in a separate table.
struct Repository: Codable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]

  struct Owner: Codable, Sendable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.login)]

    var id: Int
    var login: String
    var avatarUrl: URL
  }

  struct License: Codable, Sendable {
    var key: String
    var spdxId: String?
  }

  var id: Int
  var fullName: String
  var owner: Owner
  var description: String?
  var language: String?
  var stargazersCount: Int
  var license: License?
  var topics: [String]
  var archived: Bool
  var pushedAt: Date
}

/// The container of the repositories in search results.
struct SearchResults: DecodableContainer {
  let element: [Repository]

  enum CodingKeys: String, CodingKey { case element = "items" }
}

/// An event in a repository. The payload depends on the type.
struct Event: Decodable, Sendable {
  struct Actor: Decodable, Sendable { var login: String }
  struct Place: Decodable, Sendable { var name: String }

  enum Payload: Sendable {
    case push(ref: String, commits: Int)
    case issue(action: String, number: Int, title: String)
    case pullRequest(action: String, number: Int, merged: Bool)
    case release(tag: String)
    case star
    case other(type: String)
  }

  var id: String
  var actor: Actor
  var repo: Place
  var payload: Payload
  var createdAt: Date

  private enum CodingKeys: String, CodingKey { case id, type, actor, repo, payload, createdAt }
  private struct Push: Decodable {
    var ref: String
    var size: Int
  }
  private struct Issue: Decodable {
    struct Detail: Decodable {
      var number: Int
      var title: String
    }
    var action: String
    var issue: Detail
  }
  private struct PullRequest: Decodable {
    struct Detail: Decodable { var merged: Bool }
    var action: String
    var number: Int
    var pullRequest: Detail
  }
  private struct Release: Decodable {
    struct Detail: Decodable { var tagName: String }
    var release: Detail
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    actor = try container.decode(Actor.self, forKey: .actor)
    repo = try container.decode(Place.self, forKey: .repo)
    createdAt = try container.decode(Date.self, forKey: .createdAt)
    switch try container.decode(String.self, forKey: .type) {
    case "PushEvent":
      let push = try container.decode(Push.self, forKey: .payload)
      payload = .push(ref: push.ref, commits: push.size)
    case "IssuesEvent":
      let issue = try container.decode(Issue.self, forKey: .payload)
      payload = .issue(action: issue.action, number: issue.issue.number, title: issue.issue.title)
    case "PullRequestEvent":
      let request = try container.decode(PullRequest.self, forKey: .payload)
      payload = .pullRequest(action: request.action, number: request.number, merged: request.pullRequest.merged)
    case "ReleaseEvent":
      payload = .release(tag: try container.decode(Release.self, forKey: .payload).release.tagName)
    case "WatchEvent": payload = .star
    case let type: payload = .other(type: type)
    }
  }
}

/// The failures of the demo's API, as a caller would define them. Each case is created where the failure is known,
/// without casts.
enum APIError: DecodingFailureRepresentable {
  /// A 404, with the message and the link in its body.
  case notFound(message: String, documentation: URL?)
  /// A 200 whose body describes an error.
  case refused(code: String, message: String)
  /// The time limit was reached.
  case timedOut(TransportFailure)
  /// The response does not match the model.
  case unexpectedResponse(DecodingFailure)
  /// Any other failure of the exchange.
  case network(TransportFailure)

  private struct Payload: Decodable {
    var message: String
    var documentationUrl: URL?
  }

  init(transportFailure failure: TransportFailure) {
    switch failure.error.code {
    case .clientError(.notFound):
      let payload = try? failure.response?.body.decode(as: Payload.self, with: JSON.Decoder.api)
      self = .notFound(message: payload?.message ?? "not found", documentation: payload?.documentationUrl)
    case .timedOut: self = .timedOut(failure)
    default: self = .network(failure)
    }
  }

  init(decodingFailure: DecodingFailure) {
    self = .unexpectedResponse(decodingFailure)
  }

  var failureResponse: HTTP.Response? {
    switch self {
    case .timedOut(let failure), .network(let failure): failure.response
    case .unexpectedResponse(let failure): failure.response
    case .notFound, .refused: nil
    }
  }

  var transportError: TransportError? {
    switch self {
    case .timedOut(let failure), .network(let failure): failure.error
    case .notFound: TransportError(code: .clientError(.notFound))
    case .refused, .unexpectedResponse: nil
    }
  }
}

extension JSON.Decoder {
  /// A decoder for the API, with snake case and dates in ISO 8601.
  static var api: JSON.Decoder {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
