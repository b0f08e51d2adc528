import Anvil
import AnvilTesting
import Foundation
import Synchronization

/// A server on the loopback interface that imitates the API.
final class GitHubServer: Sendable {
  private struct State {
    var tokenCount = 0
    var validToken: String?
    var asset = Data()
    var assetRanges: [String] = []
  }

  let server: LoopbackServer
  private let state = Mutex(State())

  init() throws {
    server = try LoopbackServer()
    server.on(.post, "/login/oauth/access_token") { [unowned self] request in
      guard String(decoding: request.body, as: UTF8.self).contains("the refresh token") else { return .status(400) }
      return .json(#"{"access_token": "\#(issueToken())", "token_type": "bearer"}"#)
    }
    on(.get, "/users/:login") { _, request in
      switch request.parameters["login"] {
      case "octocat": .json(#"{"id": 1, "login": "octocat", "public_repos": 5}"#)
      case "broken": .json(#"{"id": "one", "login": "broken", "public_repos": 0}"#)
      default: .json(#"{"message": "Not Found"}"#, status: .clientError(.notFound))
      }
    }
    on(.get, "/users/octocat/repos") { api, request in api.repositories(request) }
    on(.post, "/repos/octocat/anvil/releases/7/assets") { api, request in api.receiveAsset(request) }
    on(.get, "/repos/octocat/anvil/releases/assets/1") { api, request in api.sendAsset(request) }
  }

  /// The number of tokens issued so far.
  var tokenCount: Int { state.withLock(\.tokenCount) }

  /// The `Range` of each request for the asset; empty for a request without one.
  var assetRanges: [String] { state.withLock(\.assetRanges) }

  /// Rejects the current token from now on.
  func expireToken() {
    state.withLock { $0.validToken = nil }
  }

  private func issueToken() -> String {
    state.withLock { state in
      state.tokenCount += 1
      let token = "token-\(state.tokenCount)"
      state.validToken = token
      return token
    }
  }

  /// Answers requests that have the current token, and others with 401.
  private func on(
    _ method: HTTP.Method, _ pattern: String,
    _ handler: @escaping @Sendable (GitHubServer, LoopbackServer.Request) -> LoopbackServer.Reply
  ) {
    server.on(method, pattern) { [unowned self] request in
      guard let token = state.withLock(\.validToken), request.headers[.authorization]?.rawValue == "Bearer \(token)"
      else { return .json(#"{"message": "Bad credentials"}"#, status: .clientError(.unauthorized)) }
      return handler(self, request)
    }
  }

  /// Two repositories on each page, and a link to the next page on all but the last.
  private func repositories(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
    let all = ["anvil", "bellows", "hammer", "quench", "tongs"].enumerated().map {
      #"{"name": "\#($1)", "stargazers_count": \#(10 * ($0 + 1))}"#
    }
    let page = request.query["page"].flatMap { Int($0) } ?? 1
    var headers: HTTP.Headers = [:]
    if 2 * page < all.count {
      headers[.link] = "<\(server.url("/users/octocat/repos?per_page=2&page=\(page + 1)"))>; rel=\"next\""
    }
    return .json("[\(all.dropFirst(2 * (page - 1)).prefix(2).joined(separator: ", "))]", headers: headers)
  }

  private func receiveAsset(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
    guard let name = request.query["name"], !request.body.isEmpty else {
      return .json(#"{"message": "Validation Failed"}"#, status: .clientError(.unprocessableContent))
    }
    state.withLock { $0.asset = request.body }
    return .json(#"{"id": 1, "name": "\#(name)", "size": \#(request.body.count)}"#, status: .success(.created))
  }

  /// Closes the connection in the middle of the first response, and sends the rest in reply to a range request.
  private func sendAsset(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
    let range = request.headers[.range]?.rawValue ?? ""
    let asset = state.withLock { state in
      state.assetRanges.append(range)
      return state.asset
    }
    let half = asset.count / 2
    guard range == "bytes=\(half)-", request.headers[.ifRange] == "\"v1\"" else {
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(asset.count)\r\nETag: \"v1\"\r\n\r\n"
      return .raw([.send(Data(head.utf8) + asset.prefix(half)), .close])
    }
    return .status(
      .success(.partialContent),
      headers: [.eTag: "\"v1\"", .contentRange: "bytes \(half)-\(asset.count - 1)/\(asset.count)"],
      body: Data(asset.dropFirst(half)))
  }
}
