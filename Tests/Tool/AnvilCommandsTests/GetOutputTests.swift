import AnvilCommands
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// The output of a success.
@Suite(.timeLimit(.minutes(15)))
struct GetOutputTests {
  static let repository =
    #"{ "id":12345678901234567890,"ratio":1.50e+3, "owner" : {"login":"oct\u00f6cat","meta":{ },"tags":[]},"#
    + #""items":[{"name":"a, [b]"},{"name":"\"c\"\n"}],"ok":true,"none":null,"a.b":{"[0]":1}}"#

  @Test func pipeReceivesTheExactBytes() async throws {
    let server = try server(json: Self.repository)
    #expect(await anvil("get", server.argument()) == Outcome(status: 0, output: Self.repository, error: ""))
  }

  @Test func pipeReceivesBinaryData() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(200, body: Data([0xFF, 0x00])) }
    #expect(await anvil("get", server.argument()).output == "\u{FFFD}\0")
  }

  @Test func jsonIsIndentedOnATerminal() async throws {
    let server = try server(json: Self.repository)
    let pretty = #"""
      {
        "id": 12345678901234567890,
        "ratio": 1.50e+3,
        "owner": {
          "login": "octöcat",
          "meta": {},
          "tags": []
        },
        "items": [
          {
            "name": "a, [b]"
          },
          {
            "name": "\"c\"\n"
          }
        ],
        "ok": true,
        "none": null,
        "a.b": {
          "[0]": 1
        }
      }

      """#
    #expect(await anvil("get", server.argument(), reader: .person) == Outcome(status: 0, output: pretty, error: ""))
  }

  @Test(arguments: [
    ("plain", "plain\n"), ("ended\n", "ended\n"), ("", ""), ("{\"half\": ", "{\"half\": \n"), (" 1 ", " 1 \n"),
    ("[ 1 ]", "[\n  1\n]\n"),
  ])
  func textOnATerminalEndsWithALineEnd(body: String, printed: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text(body) }
    #expect(
      await anvil("get", server.argument(), reader: .person) == Outcome(status: 0, output: printed, error: ""))
  }

  @Test(arguments: [
    ("id", "12345678901234567890"),
    ("ratio", "1.50e+3"),
    ("owner.login", "octöcat"),
    (".owner.login", "octöcat"),
    ("owner.meta", "{}"),
    ("owner", #"{"login":"octöcat","meta":{},"tags":[]}"#),
    ("items", #"[{"name":"a, [b]"},{"name":"\"c\"\n"}]"#),
    ("items[0].name", "a, [b]"),
    ("items.1.name", "\"c\"\n"),
    (".items.[1]", #"{"name":"\"c\"\n"}"#),
    ("ok", "true"),
    ("none", "null"),
    (#"["a.b"]["[0]"]"#, "1"),
    (#"["\u006fk"]"#, "true"),
  ])
  func valueAtAPathIsPrintedInOneLine(path: String, printed: String) async throws {
    let server = try server(json: Self.repository)
    let outcome = await anvil("get", server.argument(), "--path", path)
    #expect(outcome == Outcome(status: 0, output: printed + "\n", error: ""))
  }

  @Test func pathOfADotSelectsTheDocument() async throws {
    let server = try server(json: " [1] ")
    #expect(await anvil("get", server.argument(), "--path", ".").output == "[1]\n")
  }

  @Test(arguments: [
    ("owner", "{\n  \"login\": \"octöcat\",\n  \"meta\": {},\n  \"tags\": []\n}\n"),
    ("owner.tags", "[]\n"), ("owner.login", "octöcat\n"), ("none", "null\n"),
  ])
  func valuesAtAPathArePrettyPrintedOnATerminal(path: String, printed: String) async throws {
    let server = try server(json: Self.repository)
    let outcome = await anvil("get", server.argument(), "--path=\(path)", reader: .person)
    #expect(outcome == Outcome(status: 0, output: printed, error: ""))
  }

  @Test func pathSelectsTheFirstOfRepeatedKeysAndAllArePrinted() async throws {
    let server = try server(json: #"{"b":0,"a":1,"a":2}"#)
    #expect(await anvil("get", server.argument(), "--path", "a").output == "1\n")
    #expect(await anvil("get", server.argument(), "--path", ".").output == #"{"b":0,"a":1,"a":2}"# + "\n")
    #expect(
      await anvil("get", server.argument(), reader: .person).output
        == "{\n  \"b\": 0,\n  \"a\": 1,\n  \"a\": 2\n}\n")
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "1.0", "1.50", "0.10", "1E+2", "-0.5e-7", "1e400", "9007199254740993", "1152921504606846976",
    "-9223372036854775809", "18446744073709551616", "100000000000000000000000000000000000000000001",
    "0.1000000000000000055511151231257827021181583404541015625",
  ])
  func numbersKeepTheirDigits(number: String) async throws {
    let server = try server(json: #"{"n": \#(number)}"#)
    #expect(await anvil("get", server.argument(), "--path", "n").output == "\(number)\n")
    #expect(await anvil("get", server.argument(), "--path", ".").output == "{\"n\":\(number)}\n")
    #expect(await anvil("get", server.argument(), reader: .person).output == "{\n  \"n\": \(number)\n}\n")
  }

  @Test(arguments: [
    (#""a\u00e9\ud83d\ude00\t\"\\\/""#, "aé😀\t\"\\/"), (#""""#, ""), (#""é""#, "é"), (#""null""#, "null"),
    (#""a\u0000b""#, "a\0b"),
  ])
  func stringsArePrintedWithoutEscapes(literal: String, printed: String) async throws {
    let server = try server(json: "[\(literal)]")
    #expect(await anvil("get", server.argument(), "--path", "[0]").output == printed + "\n")
  }

  @Test func controlCharactersStayEscapedInJSON() async throws {
    let server = try server(json: #"{"s": "\u001b[31m\u0000\n\/"}"#)
    #expect(await anvil("get", server.argument(), "--path", ".").output == #"{"s":"\u001b[31m\u0000\n/"}"# + "\n")
  }

  @Test func keysAreComparedByUnicodeScalars() async throws {
    let server = try server(json: #"{"e\u0301": "two scalars", "\u00e9": "one"}"#)
    #expect(await anvil("get", server.argument(), "--path", "\u{E9}").output == "one\n")
    #expect(await anvil("get", server.argument(), "--path", "e\u{301}").output == "two scalars\n")
  }

  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32])
  func otherEncodingsArePrintedInUTF8(encoding: String.Encoding) async throws {
    let body = try #require(#"{"name": "öre"}"#.data(using: encoding))
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(200, body: body) }
    #expect(await anvil("get", server.argument(), "--path", "name").output == "öre\n")
  }

  @Test func byteOrderMarkIsSkipped() async throws {
    let server = try server(json: "\u{FEFF}[1]")
    #expect(await anvil("get", server.argument(), "--path", ".").output == "[1]\n")
  }

  @Test func nameOfDigitsIsAKeyInAnObject() async throws {
    let server = try server(json: #"{"0":"zero"}"#)
    #expect(await anvil("get", server.argument(), "--path", "0").output == "zero\n")
  }

  @Test func includePrintsTheHeadFirst() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json("[1]", headers: ["X-Token": "t", "Set-Cookie": "sid=1"]) }
    let head = "HTTP 200 OK\nContent-Length: 3\nContent-Type: application/json\nSet-Cookie: sid=1\nX-Token: t\n\n"
    #expect(
      await anvil("get", "-i", server.argument()) == Outcome(status: 0, output: head + "[1]", error: ""))
    #expect(await anvil("get", "--include", server.argument(), "--path", "[0]").output == head + "1\n")
  }

  @Test func verboseShowsBothHeadsWithoutSecrets() async throws {
    let server = try LoopbackServer()
    server.on(.post, "/login") { _ in
      .json("{}", status: 201, headers: ["Set-Cookie": "sid=s1", "X-Session-Token": "s2", "X-Version": "v1"])
    }
    let target = server.argument("/login?page=2&api_key=s3&key&x=")
    let outcome = await anvil(
      "get", "-v", "-X", "POST", target.replacing("http://", with: "http://me:s4@"), "-H", "Authorization: Bearer s5",
      "-H", "cookie: s6", "-H", "Proxy-Authorization: s7", "-H", "X-Client-Secret: s8", "-H", "X-PASSWORD: s9",
      "-H", "Accept: text/plain")
    #expect(outcome.output == "{}")
    let lines = outcome.error.split(separator: "\n").map(String.init)
    #expect(
      lines.first == "> POST /login?page=<redacted>&api_key=<redacted>&<redacted>&x=<redacted> HTTP/1.1")
    for line in [
      "> Host: 127.0.0.1:\(server.port)", "> Authorization: <redacted>", "> cookie: <redacted>",
      "> X-Client-Secret: <redacted>", "> X-PASSWORD: <redacted>", "> Accept: text/plain", "> Content-Length: 0",
      "> User-Agent: Anvil/\(AnvilCommand.version)", "< HTTP/1.1 201 Created", "< Set-Cookie: <redacted>",
      "< X-Session-Token: <redacted>", "< Content-Type: application/json", "< Content-Length: 2",
    ] { #expect(lines.contains { $0.lowercased() == line.lowercased() }, "\(line)") }
    #expect(lines.last?.hasPrefix("* 127.0.0.1, http/1.1, new connection, ") == true)
    for secret in (1...9).map({ "s\($0)" }) { #expect(!outcome.error.contains(secret)) }
  }

  @Test func showSecretsPrintsSecrets() async throws {
    let server = try server(json: "{}")
    let outcome = await anvil(
      "get", "-v", "--show-secrets", server.argument("/?api_key=s1"), "-H", "X-Secret: s2", "--bearer", "s3")
    #expect(outcome.error.contains("> GET /?api_key=s1 HTTP/1.1\n"))
    #expect(outcome.error.contains("> X-Secret: s2\n") && outcome.error.contains("> Authorization: Bearer s3\n"))
  }
}
