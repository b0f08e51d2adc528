import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCommands

/// Pipes and devices instead of files.
@Suite(.timeLimit(.minutes(15)))
struct StreamFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [
    ["-d", "@FILE"], ["--json", "@FILE"], ["-d", "@FILE", "--gzip", "--curl"], ["--follow", "-d", "@FILE"],
  ])
  func bodyIsReadFromAPipe(options: [String]) async throws {
    let server = try echo()
    let file = try pipe(containing: #"{"a":1}"#)
    let arguments = ["post", server.argument()] + options.map { $0.replacing("FILE", with: file) }
    let outcome = await anvil(arguments: arguments)
    #expect(outcome.status == 0)
    if !options.contains("--curl") { #expect(outcome.output == #"{"a":1}"#) }
  }

  @Test(arguments: [("a=@", #"{"a":"{\"b\":1}"}"#), ("a:=@", #"{"a":{"b":1}}"#)])
  func memberIsReadFromAPipe(field: String, body: String) async throws {
    let server = try echo()
    let file = try pipe(containing: #"{"b":1}"#)
    #expect(await anvil("post", server.argument(), field + file) == Outcome(status: 0, output: body, error: ""))
  }

  @Test func multipartFileIsReadFromAPipe() async throws {
    let server = try echo()
    let file = try pipe(containing: "text")
    let outcome = await anvil("post", server.argument(), "-F", "p=@\(file)")
    #expect(outcome.output.contains("filename=\"\((file as NSString).lastPathComponent)\""))
    #expect(outcome.status == 0 && outcome.output.contains("\r\n\r\ntext\r\n"))
  }

  @Test func documentsAreReadFromPipes() async throws {
    let file = try pipe(containing: #"{"a":1}"#)
    #expect(await anvil("model", file, "--name", "Sample").output.contains("struct Sample"))
    let archive = try pipe(containing: #"{"log":{"entries":[]}}"#)
    #expect(await anvil("har", archive, "--html", "-").status == 0)
  }

  @Test func cookiesAndEntityTagsAreReadFromPipes() async throws {
    let server = try server(json: "{}")
    let cookies = try pipe(containing: "127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tkept\tk\n")
    let tag = try pipe(containing: "\"t\"\n")
    let outcome = await anvil("get", server.argument(), "--cookies", cookies, "--etag-compare", tag)
    #expect(outcome == Outcome(status: 0, output: "{}", error: ""))
    #expect(server.requests.last?.headers[.cookie]?.rawValue == "kept=k")
    #expect(server.requests.last?.headers[.ifNoneMatch]?.rawValue == "\"t\"")
    #expect(FileKind.isStream(cookies))
  }

  @Test func bodyIsWrittenToAPipe() async throws {
    let server = try server(json: #"{"a":1}"#)
    let (outcome, text) = try await run { ["get", server.argument(), "-i", "-o", $0] }
    #expect(outcome.output.hasPrefix("HTTP 200 OK\n") && outcome.error.isEmpty)
    #expect(text == #"{"a":1}"#)
  }

  @Test func entityTagsArchivesAndShapesAreWrittenToPipes() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json("{}", headers: ["ETag": "\"t\""]) }
    let tag = try await run { ["get", server.argument(), "--etag-save", $0] }
    #expect(tag.text == "\"t\"\n")
    let archive = try await run { ["get", server.argument(), "--har", $0] }
    #expect(archive.text.contains("\"log\""))
    let sample = folder.path("a.json")
    try Data("{}".utf8).write(to: URL(filePath: sample))
    let shape = try await run { ["shape", "save", sample, "--to", $0] }
    #expect(shape.text.contains("\"$schema\""))
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func devicesOfStandardOutputAreRecognized(name: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .text("a\u{1B}") }
    let outcome = await anvil("get", server.argument(), "-o", name, reader: .person)
    #expect(outcome == Outcome(status: 0, output: "a\u{1B}", error: ""))
  }

  #if os(Linux)
  @Test(arguments: [
    ("-o", "the file full"), ("--har", "the cookies or the recording"), ("--etag-save", "the entity tag"),
  ])
  func fullDeviceIsReported(option: String, what: String) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .json("{}", headers: ["ETag": "\"t\""]) }
    let outcome = await anvil("get", server.argument(), option, "/dev/full")
    #expect(outcome.status == 74)
    #expect(outcome.error == "anvil: \(what) cannot be written: no space left on the device\n")
  }
  #endif

  @Test func pipesAreRejectedForContinuedDownloadsAndRecordings() async throws {
    let file = try pipe()
    let continued = await anvil("get", ":1/", "-C", "-o", file)
    #expect(continued.status == 64 && continued.error.contains("--continue needs --output with a file"))
    let recorded = await anvil("proxy", "--record", file)
    #expect(recorded.status == 64 && recorded.error.contains("is a pipe or device; a recording needs a file"))
    #expect(FileKind.isStream(file))
  }
}

extension StreamFilesTests {
  /// A server that answers POST with the body.
  private func echo() throws -> LoopbackServer {
    let server = try LoopbackServer()
    server.on(.post, "/") { request in .status(200, body: request.body) }
    return server
  }

  private func pipe() throws -> String {
    let path = folder.path("pipe-\(UUID().uuidString)")
    // Safety: the path is a NUL-terminated copy for the length of the call.
    try #require(unsafe mkfifo(path, 0o600) == 0)
    return path
  }

  /// Returns a pipe that a thread writes once.
  private func pipe(containing text: String) throws -> String {
    let path = try pipe()
    Thread.detachNewThread {
      Self.blockBrokenPipes()
      guard let handle = FileHandle(forWritingAtPath: path) else { return }
      try? handle.write(contentsOf: Data(text.utf8))
      try? handle.close()
    }
    return path
  }

  /// Blocks SIGPIPE in this thread, so that a reader that closes early fails a test and not the process.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    // Safety: the calls read and write the local set only.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Runs the arguments for a pipe, and returns the text that was written to the pipe.
  private func run(_ arguments: (String) -> [String]) async throws -> (outcome: Outcome, text: String) {
    let path = try pipe()
    let text = Task { await Self.text(of: path) }
    let outcome = await anvil(arguments: arguments(path))
    // The text of a pipe that was not opened would never end.
    try #require(outcome.status == 0 && FileKind.isStream(path))
    return (outcome, await text.value)
  }

  private static func text(of path: String) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let data = try? FileHandle(forReadingAtPath: path)?.readToEnd()
        continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
      }
    }
  }
}
