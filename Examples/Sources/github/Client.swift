import Anvil

private struct Grant: Decodable { var accessToken: String }

/// A client of a GitHub-like API. Its calls throw `GitHubError`.
struct GitHub: Sendable {
  private let api: TypedGateway<GitHubError>

  /// Creates a client of the API behind `gateway`. The client gets its access tokens with `refreshToken`.
  init(_ gateway: Gateway = Gateway("https://api.github.com"), refreshToken: String) {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    var gateway = gateway
    gateway.headers[.accept] = "application/vnd.github+json"
    gateway.decodingFormat = decoder
    let refresher = TokenRefresher { [gateway] _ in
      let grant = try await gateway.post(
        "login/oauth/access_token", body: ["grant_type": "refresh_token", "refresh_token": refreshToken],
        as: Grant.self)
      return TokenRefresher.Token(grant.accessToken)
    }
    api = gateway.configured { $0.authentication = [.bearer(refresher)] }.failing(as: GitHubError.self)
  }

  /// Returns the user with the name `login`.
  func user(_ login: String) async throws(GitHubError) -> User {
    try await api.get("users/\(login)")
  }

  /// Returns all repositories of `login`, however many pages the list has.
  func repositories(of login: String) async throws(GitHubError) -> [Repository] {
    let request = api.request("users/\(login)/repos", query: ["per_page": 2])
    var repositories: [Repository] = []
    for try await page in request.pages(of: [Repository].self, by: .linkHeader) { repositories += page.value }
    return repositories
  }

  /// Uploads the file at `path` to a release. The file is read as it is sent.
  func upload(
    _ path: String, as name: String, to release: Release, progress: TransferProgress.Handler? = nil
  ) async throws(GitHubError) -> Asset {
    var request = api.request(
      "repos/\(release.owner)/\(release.repository)/releases/\(release.id)/assets", method: .post,
      query: ["name": name])
    request.body = .file(.init(filePath: path), contentType: "application/gzip")
    request.progressHandler = progress
    return try await request.execute()
  }

  /// Downloads `asset` of a release to the file at `path`. A download that is cut short is resumed. Throws `GitHubError`, and
  /// `CancellationError` if the task is cancelled.
  func download(
    _ asset: Asset, of release: Release, to path: String, progress: TransferProgress.Handler? = nil
  ) async throws {
    var request = api.request("repos/\(release.owner)/\(release.repository)/releases/assets/\(asset.id)")
    request.headers[.accept] = .applicationOctetStream
    var options = DownloadOptions()
    options.progressHandler = progress
    try await request.download(to: .init(filePath: path), options: options)
  }
}

struct User: Decodable, Sendable { var id: Int, login: String, publicRepos: Int }
struct Repository: Decodable, Sendable { var name: String, stargazersCount: Int }
struct Release: Sendable { var owner: String, repository: String, id: Int }
struct Asset: Decodable, Sendable { var id: Int, name: String, size: Int }

enum GitHubError: DecodingFailureRepresentable {
  case notFound
  case refused(message: String)
  case undecodable(DecodingFailure)
  case network(TransportFailure)

  private struct Explanation: Decodable { var message: String }

  init(transportFailure failure: TransportFailure) {
    let explanation = try? failure.response?.body.decode(as: Explanation.self)
    switch failure.error.code {
    case .clientError(.notFound): self = .notFound
    case .clientError: self = explanation.map { .refused(message: $0.message) } ?? .network(failure)
    default: self = .network(failure)
    }
  }

  init(decodingFailure failure: DecodingFailure) { self = .undecodable(failure) }
}
