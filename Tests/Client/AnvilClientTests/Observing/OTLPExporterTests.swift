import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilObservability
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Source: OTLP/JSON, HTTP semantic conventions.
struct OTLPExporterTests {
  private let clock = TestClock()
  private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")

  private func exporter(
    to destination: OTLPExporter.Destination? = nil, queueLimit: Int = 2048, batchSize: Int = 512
  ) -> OTLPExporter {
    OTLPExporter(
      to: destination ?? .file(file), service: "test", queueLimit: queueLimit, batchSize: batchSize, clock: clock,
      now: { Date(timeIntervalSince1970: 1_700_000_000.25) })
  }

  private func execute(_ world: World, _ method: HTTP.Method = .get, headers: HTTP.Headers = [:]) async {
    _ = await world.backend.outcome(
      Request<HTTP.Response, TransportFailure>(method: method, url: world.url, headers: headers))
  }

  private func lines() throws -> [JSON] {
    defer { try? FileManager.default.removeItem(at: file) }
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { try JSON(parsing: String($0)) }
  }

  private func spans(_ messages: [JSON]) -> [JSON] {
    messages.flatMap { $0["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"]?.elements.map { $0 } ?? [] }
  }

  private func attributes(_ value: JSON?) -> [String: String] {
    let pairs = value?["attributes"]?.elements.map { item in
      (item["key"]?.string ?? "", item["value"]?["stringValue"]?.string ?? item["value"]?["intValue"]?.string ?? "")
    }
    return Dictionary(pairs ?? []) { $1 }
  }

  @Test func aFileContainsTheSpanAndTheMetricOfAnExchange() async throws {
    let exporter = exporter()
    let world = try World(interceptors: [exporter])
    world.session.on("any", where: { _ in true }) { _ in .json("{}") }
    let url = try #require(URL(string: "https://u:p@api.example.com/a?page=2&api_key=t0p"))
    _ = try await world.backend.execute(
      Request<HTTP.Response, TransportFailure>(
        url: url, headers: [.traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]))
    await exporter.close()
    let lines = try lines()
    #expect(lines.count == 2)
    let resource: JSON = [
      "attributes": [
        ["key": "service.name", "value": ["stringValue": "test"]],
        ["key": "telemetry.sdk.language", "value": ["stringValue": "swift"]],
        ["key": "telemetry.sdk.name", "value": ["stringValue": "anvil"]],
        ["key": "telemetry.sdk.version", "value": ["stringValue": JSON(AnvilVersion.current)]],
      ]
    ]
    let scope: JSON = ["name": "Anvil", "version": JSON(AnvilVersion.current)]
    let common: [JSON] = [
      ["key": "http.request.method", "value": ["stringValue": "GET"]],
      ["key": "server.address", "value": ["stringValue": "api.example.com"]],
      ["key": "server.port", "value": ["intValue": "443"]],
      ["key": "http.response.status_code", "value": ["intValue": "200"]],
    ]
    let shown = "https://<redacted>@api.example.com/a?page=2&api_key=<redacted>"
    let span: JSON = [
      "traceId": "4bf92f3577b34da6a3ce929d0e0e4736", "spanId": "00f067aa0ba902b7", "flags": 1, "name": "GET",
      "kind": 3, "startTimeUnixNano": "1700000000250000000", "endTimeUnixNano": "1700000000250000000",
      "attributes": JSON(common + [["key": "url.full", "value": ["stringValue": JSON(shown)]]]),
    ]
    #expect(
      lines.first == [
        "resourceSpans": [["resource": resource, "scopeSpans": [["scope": scope, "spans": [span]]]]]
      ])
    let point: JSON = [
      "attributes": JSON(common), "startTimeUnixNano": "1700000000250000000", "timeUnixNano": "1700000000250000000",
      "count": "1", "sum": 0, "bucketCounts": JSON((0..<15).map { $0 == 0 ? "1" : "0" }),
      "explicitBounds": [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
      "min": 0, "max": 0,
    ]
    let metric: JSON = [
      "name": "http.client.request.duration", "description": "Duration of HTTP client requests.", "unit": "s",
      "histogram": ["aggregationTemporality": 2, "dataPoints": [point]],
    ]
    #expect(
      lines.last == [
        "resourceMetrics": [["resource": resource, "scopeMetrics": [["scope": scope, "metrics": [metric]]]]]
      ])
  }

  @Test func redirectsAndRetriesCountAsResends() async throws {
    let exporter = exporter()
    let retries = RetryInterceptor(policy: RetryPolicy(), clock: RecordingClock())
    let world = try World(interceptors: [RedirectInterceptor(), retries, exporter])
    let target = world.url.appending(path: "target")
    world.session.on(.get, world.url, .status(302, headers: [.location: .init(rawValue: target.absoluteString)]))
    world.session.on(.get, target, times: 1, .status(503))
    world.session.on(.get, target) { _ in .json("{}") }
    await execute(world)
    await exporter.close()
    #expect(spans(try lines()).map { attributes($0)["http.request.resend_count"] } == [nil, "1", "2"])
  }

  @Test func spansHaveTheIdentifiersOfTheSentTraceContext() async throws {
    let exporter = exporter()
    let retries = RetryInterceptor(policy: RetryPolicy(), clock: RecordingClock())
    let world = try World(interceptors: [retries, TracingInterceptor(), exporter])
    world.session.on(.get, world.url, times: 1, .status(503))
    world.session.on(.get, world.url) { _ in .json("{}") }
    await TraceContext.$current.withValue(TraceContext(traceID: 7, parentID: 8, state: "a=1")) { await execute(world) }
    await exporter.close()
    let spans = spans(try lines())
    let sent = world.session.requests.map { $0.headers[.traceparent]?.rawValue }
    #expect(sent.count == 2)
    #expect(
      spans.map { "00-\($0["traceId"]?.string ?? "")-\($0["spanId"]?.string ?? "")-01" as String? } == sent)
    #expect(spans.allSatisfy { $0["parentSpanId"] == "0000000000000008" && $0["traceState"] == "a=1" })
    #expect(spans.map { attributes($0)["http.request.resend_count"] } == [nil, "1"])
    #expect(spans.map { attributes($0)["error.type"] } == ["503", nil])
    #expect(spans.map { $0["status"] } == [["code": 2], nil])
  }

  @Test(arguments: [200, 302, 404, 500])
  func statusesFrom400AreErrors(code: Int) async throws {
    let exporter = exporter()
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url, .status(HTTP.Status(code: code)))
    await execute(world)
    await exporter.close()
    let span = try #require(spans(try lines()).first)
    #expect(attributes(span)["http.response.status_code"] == "\(code)")
    #expect(attributes(span)["error.type"] == (code >= 400 ? "\(code)" : nil))
    #expect(span["status"] == (code >= 400 ? ["code": 2] : nil))
  }

  @Test func theDurationDeterminesTheSpanAndTheHistogramBucket() async throws {
    let exporter = exporter()
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url) { [clock] _ in
      clock.advance(by: .milliseconds(300))
      return .json("{}")
    }
    await execute(world)
    await exporter.close()
    let lines = try lines()
    #expect(spans(lines).first?["endTimeUnixNano"] == "1700000000550000000")
    let metric = lines.last?["resourceMetrics"]?[0]?["scopeMetrics"]?[0]?["metrics"]?[0]
    let counts = metric?["histogram"]?["dataPoints"]?[0]?["bucketCounts"]?.elements.compactMap { $0.string }
    #expect(counts?.firstIndex(of: "1") == 7)
  }

  @Test func aFailureHasItsCodeAndDescription() async throws {
    let exporter = exporter()
    let world = try World(interceptors: [exporter])
    world.session.on("any", where: { _ in true }) { _ in
      .failure(TransportError(code: .noConnection, reason: "refused"))
    }
    await execute(world, HTTP.Method(rawValue: "BREW"))
    await exporter.close()
    let span = try #require(spans(try lines()).first)
    #expect(span["status"] == ["code": 2, "message": "no connection: refused"])
    #expect(span["name"] == "HTTP")
    let attributes = attributes(span)
    #expect(attributes["error.type"] == "noConnection" && attributes["http.response.status_code"] == nil)
    #expect(attributes["http.request.method"] == "_OTHER" && attributes["http.request.method_original"] == "BREW")
  }

  @Test func unsampledSpansAreOnlyMeasured() async throws {
    let exporter = exporter()
    let world = try World(interceptors: [TracingInterceptor(), exporter])
    world.session.on(.get, world.url) { _ in .json("{}") }
    await TraceContext.$current.withValue(TraceContext(traceID: 7, parentID: 8, flags: 0)) { await execute(world) }
    await exporter.close()
    let lines = try lines()
    #expect(lines.count == 1 && lines.first?["resourceMetrics"] != nil)
    #expect(exporter.statistics.droppedSpanCount == 0)
  }

  @Test func exportsAfterTheIntervalAndByCount() async throws {
    let (sent, arrived) = AsyncStream<String>.makeStream()
    let collector = StubSession { Issue.record($0) }
    collector.on("any", where: { _ in true }) { request in
      arrived.yield(request.url.lastPathComponent)
      return .json("{}")
    }
    let base = try #require(URL(string: "http://localhost:4318"))
    let exporter = exporter(to: .collector(base, session: collector), batchSize: 2)
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url) { _ in .json("{}") }
    var messages = sent.makeAsyncIterator()
    await execute(world)
    await clock.waitForSleepers(1)
    #expect(collector.requests.isEmpty)
    clock.advance(by: .seconds(5))
    #expect(await messages.next() == "traces")
    #expect(await messages.next() == "metrics")
    for _ in 1...2 { await execute(world) }
    #expect(await messages.next() == "traces")
  }

  @Test func spansWaitForACollectorThatIsUnavailable() async throws {
    let collector = StubSession { Issue.record($0) }
    collector.on("down", where: { _ in true }, times: 1) { _ in .status(503) }
    collector.on("up", where: { _ in true }) { _ in .json(#"{"partialSuccess": {"rejectedSpans": "1"}}"#) }
    let base = try #require(URL(string: "http://localhost:4318"))
    let exporter = exporter(to: .collector(base, session: collector), queueLimit: 2)
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url) { _ in .json("{}") }
    for _ in 1...3 { await execute(world) }
    await exporter.flush()
    #expect(exporter.statistics.exportedSpanCount == 0 && exporter.statistics.droppedSpanCount == 1)
    #expect((exporter.statistics.lastError as? TransportError)?.code == .serverError(.serviceUnavailable))
    await exporter.flush()
    #expect(exporter.statistics.exportedSpanCount == 1 && exporter.statistics.droppedSpanCount == 2)
    #expect(exporter.statistics.lastError == nil)
  }

  /// Source: OTLP/HTTP, throttling.
  @Test(arguments: [[.retryAfter: "120"], [:]] as [HTTP.Headers])
  func aCollectorThatIsUnavailableIsAskedLessOften(headers: HTTP.Headers) async throws {
    let collector = StubSession { Issue.record($0) }
    let (sent, sending) = AsyncStream.makeStream(of: Void.self)
    collector.on("down", where: { _ in true }) { _ in
      sending.yield()
      return .status(503, headers: headers)
    }
    let base = try #require(URL(string: "http://localhost:4318"))
    let world = try World(interceptors: [exporter(to: .collector(base, session: collector))])
    world.session.on(.get, world.url) { _ in .json("{}") }
    await execute(world)
    var messages = sent.makeAsyncIterator()
    for delay in headers.isEmpty ? [5] : [5, 120, 120] {
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(delay - 1))
      await clock.waitForSleepers(1)
      let count = collector.requests.count
      clock.advance(by: .seconds(1))
      await messages.next()
      #expect(collector.requests.count == count + 1)
    }
    // Only the traces: the metrics wait, too.
    #expect(collector.requests.allSatisfy { $0.url.path() == "/v1/traces" })
    guard headers.isEmpty else { return }
    // Without a stated time, the pauses grow, and are at most a minute.
    for _ in 1...8 {
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(60))
      await messages.next()
    }
  }

  @Test func spansRejectedByACollectorAreDropped() async throws {
    let collector = StubSession { Issue.record($0) }
    collector.on("any", where: { _ in true }) { _ in .status(400) }
    let base = try #require(URL(string: "http://localhost:4318"))
    let exporter = exporter(to: .collector(base, session: collector))
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url) { _ in .json("{}") }
    await execute(world)
    await exporter.close()
    await execute(world)
    #expect(exporter.statistics.droppedSpanCount == 2)
    #expect(collector.requests.map { $0.url.path() } == ["/v1/traces", "/v1/metrics"])
  }

  /// A collector that never answers.
  private final class SilentCollector: TransportSession {
    let requests = Mutex(0)
    private let reactsToCancellation: Bool
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(reactsToCancellation: Bool) {
      self.reactsToCancellation = reactsToCancellation
    }

    func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
      requests.withLock { $0 += 1 }
      if reactsToCancellation {
        try? await Task.sleep(for: .seconds(3_600))
      } else {
        await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
      }
      throw TransportError(code: .cancelled)
    }

    func answer() {
      waiting.withLock { $0.take() }?.resume()
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func closingHasALimit(reactsToCancellation: Bool) async throws {
    let collector = SilentCollector(reactsToCancellation: reactsToCancellation)
    let base = try #require(URL(string: "http://localhost:4318"))
    let exporter = exporter(to: .collector(base, session: collector))
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url) { _ in .json("{}") }
    await execute(world)
    let isClosed = Mutex(false)
    let closing = Task {
      await exporter.close(timeout: .seconds(5))
      isClosed.withLock { $0 = true }
    }
    await waitUntil { collector.requests.withLock { $0 } == 1 }
    await waitUntil {
      clock.advance(by: .seconds(5))
      return isClosed.withLock { $0 }
    }
    await closing.value
    collector.answer()
    await waitUntil { exporter.statistics.droppedSpanCount == 1 }
    // Neither the metrics are sent, nor anything that is recorded later.
    await execute(world)
    #expect(collector.requests.withLock { $0 } == 1)
    #expect(exporter.statistics.exportedSpanCount == 0 && exporter.statistics.droppedSpanCount == 2)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func closingCanBeCancelled(reactsToCancellation: Bool) async throws {
    let collector = SilentCollector(reactsToCancellation: reactsToCancellation)
    let base = try #require(URL(string: "http://localhost:4318"))
    let exporter = exporter(to: .collector(base, session: collector))
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url) { _ in .json("{}") }
    await execute(world)
    let closing = Task { await exporter.close() }
    await waitUntil { collector.requests.withLock { $0 } == 1 }
    closing.cancel()
    await closing.value
    collector.answer()
    await waitUntil { exporter.statistics.droppedSpanCount == 1 }
    #expect(collector.requests.withLock { $0 } == 1)
    // Closing twice is harmless.
    await exporter.close()
  }

  @Test func itsOwnMessagesAreNotExported() async throws {
    /// A session that sends the exporter's requests through the exporter itself.
    final class Circular: TransportSession {
      let session = StubSession { Issue.record($0) }
      let exporter = Mutex<OTLPExporter?>(nil)

      func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
        guard let exporter = exporter.withLock({ $0 }) else { throw TransportError(code: .other) }
        return try await exporter.intercept(request, options: options, next: session)
      }
    }
    let circular = Circular()
    circular.session.on("any", where: { _ in true }) { _ in .json("{}") }
    let base = try #require(URL(string: "http://localhost:4318"))
    let exporter = exporter(to: .collector(base, session: circular))
    circular.exporter.withLock { $0 = exporter }
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url) { _ in .json("{}") }
    await execute(world)
    await exporter.flush()
    await exporter.flush()
    #expect(circular.session.requests.count == 2)
    #expect(exporter.statistics.exportedSpanCount == 1)
    circular.exporter.withLock { $0 = nil }
  }

  @Test func aFileThatCannotBeWrittenFailsNoRequest() async throws {
    let exporter = exporter(to: .file(URL(filePath: "/no/such/folder/spans.jsonl")))
    let world = try World(interceptors: [exporter])
    world.session.on(.get, world.url) { _ in .json("{}") }
    _ = try await world.backend.execute(Request<HTTP.Response, TransportFailure>(url: world.url))
    await exporter.close()
    #expect(exporter.statistics.droppedSpanCount == 1 && exporter.statistics.lastError != nil)
  }
}
