import AnvilCommands
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The output of a failure, and the exit status that identifies the layer.
@Suite(.timeLimit(.minutes(15)))
struct GetFailureTests {
  @Test func refusedConnectionHasTheTransportStatus() async throws {
    let server = try LoopbackServer()
    let target = server.argument("/users?q=secret")
    server.stop()
    let outcome = await anvil("get", target)
    #expect(outcome.status == 3)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("anvil: GET \(server.argument("/users"))?q=<redacted> → no connection: "))
    #expect(outcome.error.count { $0.isNewline } == 1)
  }

  @Test func timeoutHasTheTransportStatus() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.neverAnswers) }
    let outcome = await anvil("get", server.argument(), "--timeout", "0.05")
    #expect(outcome.status == 3)
    #expect(outcome.output == "")
    #expect(
      outcome.error.replacing(/\d+\.\d{3} s/, with: "… s")
        == "anvil: GET \(server.argument()) → timed out after … s waiting for the response\n")
  }

  @Test func truncatedBodyIsPrintedAndHasTheTransportStatus() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.truncatedBody) }
    let outcome = await anvil("get", server.argument())
    #expect(outcome.status == 3)
    #expect(outcome.output == "only these")
    #expect(outcome.error.hasPrefix("anvil: GET \(server.argument()) → 200 OK"))
    #expect(outcome.error.contains(", truncated response: "))
    #expect(outcome.error.count { $0.isNewline } == 1)
  }

  @Test func clientErrorPrintsItsBodyToStandardError() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/users/7") { _ in .json(#"{"message":"gone"}"#, status: 404) }
    let line = "anvil: GET \(server.argument("/users/7")) → 404 Not Found application/json\n"
    #expect(
      await anvil("get", server.argument("/users/7"))
        == Outcome(status: 4, output: "", error: line + "{\"message\":\"gone\"}\n"))
    #expect(
      await anvil("get", server.argument("/users/7"), "--path", "id", reader: .person)
        == Outcome(status: 4, output: "", error: line + "{\n  \"message\": \"gone\"\n}\n"))
  }

  @Test func includePrintsTheHeadOfAFailureToo() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("down", status: 503) }
    let outcome = await anvil("get", server.argument(), "-i")
    #expect(outcome.status == 4)
    #expect(
      outcome.output
        == "HTTP 503 Service Unavailable\nContent-Length: 4\nContent-Type: text/plain; charset=utf-8\n\n")
    #expect(
      outcome.error
        == "anvil: GET \(server.argument()) → 503 Service Unavailable text/plain; charset=utf-8\ndown\n")
  }

  @Test func longBodyOfAFailureIsTruncated() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(500, body: Data(repeating: UInt8(ascii: "x"), count: 65_636)) }
    let outcome = await anvil("get", server.argument())
    let shown = String(repeating: "x", count: 65_536)
    #expect(
      outcome.error == """
        anvil: GET \(server.argument()) → 500 Internal Server Error
        \(shown)
        anvil: 100 more bytes of the body are not shown

        """)
  }

  @Test func unfollowedRedirectPrintsItsLocation() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/old") { _ in .status(302, headers: ["Location": "/new?page=1"]) }
    #expect(
      await anvil("get", server.argument("/old"))
        == Outcome(
          status: 4, output: "",
          error: "anvil: GET \(server.argument("/old")) → 302 Found, not followed; Location: /new?page=<redacted>\n"))
    #expect(server.requests.map(\.path) == ["/old"])
  }

  @Test(arguments: [
    ("<p>hi</p>", "the body is not JSON: expected a value, found '<' at line 1, column 1 (byte 0)"),
    (
      "{\n \"a\": 1,\n}",
      "the body is not JSON: expected a key in quotation marks, found '}' at line 3, column 1 (byte 11)"
    ),
    ("{\"a\": [1, 2", "the body is not JSON: unexpected end at line 1, column 12 (byte 11)"),
    ("{\"a\": 1} x", "the body is not JSON: content after the value at line 1, column 10 (byte 9)"),
    (#"{"b": "\ud800"}"#, "the body is not JSON: unpaired surrogate at line 1, column 8 (byte 7)"),
    ("", "the body is empty"),
  ])
  func invalidJSONIsADecodingFailureWithAPath(body: String, reason: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json(body) }
    let line = "anvil: GET \(server.argument()) → 200 OK application/json, \(reason)\n"
    #expect(await anvil("get", server.argument(), "--path", "a") == Outcome(status: 5, output: "", error: line))
    #expect(await anvil("get", server.argument()).status == 0)
  }

  @Test func invalidUTF8IsADecodingFailureWithAPath() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(200, body: Data([0x22, 0x61, 0xFF, 0x22])) }
    let outcome = await anvil("get", server.argument(), "--path", "a")
    #expect(outcome.status == 5)
    #expect(
      outcome.error.hasSuffix("the body is not JSON: invalid text encoding at line 1, column 3 (byte 2)\n"))
  }

  @Test func deepNestingIsADecodingFailure() async throws {
    let server = try server(json: String(repeating: "[", count: 100_000))
    let outcome = await anvil("get", server.argument(), "--path", "a")
    #expect(outcome.status == 5)
    #expect(
      outcome.error.hasSuffix(
        "the body is not JSON: more than 512 nested containers at line 1, column 513 (byte 512)\n"))
    #expect(await anvil("get", server.argument(), reader: .person).output.count == 100_001)
  }

  static let document =
    #"{"owner":{"id":1,"login":"a","url":"u"},"items":[1,2,3],"one":[1],"none":[],"empty":{},"#
    + #""many":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1},"nil":null,"yes":true}"#

  @Test(arguments: [
    ("owner.logn", #"no key "logn" at owner; keys here: id, login, url"#),
    ("ownr.id", #"no key "ownr" at the top level; keys here: owner, items, one, none, empty, many, nil, yes"#),
    ("many.z", #"no key "z" at many; keys here: a, b, c, d, e, f, g, h, i, j and 2 more"#),
    ("empty.a", #"no key "a" at empty; the object is empty"#),
    ("items[3]", "no index 3 at items; the array has 3 elements, from index 0 to 2"),
    ("items.3", "no index 3 at items; the array has 3 elements, from index 0 to 2"),
    ("one[1].a", "no index 1 at one; the array has 1 element, at index 0"),
    ("none[0]", "no index 0 at none; the array is empty"),
    ("items.name", #"no key "name" at items, which is an array; the array has 3 elements, from index 0 to 2"#),
    ("owner[0]", "no index 0 at owner, which is an object; keys here: id, login, url"),
    ("owner.login.x", #"no key "x" at owner.login, which is a string"#),
    (#"owner["id"].x"#, #"no key "x" at owner.id, which is a number"#),
    ("items[1].x", #"no key "x" at items[1], which is a number"#),
    ("nil[0]", "no index 0 at nil, which is null"),
    ("yes.no", #"no key "no" at yes, which is a boolean"#),
    (#"["a.b"]"#, #"no key "a.b" at the top level; keys here: owner, items, one, none, empty, many, nil, yes"#),
  ])
  func pathWithoutAValueIsADecodingFailure(path: String, message: String) async throws {
    let server = try server(json: Self.document)
    let outcome = await anvil("get", server.argument(), "--path", path)
    #expect(outcome == Outcome(status: 5, output: "", error: "anvil: \(message)\n"))
  }

  @Test func keysInErrorsAreEscaped() async throws {
    let server = try server(json: #"{"":1,"a\n\u001b[31m":1}"#)
    #expect(
      await anvil("get", server.argument(), "--path", "b").error
        == "anvil: no key \"b\" at the top level; keys here: \"\", a\\u{a}\\u{1b}[31m\n")
  }

  @Test func outputThatCannotBeWrittenIsReported() async throws {
    struct DiskFull: LocalizedError {
      var errorDescription: String? { "no space left" }
    }
    let server = try server(json: "[]")
    let error = Mutex("")
    for (failure, words) in [(DiskFull() as any Error, "no space left"), (POSIXError(.EBADF), "Bad file descriptor")] {
      let console = Console(
        output: .pipe { _ in throw failure },
        error: .pipe { data in error.withLock { $0 = String(decoding: data, as: UTF8.self) } })
      #expect(await AnvilCommand.run(arguments: ["get", server.argument()], console: console) == 74)
      #expect(error.withLock(\.self) == "anvil: cannot write to standard output: \(words)\n")
    }
  }

  @Test func closedPipeIsNotAFailure() async throws {
    let server = try server(json: "[]")
    let console = Console(output: .pipe { _ in throw POSIXError(.EPIPE) }, error: .pipe { _ in })
    #expect(await AnvilCommand.run(arguments: ["get", server.argument()], console: console) == 0)
  }
}
