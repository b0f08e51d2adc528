import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCommands

/// Items of the query, removed fields, files of forms, and the curl command for them.
@Suite(.timeLimit(.minutes(15)))
struct GetOperandTests {
  private let server: LoopbackServer
  private let folder: TemporaryFolder

  init() throws {
    server = try LoopbackServer()
    folder = try TemporaryFolder()
    for method: HTTP.Method in [.get, .post, .put] { server.on(method, "/*") { _ in .status(204) } }
  }

  private func send(_ arguments: String...) async throws -> LoopbackServer.Request {
    #expect(await anvil(arguments: arguments) == Outcome(status: 0, output: "", error: ""))
    return try #require(server.requests.last)
  }

  // MARK: The query and the method

  @Test(arguments: [
    ("/", ["q==1"], "/?q=1"), ("/?a=b", ["q==a b&c", "q==é"], "/?a=b&q=a%20b%26c&q=%C3%A9"), ("/?", ["q=="], "/?q="),
    ("/p#top", ["q===x"], "/p?q=%3Dx"), ("/?a=%20+&", ["filter[x]==1"], "/?a=%20+&filter%5Bx%5D=1"),
    ("/", ["$top==5", "a.b==@c"], "/?%24top=5&a.b=%40c"),
  ])
  func twoEqualsSignsAddToTheQuery(target: String, items: [String], sent: String) async throws {
    #expect(await anvil(arguments: ["get", server.argument(target)] + items).status == 0)
    let request = try #require(server.requests.last)
    #expect(request.method == .get && request.target == sent && request.body.isEmpty)
  }

  @Test func itemsMayPrecedeTheURLAndAccompanyABody() async throws {
    let request = try await send("post", "q==1", server.argument("/"), "name=ada")
    #expect(request.target == "/?q=1")
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"name":"ada"}"#)
  }

  @Test func namedMethodStaysWithMembers() async throws {
    let request = try await send("get", server.argument("/"), "id=3")
    #expect(request.method == .get)
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"id":"3"}"#)
    #expect(try await send("get", server.argument("/"), "id=3", "-X", "PUT").method == .put)
  }

  // MARK: Fields

  #if os(Linux)
  @Test(arguments: ["Accept", "user-agent", "Accept-Encoding"])
  func fieldWithoutAValueIsRemoved(name: String) async throws {
    #expect(try await send("get", server.argument("/")).headers.contains(HTTP.HeaderKey(rawValue: name)))
    for option in ["\(name):", "\(name): "] {
      let request = try await send("get", server.argument("/"), "-H", option)
      #expect(!request.headers.contains(HTTP.HeaderKey(rawValue: name)))
    }
    #expect(
      try await send("get", server.argument("/"), "-H", "\(name):", "-H", "\(name): x").headers.values(
        for: HTTP.HeaderKey(rawValue: name)) == ["x"])
  }

  @Test func mediaTypeOfTheBodyCanBeRemoved() async throws {
    let request = try await send("post", server.argument("/"), "a=1", "-H", "Content-Type:")
    #expect(!request.headers.contains(.contentType) && !request.body.isEmpty)
  }

  @Test func removedFieldIsInTheCurlCommand() async {
    #expect(
      await anvil("get", "http://h/", "-H", "Accept:", "--curl").output
        == "curl http://h/ -H Accept:\n".replacing("http://h/", with: "'http://h/'").replacing(
          "Accept:", with: "'Accept:'"))
  }
  #endif

  @Test func semicolonSendsAnEmptyField() async throws {
    #expect(try await send("get", server.argument("/"), "-H", "X-Empty;").headers["X-Empty"] == "")
    #expect(await anvil("get", server.argument("/"), "-H", "X-Odd").status == 64)
  }

  @Test func fieldsOfTheOtherTransportCannotBeRemoved() async {
    let outcome = await anvil("get", server.argument("/"), "--transport", "urlsession", "-H", "Accept:")
    #expect(outcome.status == 64 && outcome.error.contains("needs the transport curl"))
  }

  // MARK: Files of forms

  @Test(arguments: [
    (";type=text/own;filename=b.txt", "b.txt", "text/own"), (";filename=b.txt;type=text/own", "b.txt", "text/own"),
    (";filename=b.csv", "b.csv", "text/csv"),
    (";type=text/plain; charset=utf-8;filename=x", "x", "text/plain; charset=utf-8"),
    (#";filename="a;type=b\".txt""#, "a;type=b%22.txt", "text/plain"),
    ("; filename=b", "b", "application/octet-stream"),
    (";type=text/own", "a.bin", "text/own"), ("", "a.bin", "application/octet-stream"),
  ])
  func filesHaveParameters(parameters: String, filename: String, type: String) async throws {
    let file = folder.path("a.bin")
    try Data("1".utf8).write(to: URL(filePath: file))
    for described in ["@\(file)\(parameters)", "@\"\(file)\"\(parameters)"] {
      let request = try await send("post", server.argument("/"), "-F", "f=\(described)")
      let body = String(decoding: request.body, as: UTF8.self)
      #expect(body.contains("name=\"f\"; filename=\"\(filename)\"\r\nContent-Type: \(type)\r\n"), "\(body)")
    }
  }

  @Test(arguments: [(";type=", "type= has no value"), (";type=a/b;type=c/d", "type= is given twice")])
  func invalidParametersAreReported(parameters: String, message: String) async {
    let outcome = await anvil("post", server.argument("/"), "-F", "f=@a\(parameters)")
    #expect(outcome.status == 64 && outcome.error.hasPrefix("anvil: --multipart: \(message)\n"))
  }

  @Test func standardInputMayHaveAName() async throws {
    _ = await anvil(arguments: ["post", server.argument("/"), "-F", "f=@-;filename=a.json"], input: "1")
    let body = String(decoding: try #require(server.requests.last).body, as: UTF8.self)
    #expect(body.contains("filename=\"a.json\"\r\nContent-Type: application/json\r\n\r\n1"))
    let twice = await anvil("post", server.argument("/"), "-F", "f=@-;filename=a", "-F", "g=@-")
    #expect(twice.error.contains("standard input can be read only once"))
  }

  // MARK: curl

  private static let curl = ["/usr/bin/curl", "/opt/homebrew/bin/curl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The request that curl sends has the target, the method and the body of the tool's own.
  @Test(
    .enabled(if: curl != nil, "curl is not installed"),
    arguments: [
      ["get", "/a/../b/./c"], ["get", "/a/%2e%2E/b"], ["get", "/x?f[]=1&g={a,b}"], ["get", "/", "a=1"], ["post", "/"],
      ["post", "/", "-d", "a=1\n&b='2'"], ["put", "/", "-d", "@FILE"], ["post", "/", "name=@FILE"],
      ["post", "/", "-d", "@x"],
      ["post", "/", "--form", "a=x y"], ["post", "/..", "-d", "x"], ["post", "/", "-H", "Content-Type:", "-d", "x"],
    ])
  func curlSendsTheSameRequest(arguments: [String]) async throws {
    let file = folder.path("a.txt")
    try Data("f;\"1".utf8).write(to: URL(filePath: file))
    try Data("at".utf8).write(to: URL(filePath: folder.path("x")))
    var words = arguments.map { $0.replacing("FILE", with: file).replacing("@x", with: "@\(folder.path("x"))") }
    words[1] = "http://127.0.0.1:\(server.port)\(words[1])"
    let own = await anvil(arguments: words)
    #expect(own.status == 0, "\(own)")
    let line = await anvil(arguments: words + ["--curl"]).output
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line.replacing("curl ", with: "\(Self.curl ?? "") -s ", maxReplacements: 1)]
    try process.run()
    await waitUntil { !process.isRunning }
    #expect(process.terminationStatus == 0, "\(line)")
    let requests = server.requests.suffix(2)
    let (first, second) = (try #require(requests.first), try #require(requests.last))
    #expect(server.requests.count == 2)
    #expect(first.target == second.target && first.method == second.method && first.body == second.body, "\(line)")
    #expect(first.headers[.contentType] == second.headers[.contentType])
  }

  @Test(.enabled(if: curl != nil, "curl is not installed")) func curlSendsTheSameForm() async throws {
    let file = folder.path("a;b.txt")
    try Data("1".utf8).write(to: URL(filePath: folder.path("a;b.txt")))
    let line = await anvil(
      "post", server.argument("/"), "-F", "t=@x".replacing("@", with: "\\@"), "-F", #"f=@"\#(file)";filename=c"d.csv"#,
      "-F", "password=t0p", "--curl"
    ).output
    #expect(!line.contains("t0p"))
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line.replacing("curl ", with: "\(Self.curl ?? "") -s ", maxReplacements: 1)]
    try process.run()
    await waitUntil { !process.isRunning }
    let body = String(decoding: try #require(server.requests.last).body, as: UTF8.self)
    #expect(body.contains("name=\"t\"\r\n\r\n@x\r\n"))
    #expect(body.contains("Content-Type: text/csv\r\n\r\n1\r\n"), "\(line) \(body)")
  }

  @Test func optionsPrecedeTheCommentAboutABody() async throws {
    let file = folder.path("a")
    try Data([0xFF, 0]).write(to: URL(filePath: file))
    let line = await anvil("post", "http://h/", "-d", "@\(file)", "--gzip", "-k", "--curl").output
    #expect(
      !line.contains("#")
        || line.firstRange(of: "-k").map { $0.lowerBound < (line.firstIndex(of: "#") ?? line.endIndex) } == true)
  }
}
