import Anvil
import AnvilObservability
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Exported messages are valid by the published schema of the protocol, which `scripts/check-otlp` installs from PyPI.
@Suite(
  .timeLimit(.minutes(15)),
  .enabled(
    if: FileManager.default.isExecutableFile(
      atPath: Checkout.root.appending(path: ".build/otlp/bin/python").path()),
    "the schema is not installed: scripts/setup --tests installs it"))
struct OTLPSchemaTests {
  /// Runs `scripts/check-otlp` with this file and returns its output.
  private func check(_ file: URL) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = Checkout.root.appending(path: "scripts/check-otlp")
    process.arguments = [file.path()]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// Success, a redirect, errors of the server, a failure without a response, a retry, and traces with parents, with a state and
  /// without sampling.
  @Test func messagesOfAllKindsOfExchangesAreValid() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try LoopbackServer()
    server.on(.get, "/old") { _ in .status(302, headers: [.location: "/users?page=2&api_key=t0p"]) }
    server.on(.get, "/users") { _ in .json(#"[{"name": "Zoë"}]"#) }
    server.on(.get, "/busy") { _ in .status(503) }
    server.on(.get, "/gone") { _ in .fault(.resetBeforeHead) }
    let exporter = OTLPExporter(
      to: .file(file), service: "shop \u{1F6D2}", resource: ["deployment.environment.name": "test"])
    var configuration = ClientConfiguration.standard
    configuration.retries?.backoff = ExponentialBackoff(base: .milliseconds(1))
    configuration.interceptors = [(TracingInterceptor(outside: .newTrace), at: .attempt), (exporter, at: .attempt)]
    let gateway = Gateway(baseURL: server.url, configuration: configuration)
    for path in ["users", "old", "missing", "busy", "gone"] {
      _ = try? await gateway.get("\(path)", as: [JSON].self)
    }
    for context in [
      TraceContext(traceID: 7, parentID: 8, state: "vendor=1"), TraceContext(traceID: 9, parentID: 1, flags: 0),
    ] {
      await TraceContext.$current.withValue(context) { _ = try? await gateway.get("users", as: [JSON].self) }
    }
    _ = try? await Gateway(baseURL: URL(string: "http://127.0.0.1:1")!, configuration: configuration)
      .get("users", as: [JSON].self)
    await exporter.close()
    #expect(exporter.statistics.lastError == nil)

    let (status, output) = try check(file)
    #expect(status == 0, "\(output)")
    let numbers = try #require(output.firstMatch(of: #/^(\d+) spans, (\d+) data points\n$/#))
    #expect(Int(numbers.1) == exporter.statistics.exportedSpanCount)
    #expect(try #require(Int(numbers.2)) >= 5)
  }

  @Test(arguments: [
    (#"{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "7"}]}]}]}"#, "has another length"),
    (#"{"resourceSpans": [{"scope_spans": []}]}"#, "is not in camel case"),
    (#"{"resourceSpans": [{"scopes": []}]}"#, #"no field named "scopes""#),
    (#"{"resourceMetrics": []}"#, "the message is empty"),
  ])
  func departuresAreFound(message: String, reason: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data((message + "\n").utf8).write(to: file)
    let (status, output) = try check(file)
    #expect(status == 1)
    #expect(output.contains(reason), "\(output)")
  }
}
