import Anvil
import AnvilHTTP
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilCommands

/// Texts of a server that would control a terminal.
@Suite(.timeLimit(.minutes(15)))
struct TerminalTextTests {
  private static let json = "{\"k\\u009b\":\"\u{7F}\u{9B}31m\",\"s\":\"a\\u001b[31m\\n\\tb\\r\\nc\u{9B}é\"}"

  @Test func stringAtAPathIsEscaped() async throws {
    let server = try server(json: Self.json)
    let arguments = ["get", server.argument(), "--path", "s"]
    let person = await anvil(arguments: arguments, reader: .person)
    #expect(person == Outcome(status: 0, output: "a\\u{1b}[31m\n\tb\r\nc\\u{9b}é\n", error: ""))
    #expect(await anvil(arguments: arguments).output == "a\u{1B}[31m\n\tb\r\nc\u{9B}é\n")
    let forced = await anvil(arguments: arguments + ["-o", "-"], reader: .person)
    #expect(forced.output == "a\u{1B}[31m\n\tb\r\nc\u{9B}é\n")
  }

  @Test(arguments: ["never", "always"]) func jsonIsEscaped(color: String) async throws {
    let server = try server(json: Self.json)
    let target = server.argument()
    let person = await anvil(arguments: ["get", target, "--color", color], reader: .person).output
    #expect(person.contains(#""k\u009b""#) && person.contains(#""\u007f\u009b31m""#) && person.contains("é"))
    #expect(!person.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
    #expect(await anvil("get", target).output == Self.json)
    #expect(await anvil("get", target, "--raw", reader: .person).output == Self.json + "\n")
  }

  @Test(arguments: ["never", "always"]) func jsonThatDeceivesAReaderIsEscaped(color: String) async throws {
    let text = "{\"a\u{202E}\":\"gpj.exe\u{2066}\u{200B}\u{E0041}\u{2028}é👩‍👧\"}"
    let server = try server(json: text)
    let target = server.argument()
    let person = await anvil(arguments: ["get", target, "--color", color], reader: .person).output
    #expect(person.contains(#""a\u202e""#))
    #expect(person.contains(#""gpj.exe\u2066\u200b\udb40\udc41\u2028é👩‍👧""#))
    #expect(await anvil("get", target).output == text)
  }

  @Test(arguments: [("text/event-stream", "data: a\u{1B}[2J\tb\n\n"), ("application/x-ndjson", "a\u{1B}[2J\tb\n")])
  func linesAreEscaped(type: String, body: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .chunked([Data(body.utf8)], headers: ["Content-Type": HTTP.HeaderValue(rawValue: type)])
    }
    #expect(await anvil("get", server.argument(), reader: .person).output == "a\\u{1b}[2J\tb\n")
    #expect(await anvil("get", server.argument()).output == body)
  }

  @Test(arguments: [
    (["a\u{1B}]0;title\u{7}\r\n\tb\rc\u{9B}é\n"], "a\\u{1b}]0;title\\u{7}\r\n\tb\\u{d}c\\u{9b}é\n"),
    (["[\"\u{9B}", "\u{7F}\"\u{1B}"], "[\"\\u{9b}\\u{7f}\"\\u{1b}\n"), (["a\r", "\nb\r"], "a\r\nb\\u{d}\n"),
  ])
  func textIsEscaped(body: [String], printed: String) async throws {
    let server = try LoopbackServer()
    let chunks = body.map { Data($0.utf8) }
    server.on(.get, "/") { _ in .chunked(chunks, headers: ["Content-Type": "text/plain"]) }
    #expect(await anvil("get", server.argument(), reader: .person).output == printed)
    #expect(await anvil("get", server.argument()).output == body.joined())
    #expect(await anvil("get", server.argument(), "-o", "-", reader: .person).output == body.joined())
  }

  @Test func chunksMayEndWithinCharacters() {
    let text = Data("a\u{9B}é€\u{1F600}\r\n\rb\u{1B}".utf8)
    for size in 1...text.count {
      var terminal = TerminalText()
      var output = Data()
      for start in stride(from: 0, to: text.count, by: size) {
        output += terminal.append(text[start..<min(start + size, text.count)])
      }
      output += terminal.finish()
      #expect(String(decoding: output, as: UTF8.self) == "a\\u{9b}é€\u{1F600}\r\n\\u{d}b\\u{1b}")
    }
  }

  @Test(arguments: [("a\u{1B}[2J\r\nb", "a\\u{1b}[2J\r\nb\n"), ("[\"\u{9B}\"]", "[\n  \"\\u009b\"\n]\n")])
  func bodyOfAFailureIsEscaped(body: String, printed: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text(body, status: 400) }
    #expect(await anvil("get", server.argument(), reader: .person).error.hasSuffix("\n" + printed))
    #expect(await anvil("get", server.argument()).error.hasSuffix("\n" + body + "\n"))
  }

  @Test(arguments: [["--path", "[0].a"], ["--table"]])
  func bodyBeyondTheLimitIsRejected(options: [String]) async throws {
    try await expectLimit(options, headers: [:], parts: [#"[{"a":"#, "123}]"], size: 11)
  }

  @Test func tableOfAStreamBeyondTheLimitIsRejected() async throws {
    try await expectLimit(
      ["--table"], headers: [.contentType: "application/x-ndjson"], parts: ["{\"a\":1}\n", "{\"a\":2}\n"], size: 14)
  }

  /// Expects that a body in `parts` is printed with the limit `size`, and refused with a lower one.
  private func expectLimit(
    _ options: [String], headers: HTTP.Headers, parts: [String], size: Int
  ) async throws {
    let url = try #require(URL(string: "http://localhost"))
    let error = Mutex("")
    let console = Console(
      output: .pipe { _ in }, error: .pipe { data in error.withLock { $0 += String(decoding: data, as: UTF8.self) } })
    let arguments = try ArgumentParser(options, of: RequestEntries.options)
    var printer = ResponsePrinter(
      options: try OutputOptions(arguments, isHead: false, console: console), console: console)
    for (limit, status) in [(size, ExitStatus.success), (size - 1, .decoding)] {
      printer.selectedSizeLimit = limit
      let chunks = AsyncStream<Data> { continuation in
        for part in parts { continuation.yield(Data(part.utf8)) }
        continuation.finish()
      }
      let response = HTTP.Response(
        request: HTTP.Request(url: url), status: .success(.ok), headers: headers, body: .stream(chunks))
      #expect(try await printer.print(response) == status)
      #expect(error.withLock { $0 }.isEmpty == (status == .success))
    }
    let reason = "more than \(size - 1) bytes, the limit of --path and --table: --output FILE saves it"
    #expect(error.withLock { $0 }.contains(reason))
  }
}
