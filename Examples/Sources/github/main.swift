import Anvil
import AnvilTesting
import Foundation

let api = try GitHubServer()
let github = GitHub(Gateway(baseURL: api.server.url), refreshToken: "the refresh token")

for login in ["octocat", "nobody", "broken"] {
  do {
    let user = try await github.user(login)
    print("user \(user.id): \(user.login), \(user.publicRepos) repositories")
  } catch {
    switch error {
    case .notFound: print("not found: \(login)")
    case .refused(let message): print("refused: \(message)")
    case .undecodable(let failure): print("undecodable: \(failure)")
    case .network(let failure): print("network: \(failure)")
    }
  }
}

// The same client without a network: the gateway is the only thing that changes.
let stub = StubSession()
stub.on("tokens", where: { $0.method == .post }) { _ in .json(#"{"access_token": "t"}"#) }
stub.on("users", where: { $0.headers[.authorization] == "Bearer t" }) { _ in
  .json(#"{"id": 2, "login": "stub", "public_repos": 0}"#)
}
let offline = GitHub(Gateway("https://api.github.com", session: stub), refreshToken: "none")
print("user \(try await offline.user("anyone").id) of the stub, \(stub.requests.count) requests")

api.expireToken()
let tokenCount = api.tokenCount
try await withThrowingTaskGroup(of: User.self) { group in
  for _ in 1...10 { group.addTask { try await github.user("octocat") } }
  var users: [User] = []
  for try await user in group { users.append(user) }
  print("expired token: \(users.count) calls, \(api.tokenCount - tokenCount) refresh")
}

let repositories = try await github.repositories(of: "octocat")
let pages = api.server.requests.filter { $0.path == "/users/octocat/repos" }.count
print("\(repositories.count) repositories on \(pages) pages: \(repositories.map(\.name).joined(separator: ", "))")

let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-github-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let source = folder.appending(path: "source.tgz")
let copy = folder.appending(path: "copy.tgz")
try Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: source)

let release = Release(owner: "octocat", repository: "anvil", id: 7)
let asset = try await github.upload(source.path(), as: "anvil.tgz", to: release) { progress in
  if progress.direction == .sent, progress.fraction == 1 { print("sent \(progress.byteCount) bytes") }
}
print("uploaded \(asset.name): \(asset.size) bytes")

let empty = folder.appending(path: "empty.tgz")
try Data().write(to: empty)
do {
  _ = try await github.upload(empty.path(), as: "empty.tgz", to: release)
} catch .refused(let message) {
  print("refused: \(message)")
}

try await github.download(asset, of: release, to: copy.path()) { progress in
  if progress.fraction == 1 { print("received \(progress.byteCount) bytes") }
}
print("download resumed with \(api.assetRanges.last ?? "")")
print("same bytes: \(try Data(contentsOf: source) == Data(contentsOf: copy))")
