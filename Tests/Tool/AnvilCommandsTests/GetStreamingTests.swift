import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilCommands

/// Bodies that are printed or saved as they are received.
@Suite(.timeLimit(.minutes(15)))
struct GetStreamingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Each chunk is sent when the previous one was printed, so that a body that is collected first would never end.
  @Test(arguments: ["text/event-stream", "application/x-ndjson", "text/plain"])
  func chunksArePrintedAsTheyAreReceived(type: String) async throws {
    let printed = Gate()
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .streamed(.success(.ok), headers: ["Content-Type": "\(type)"], length: nil) { [printed] in
        printed.nextChunk()
      }
    }
    let output = Mutex("")
    let console = Console(
      output: .pipe { data in
        output.withLock { $0 += String(decoding: data, as: UTF8.self) }
        printed.open()
      }, error: .pipe { _ in })
    let status = await AnvilCommand.run(arguments: ["get", server.argument()], console: console)
    #expect(status == 0)
    #expect(output.withLock { $0 } == "data: 1\n\ndata: 2\n\ndata: 3\n\n")
  }

  @Test func eventsArePrintedOneByOneOnATerminal() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .chunked(
        ["event: tick\ndata: {\"n\": 1}\n\nda", "ta: two\ndata: lines\n\n"].map { Data($0.utf8) },
        headers: ["Content-Type": "text/event-stream"])
    }
    let outcome = await anvil("get", server.argument(), reader: .person)
    #expect(outcome == Outcome(status: 0, output: "tick {\"n\":1}\ntwo\nlines\n", error: ""))
  }

  @Test func linesArePrintedOneByOneOnATerminal() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .chunked(
        ["{\"n\": 1}\n{\"n\"", ": 2}\nno JSON"].map { Data($0.utf8) },
        headers: ["Content-Type": "application/x-ndjson; charset=utf-8"])
    }
    let outcome = await anvil("get", server.argument(), reader: .person)
    #expect(outcome == Outcome(status: 0, output: "{\"n\":1}\n{\"n\":2}\nno JSON\n", error: ""))
  }

  @Test(arguments: [
    ("text/event-stream", "data: {\"a\": {\"b\": \"x\"}}\n\ndata: {\"a\": {\"b\": 2}}\n\ndata: [DONE]\n\n"),
    ("application/x-ndjson", "{\"a\": {\"b\": \"x\"}}\n\n{\"a\": {\"b\": 2}}\n"),
  ])
  func pathIsAppliedToEachDocument(type: String, body: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .chunked([Data(body.utf8)], headers: ["Content-Type": "\(type)"]) }
    #expect(
      await anvil("get", server.argument(), "--path", "a.b") == Outcome(status: 0, output: "x\n2\n", error: ""))
  }

  @Test(arguments: [
    ("text/event-stream", "data: {\"x\": 1}\n\ndata: {\"a\": 1}\n\nevent: e\ndata: []\n\ndata: {\"a\": 2}\n\n"),
    ("application/x-ndjson", "{\"x\": 1}\n{\"a\": 1}\n[]\n{\"a\": 2}\n"),
  ])
  func documentsWithoutThePathAreSkipped(type: String, body: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .chunked([Data(body.utf8)], headers: ["Content-Type": "\(type)"]) }
    #expect(await anvil("get", server.argument(), "--path", "a") == Outcome(status: 0, output: "1\n2\n", error: ""))
    #expect(
      await anvil("get", server.argument(), "--path", "b")
        == Outcome(
          status: 5, output: "",
          error:
            "anvil: no event or line has a value at the path; in the first: no key \"b\" at the top level; keys here: x\n"
        ))
  }

  @Test(arguments: [
    ("text/plain; charset=iso-8859-1", Data([0x63, 0xE9, 0x80, 0x81]), "cé€\u{FFFD}\n"),
    ("text/plain; Charset=\"UTF-16\"", Data([0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0, 0xDE]), "a😀\n"),
    ("text/plain; charset=utf-16be", Data([0, 0x61, 0xD8]), "a\u{FFFD}\n"),
    ("text/plain; charset=utf-16le", Data([0x41, 4, 0x0A, 0]), "с\n"),
    ("text/plain; charset=utf-8", Data([0x61, 0xFF, 0x62]), "a\u{FFFD}b\n"),
    ("text/plain; charset=iso-8859-1", Data([0x1B, 0x5B, 0x33]), "\\u{1b}[3\n"),
  ])
  func textOfADeclaredCharsetIsText(type: String, body: Data, text: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .chunked(body.map { Data([$0]) }, headers: ["Content-Type": "\(type)"]) }
    #expect(await anvil("get", server.argument(), reader: .person) == Outcome(status: 0, output: text, error: ""))
    #expect(await anvil("get", server.argument()).output == String(decoding: body, as: UTF8.self))
  }

  @Test func textOfAnotherCharsetIsNotWrittenToATerminal() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .chunked([Data([0xE4, 0xE0])], headers: ["Content-Type": "text/csv; charset=windows-1251"])
    }
    let outcome = await anvil("get", server.argument(), reader: .person)
    #expect(outcome.status == 74 && outcome.output.isEmpty)
    #expect(
      outcome.error
        == "anvil: the body is binary and is not written to a terminal: --output FILE saves it, --output - prints it\n"
    )
  }

  @Test func pathStopsAtALineThatIsNotJSON() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .chunked([Data("{\"a\":1}\nx\n".utf8)], headers: ["Content-Type": "application/x-ndjson"])
    }
    let outcome = await anvil("get", server.argument(), "--path", "a")
    #expect(outcome.status == 5 && outcome.output == "1\n")
    #expect(outcome.error.hasSuffix("an event or line is not JSON\n"))
  }

  @Test(arguments: [Data([0x41, 0x00, 0x42]), Data([0x89, 0x50, 0xFF, 0xFE, 0x0D])])
  func binaryDataIsNotWrittenToATerminal(body: Data) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .status(200, body: body) }
    let outcome = await anvil("get", server.argument(), reader: .person)
    #expect(outcome.status == 74 && outcome.output.isEmpty)
    #expect(
      outcome.error
        == "anvil: the body is binary and is not written to a terminal: --output FILE saves it, --output - prints it\n"
    )
    let forced = await anvil("get", server.argument(), "-o", "-", reader: .person)
    #expect(forced.status == 0 && forced.output == String(decoding: body, as: UTF8.self))
  }

  @Test(
    arguments: [
      ([0x61, 0xC2], false), ([0x61, 0xE2, 0x82], false), ([0x61, 0xF4], false), ([0x61, 0xC1], true),
      ([0x61, 0xF5], true),
      ([0x61, 0xE2, 0x28], true), ([0x80], true), ([0x61, 0], true),
    ] as [([UInt8], Bool)])
  func bytesThatBeginNoCharacterAreBinary(bytes: [UInt8], isBinary: Bool) {
    #expect(Data(bytes).isBinary(follows: false) == isBinary)
  }

  @Test(arguments: ["é€😀", "x"])
  func textThatEndsWithinACharacterIsNotBinary(text: String) {
    let bytes = Data(String(repeating: text, count: 9).utf8)
    for start in 0..<4 {
      for end in (bytes.count - 3)...bytes.count { #expect(!bytes[start..<end].isBinary(follows: true)) }
    }
  }

  @Test func rawIsNotIndented() async throws {
    let server = try server(json: #"{ "a":1 }"#)
    #expect(await anvil("get", server.argument(), "--raw", reader: .person).output == "{ \"a\":1 }\n")
    #expect(await anvil("get", server.argument(), "-r").output == "{ \"a\":1 }")
  }

  @Test func outputOptionSavesTheBody() async throws {
    let server = try server(json: "{}")
    let file = folder.path("a.json")
    let outcome = await anvil("get", server.argument(), "-o", file)
    #expect(outcome == Outcome(status: 0, output: "", error: ""))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.json"])
  }

  @Test func failureLeavesTheFileUnchanged() async throws {
    let server = try LoopbackServer()
    let file = folder.path("a.json")
    try Data("old".utf8).write(to: URL(filePath: file))
    let outcome = await anvil("get", server.argument("/missing"), "-o", file)
    #expect(outcome.status == 4)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
  }

  @Test func interruptedDownloadIsContinued() async throws {
    let server = try LoopbackServer()
    let isWhole = Mutex(false)
    let content = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    server.on(.get, "/") { request in
      let range = request.headers[.range]?.rawValue
      guard isWhole.withLock({ $0 }) else {
        let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: \(content.count)\r\n\r\n"
        // Only the first attempt gets bytes.
        return .raw(range == nil ? [.send(Data(head.utf8)), .send(content.prefix(300_000)), .close] : [.close])
      }
      let start = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
      let headers: HTTP.Headers =
        start > 0
        ? ["ETag": "\"a\"", "Content-Range": "bytes \(start)-\(content.count - 1)/\(content.count)"]
        : ["ETag": "\"a\""]
      return .status(start > 0 ? 206 : 200, headers: headers, body: content[start...])
    }
    let file = folder.path("big")
    let broken = await anvil("get", server.argument(), "-o", file)
    #expect(broken.status == 3)
    #expect(broken.error.hasSuffix(" received so far are kept: --continue resumes the download\n"))
    isWhole.withLock { $0 = true }
    let outcome = await anvil("get", server.argument(), "-o", file, "-C")
    #expect(outcome == Outcome(status: 0, output: "", error: ""))
    #expect(try Data(contentsOf: URL(filePath: file)) == content)
    #expect(server.requests.last?.headers[.range] != nil)
  }

  /// The tool itself, which the build puts beside the tests.
  private static let tool = BuiltPrograms.folder?.appending(path: "anvil")

  @Test(
    .enabled(if: tool.map { FileManager.default.isExecutableFile(atPath: $0.path) } == true, "anvil is not built"),
    arguments: [SIGTERM, SIGHUP, SIGPIPE])
  func aStreamThatIsEndedIsRecorded(by number: Int32) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      let rest = Mutex(0)
      return .streamed(.success(.ok), headers: [.contentType: "text/event-stream"], length: nil) {
        let number = rest.withLock { rest in
          rest += 1
          return rest
        }
        if number > 1 { Thread.sleep(forTimeInterval: 0.02) }
        return Data("data: \(number)\n\n".utf8)
      }
    }
    let file = folder.path("stream.har")
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.tool
    process.arguments = ["get", server.argument(), "--har", file]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // The tool would inherit that the signal is ignored, such as by nohup.
    signal(SIGHUP, SIG_DFL)
    try process.run()
    let first = try output.fileHandleForReading.read(upToCount: 9) ?? Data()
    if number == SIGPIPE { try output.fileHandleForReading.close() } else { kill(process.processIdentifier, number) }
    process.waitUntilExit()
    #expect(first == Data("data: 1\n\n".utf8))
    #expect(process.terminationStatus == (number == SIGPIPE ? 0 : 3))
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("data: 1"))
  }

  @Test(.enabled(if: tool.map { FileManager.default.isExecutableFile(atPath: $0.path) } == true, "anvil is not built"))
  func aDownloadThatASignalEndsIsContinued() async throws {
    let server = try LoopbackServer()
    // As many bytes as fill a buffer are written to the file at once; a part of a buffer would be written only when the connection ends.
    let count = 1 << 18
    let content = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let isInterrupted = Mutex(false)
    server.on(.get, "/") { request in
      guard let range = request.headers[.range]?.rawValue else {
        let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: \(content.count)\r\n\r\n"
        return .raw([.send(Data(head.utf8)), .send(content.prefix(count)), .hang])
      }
      // On a busy machine, the tool may replace the silent connection before the signal is sent.
      guard isInterrupted.withLock(\.self) else { return .raw([.hang]) }
      let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
      let headers: HTTP.Headers = [
        "ETag": "\"a\"", "Content-Range": "bytes \(start)-\(content.count - 1)/\(content.count)",
      ]
      return .status(206, headers: headers, body: content[start...])
    }
    let file = folder.path("big")
    let process = Process()
    let errors = Pipe()
    process.executableURL = Self.tool
    process.arguments = ["get", server.argument(), "-o", file]
    process.standardError = errors
    try process.run()
    while (try? Data(contentsOf: URL(filePath: file + ".anvilpart")).count) != count, process.isRunning {
      try await Task.sleep(for: .milliseconds(10))
    }
    process.terminate()
    let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    isInterrupted.withLock { $0 = true }
    #expect(process.terminationStatus == 3)
    #expect(
      text.hasSuffix(
        "the download was interrupted by a signal\nanvil: the 262 kB received so far are kept: --continue resumes the download\n"
      ),
      "\(text)")
    #expect(await anvil("get", server.argument(), "-o", file, "-C") == Outcome(status: 0, output: "", error: ""))
    #expect(try Data(contentsOf: URL(filePath: file)) == content)
    #expect(server.requests.last?.headers[.range]?.rawValue == "bytes=\(count)-")
  }

  @Test func timeoutOptionLimitsADownload() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .fault(.neverAnswers) }
    let file = folder.path("a")
    let outcome = await anvil("get", server.argument(), "-o", file, "--timeout", "0.05")
    #expect(outcome.status == 3 && outcome.error.contains("timed out"))
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  /// Control characters in the type of an event are not written to the terminal.
  @Test func typesOfEventsAreEscaped() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in
      .chunked([Data("event: \u{1B}[31mx\ndata: 1\n\n".utf8)], headers: ["Content-Type": "text/event-stream"])
    }
    let outcome = await anvil("get", server.argument(), reader: .person)
    #expect(outcome.status == 0 && !outcome.output.contains("\u{1B}"))
  }

  @Test func withoutContinueADownloadStartsFromTheBeginning() async throws {
    let server = try server(json: "{}")
    let file = folder.path("a")
    try Data("{}{}".utf8).write(to: URL(filePath: file + ".anvilpart"))
    #expect(await anvil("get", server.argument(), "-o", file).status == 0)
    #expect(server.requests.last?.headers[.range] == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a"])
  }

  @Test(arguments: [
    (["-C"], "--continue needs --output with a file"), (["-o", "-", "-C"], "--continue needs --output with a file"),
    (["-o", "f", "--path", "a"], "--output and --path cannot be used together"),
    (["-o", ""], "--output needs the name of a file"),
    (["--table", "--raw"], "--table and --raw cannot be used together"),
    (["--show-secrets"], "--show-secrets needs --verbose"),
  ])
  func conflictingOptionsAreReported(options: [String], message: String) async {
    let outcome = await anvil(arguments: ["get", "localhost"] + options)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil get --help'.\n"))
  }

  @Test func headPrintsTheHead() async throws {
    let server = try LoopbackServer()
    server.on(.head, "/") { _ in .status(200, headers: ["X-A": "b"]) }
    let outcome = await anvil("head", server.argument())
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("HTTP 200 OK\n") && outcome.output.contains("X-A: b\n"))
  }
}

/// A body whose next chunk is sent when the previous one was printed.
private final class Gate: Sendable {
  private let state = Mutex((sent: 0, printed: 0))

  func open() {
    state.withLock { $0.printed += 1 }
  }

  func nextChunk() -> Data? {
    while true {
      let (isOpen, sent) = state.withLock { state in (state.printed >= state.sent, state.sent) }
      if isOpen {
        guard sent < 3 else { return nil }
        state.withLock { $0.sent += 1 }
        return Data("data: \(sent + 1)\n\n".utf8)
      }
      Thread.sleep(forTimeInterval: 0.002)
    }
  }
}
