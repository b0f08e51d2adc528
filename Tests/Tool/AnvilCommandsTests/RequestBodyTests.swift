import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCommands

/// The bodies that the server receives.
@Suite(.timeLimit(.minutes(15)))
struct RequestBodyTests {
  private let server: LoopbackServer
  private let folder: TemporaryFolder

  init() throws {
    server = try LoopbackServer()
    folder = try TemporaryFolder()
    for method: HTTP.Method in [.get, .post, .put, .patch, .delete] {
      server.on(method, "/*") { _ in .status(204) }
    }
  }

  private func send(_ arguments: [String], input: String = "") async throws -> LoopbackServer.Request {
    let outcome = await anvil(arguments: arguments, input: input)
    #expect(outcome == Outcome(status: 0, output: "", error: ""))
    return try #require(server.requests.last)
  }

  @Test(arguments: ["post", "put", "patch", "delete"])
  func commandDeterminesTheMethod(name: String) async throws {
    let request = try await send([name, server.argument(), "-d", "x"])
    #expect(request.method.rawValue == name.uppercased())
    #expect(String(decoding: request.body, as: UTF8.self) == "x")
  }

  @Test(arguments: [
    ["-d", "x"], ["--json", "{}"], ["--form", "a=1"], ["-F", "a=1"], ["a=1"], ["a=1", "--gzip"], ["--json", "a=1"],
  ])
  func getWithABodyIsAGet(body: [String]) async throws {
    let request = try await send(["get", server.argument()] + body)
    #expect(request.method == .get && !request.body.isEmpty)
    #expect(try await send(["get", server.argument(), "-X", "POST"] + body).method == .post)
  }

  @Test func dataIsAFormUnlessAMediaTypeIsGiven() async throws {
    let request = try await send(["post", server.argument(), "-d", "a=1", "-d", "b=é"])
    #expect(String(decoding: request.body, as: UTF8.self) == "a=1&b=é")
    #expect(request.headers[.contentType] == .applicationFormURLEncoded)
    let typed = try await send(["post", server.argument(), "-d", "<a/>", "-H", "Content-Type: application/xml"])
    #expect(typed.headers.values(for: .contentType) == ["application/xml"])
  }

  @Test(arguments: [("a.json", "application/json"), ("a.bin", "application/octet-stream"), ("a.CSV", "text/csv")])
  func fileIsSentWithoutChanges(name: String, type: String) async throws {
    let file = folder.path(name)
    try Data("a\r\nb\n".utf8).write(to: URL(filePath: file))
    let request = try await send(["put", server.argument(), "-d", "@\(file)"])
    #expect(String(decoding: request.body, as: UTF8.self) == "a\r\nb\n")
    #expect(request.headers[.contentType]?.rawValue == type)
    #expect(request.headers[.contentLength] == "5")
  }

  @Test func dataIsReadFromStandardInput() async throws {
    let request = try await send(["post", server.argument(), "-d", "@-"], input: "typed\n")
    #expect(String(decoding: request.body, as: UTF8.self) == "typed\n")
  }

  @Test(arguments: [
    (["--json", "name=ada", "URL", "age:=3"], #"{"name":"ada","age":3}"#),
    (["URL", "name=ada", "age:=3"], #"{"name":"ada","age":3}"#),
    (
      ["URL", "a=\"q\"", "b:=[1, {\"c\": 1.50}]", "url=http://x/?y=1", "empty="],
      #"{"a":"\"q\"","b":[1,{"c":1.50}],"url":"http://x/?y=1","empty":""}"#
    ),
    (["--json", "name=ada", "--json", "ok:=true", "URL"], #"{"name":"ada","ok":true}"#),
    (["--json", "[1]", "URL"], "[1]"),
    (["--json", "@-", "URL"], #"{"in": 1}"#),
    (["URL", "text=@-"], #"{"text":"{\"in\": 1}"}"#),
    (["URL", #"text=\@ada"#, #"path=\\@a\@"#], #"{"text":"@ada","path":"\\\\@a\\@"}"#),
  ])
  func membersFormAJSONBody(arguments: [String], body: String) async throws {
    let words = arguments.map { $0 == "URL" ? server.argument("/p?q=1") : $0 }
    let request = try await send(["post"] + words, input: #"{"in": 1}"#)
    #expect(String(decoding: request.body, as: UTF8.self) == body)
    #expect(request.headers[.contentType] == .applicationJSON)
    #expect(request.target == "/p?q=1")
  }

  @Test func formIsEncoded() async throws {
    let request = try await send(["post", server.argument(), "--form", "a=x y&", "--form", "b=é="])
    #expect(String(decoding: request.body, as: UTF8.self) == "a=x+y%26&b=%C3%A9%3D")
    #expect(request.headers[.contentType] == .applicationFormURLEncoded)
  }

  @Test func multipartHasFieldsAndFiles() async throws {
    let file = folder.path("photo.png")
    try Data([1, 2, 3]).write(to: URL(filePath: file))
    let request = try await send([
      "post", server.argument(), "-F", "title=Sunset", "-F", "photo=@\(file)", "-F", "raw=@\(file);type=image/x-own",
    ])
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(request.headers[.contentType]?.rawValue.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(body.contains("name=\"title\"\r\n\r\nSunset\r\n"))
    #expect(body.contains("name=\"photo\"; filename=\"photo.png\"\r\nContent-Type: image/png\r\n\r\n\u{1}\u{2}\u{3}"))
    #expect(body.contains("Content-Type: image/x-own\r\n"))
  }

  @Test func textOfAPartMayBeginWithAnAtSign() async throws {
    let request = try await send(["post", server.argument(), "-F", #"name=\@ada"#])
    #expect(String(decoding: request.body, as: UTF8.self).contains("\r\n\r\n@ada\r\n"))
  }

  @Test(arguments: ["a=@", "a:=@"]) func fileOfAMemberMustBeText(field: String) async throws {
    let file = folder.path("a.bin")
    try Data([0x22, 0xFF, 0x22]).write(to: URL(filePath: file))
    let outcome = await anvil("post", server.argument(), field + file)
    #expect(outcome.status == 64 && server.requests.isEmpty)
    #expect(outcome.error.contains("is not UTF-8 text, which JSON requires\n"))
  }

  @Test func gzipCompressesTheBody() async throws {
    let request = try await send(["post", server.argument(), "--gzip", "-d", String(repeating: "a", count: 9_000)])
    #expect(request.headers[.contentEncoding] == .encodingGzip)
    #expect(request.body.prefix(2) == Data([0x1F, 0x8B]) && request.body.count < 100)
  }

  @Test(arguments: [
    (["-d", "x", "--json", "1"], "--data and --json cannot be used together"),
    (["-d", "x", "a=1"], #""a" after the URL is a member of a JSON body and cannot be used with --data"#),
    (["a=1", "a=2"], #"the member "a" is given twice"#),
    (["a:=x"], #"the value of "a" is not JSON: expected a value, found 'x' at line 1, column 1 (byte 0)"#),
    (["--json", "1", "a=1"], #"--json already specifies the whole body; "a" cannot be added"#),
    (["--form", "a"], #"--form "a" is not NAME=VALUE"#),
    (["--gzip"], "--gzip needs a body"),
    (["-d", "@-", "--bearer-file", "-"], "standard input can be read only once"),
  ])
  func invalidBodiesAreReported(arguments: [String], message: String) async {
    let outcome = await anvil(arguments: ["post", server.argument()] + arguments, input: "t")
    #expect(outcome.status == 64)
    #expect(outcome.error.hasPrefix("anvil: \(message)\n"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("localhost:80/a", "http://localhost:80/a"), ("127.0.0.1", "http://127.0.0.1"), ("[::1]:8/x", "http://[::1]:8/x"),
    (":8080/a?b", "http://localhost:8080/a?b"), (":/a", "http://localhost/a"), ("example.com", "https://example.com"),
    ("example.com:8443/a", "https://example.com:8443/a"), ("api.localhost/x", "http://api.localhost/x"),
    ("http://example.com", "http://example.com"), ("HTTPS://a", "HTTPS://a"), ("mailto:a", "mailto:a"),
    ("file:///etc", "file:///etc"), ("localhost.evil.example", "https://localhost.evil.example"),
  ])
  func schemeHasADefault(target: String, url: String) {
    #expect(RequestOperands.withScheme(target) == url)
  }

  @Test func fieldsAreDistinguishedFromURLs() {
    for text in ["a=b", "a:=1", "first name=x", "a-b_c=1"] where !text.contains(" ") { #expect(BodyField(text) != nil) }
    for text in ["http://h/?a=b", "localhost?x=1", "h/a=b", ":8080/?a=b", "=x", "[::1]/a=b", "/a=b"] {
      #expect(BodyField(text) == nil, "\(text)")
    }
  }
}
