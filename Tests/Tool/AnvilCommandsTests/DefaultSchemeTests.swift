import AnvilHTTP
import AnvilServer
import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilCommands

/// URLs without a scheme, for the commands that take files, too.
@Suite(.timeLimit(.minutes(15)))
struct DefaultSchemeTests {
  private let server: LoopbackServer
  private let folder: TemporaryFolder

  init() throws {
    server = try LoopbackServer()
    folder = try TemporaryFolder()
    server.on(.get, "/users") { _ in .json(#"[{"id": 1}]"#) }
  }

  private func shape() throws -> String {
    try Data("[]".utf8).write(to: folder.url.appending(path: "sample.json"))
    return folder.path("sample.json")
  }

  @Test(arguments: [["shape", "save"], ["model"]], ["127.0.0.1:", "localhost:", ":"])
  func commandsForFilesRequestURLs(command: [String], start: String) async throws {
    let outcome = await anvil(arguments: command + ["\(start)\(server.port)/users"])
    #expect(outcome.status == 0 && outcome.error == "")
    #expect(outcome.output.contains("id"))
    #expect(server.requests.map(\.path) == ["/users"])
  }

  @Test func headersAreSentToTheSameServerOnly() async throws {
    let other = try LoopbackServer()
    other.on(.get, "/users") { _ in .json(#"[{"id": 2}]"#) }
    let outcome = await anvil(
      arguments: [
        "check", "127.0.0.1:\(server.port)/users", "--against", server.url("/users").absoluteString,
        "--against", "127.0.0.1:\(other.port)/users", "-H", "X-Key: k",
      ])
    #expect(outcome == Outcome(status: 0, output: "", error: ""))
    #expect(server.requests.map { $0.headers["X-Key"]?.rawValue } == ["k", "k"])
    #expect(other.requests.map { $0.headers["X-Key"]?.rawValue } == [nil])
  }

  @Test(arguments: [
    (":8080/a", "http://localhost:8080/a"), ("[::1]:8/x", "http://[::1]:8/x"), ("127.0.0.1", "http://127.0.0.1"),
    ("localhost/a?b", "http://localhost/a?b"), ("api.example.com:8443/a", "https://api.example.com:8443/a"),
    ("HTTPS://a", "HTTPS://a"), ("api.example.com/a", nil), ("users.json", nil), ("-", nil), ("v1/a:8080", nil),
    ("ftp://localhost/a", nil), ("localhosts", nil), ("a:8080b", nil),
  ])
  func operandsAreURLsOrFiles(operand: String, url: String?) {
    #expect(DocumentSource.url(operand) == url)
  }

  @Test func filesHavePrecedence() throws {
    let name = "\(UUID().uuidString).localhost"
    #expect(DocumentSource.url(name) == "http://\(name)")
    try Data().write(to: URL(filePath: name))
    defer { try? FileManager.default.removeItem(at: URL(filePath: name)) }
    #expect(DocumentSource.url(name) == nil)
  }

  @Test func missingFileThatLooksLikeAURLHasAHint() async {
    #expect(
      await anvil("shape", "save", "api.example.com/users")
        == Outcome(
          status: 74, output: "",
          error: "anvil: cannot read api.example.com/users: no such file; if it is a URL, begin it with https://\n"))
  }

  @Test(arguments: [
    (":8080", "http://localhost:8080"), ("api.example.com/v1/", "https://api.example.com/v1"),
    ("http://a/", "http://a"),
  ])
  func originsNeedNoScheme(text: String, url: String) throws {
    #expect(try ProxyCommand.origin(text) == url)
  }

  @Test func proxyWithoutAHostIsOnThisMachine() async throws {
    server.on(.get, "http://example.com/a") { _ in .text("proxied") }
    server.onAnythingElse { _ in .text("proxied") }
    let outcome = await anvil("get", "http://example.com/a", "--proxy", ":\(server.port)")
    #expect(outcome == Outcome(status: 0, output: "proxied", error: ""))
  }
}
