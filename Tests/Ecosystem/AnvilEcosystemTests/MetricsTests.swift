#if SwiftMetrics
import Anvil
import AnvilEcosystem
import AnvilTesting
import CoreMetrics
import Foundation
import Synchronization
import Testing

@Suite struct MetricsTests {
  private let recorded = RecordedMetrics()

  private func gateway(_ session: any TransportSession, cache: (any CacheStorage)? = nil) -> Gateway {
    var configuration = ClientConfiguration.standard
    configuration.cache = cache
    configuration.addMetrics(recorded)
    return Gateway("https://api.example.com:8443", session: session, configuration: configuration)
  }

  @Test func eachAttemptHasADurationWithTheAttributesOfTheConventions() async throws {
    let session = StubSession()
    session.on("first", where: { _ in true }, times: 1) { _ in .status(503, headers: [.retryAfter: "0"]) }
    session.on("second", where: { _ in true }) { _ in .json("[]") }
    _ = try await gateway(session).request("users").send()
    let target = "http.request.method=GET server.address=api.example.com server.port=8443"
    #expect(
      Set(recorded.names(of: "http.client.request.duration")) == [
        "\(target) http.response.status_code=503 error.type=503", "\(target) http.response.status_code=200",
      ])
    #expect(recorded.values(of: "http.client.request.duration").allSatisfy { $0 >= 0 })
    #expect(recorded.sum(of: "http.client.active_requests") == 0)
    #expect(recorded.names(of: "http.client.active_requests").allSatisfy { $0 == target })
  }

  @Test func aFailureIsCountedWithItsCode() async {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .failure(TransportError(code: .tlsFailure)) }
    await #expect(throws: AnyError.self) { try await gateway(session).request("users").send() }
    #expect(recorded.names(of: "http.client.request.duration").allSatisfy { $0.hasSuffix("error.type=tlsFailure") })
    #expect(recorded.sum(of: "http.client.active_requests") == 0)
  }

  @Test func sizesAreThoseOfTheTransfer() async throws {
    let server = try LoopbackServer()
    server.on(.post, "/users") { _ in .text("four") }
    var configuration = ClientConfiguration.bare
    configuration.addMetrics(recorded)
    var request = Gateway(baseURL: server.url, configuration: configuration).request("users", method: .post)
    request.body = HTTP.Body("123456")
    _ = try await request.send()
    #expect(recorded.values(of: "http.client.request.body.size") == [6])
    #expect(recorded.values(of: "http.client.response.body.size") == [4])
  }

  @Test func responsesAreCountedByTheOutcomeOfTheCache() async throws {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in
      .status(200, headers: [.cacheControl: "max-age=60"], body: Data("a".utf8))
    }
    let gateway = gateway(session, cache: MemoryCacheStorage())
    for _ in 1...3 { _ = try await gateway.request("users").send() }
    #expect(
      recorded.names(of: "anvil.client.cache.responses")
        == ["anvil.cache.outcome=miss", "anvil.cache.outcome=hit", "anvil.cache.outcome=hit"])
  }

  @Test func unknownMethodsShareASeries() async throws {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .status(204) }
    let gateway = gateway(session)
    for name in ["ODD", "EVEN"] { _ = try await gateway.request("a", method: HTTP.Method(rawValue: name)).send() }
    #expect(Set(recorded.names(of: "http.client.request.duration")).count == 1)
    #expect(recorded.handlerCount(of: "http.client.request.duration") == 1)
  }
}

/// A factory that keeps what is recorded.
final class RecordedMetrics: MetricsFactory {
  private struct Value: Sendable {
    var label: String
    var dimensions: String
    var value: Int64
  }

  private struct State {
    var values: [Value] = []
    var handlerCounts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// The dimensions of each value, as text.
  func names(of label: String) -> [String] {
    state.withLock { $0.values.filter { $0.label == label }.map(\.dimensions) }
  }
  func values(of label: String) -> [Int64] { state.withLock { $0.values.filter { $0.label == label }.map(\.value) } }
  func sum(of label: String) -> Int64 { values(of: label).reduce(0, +) }
  func handlerCount(of label: String) -> Int { state.withLock { $0.handlerCounts[label] ?? 0 } }

  /// The sums by dimensions.
  func sums(of label: String) -> [String: Int64] {
    state.withLock { state in
      state.values.filter { $0.label == label }.reduce(into: [:]) { $0[$1.dimensions, default: 0] += $1.value }
    }
  }

  private final class Handler: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    let metrics: RecordedMetrics
    let label: String
    let dimensions: String

    init(_ metrics: RecordedMetrics, _ label: String, _ dimensions: [(String, String)]) {
      self.metrics = metrics
      self.label = label
      self.dimensions = dimensions.map { "\($0)=\($1)" }.joined(separator: " ")
      metrics.state.withLock { $0.handlerCounts[label, default: 0] += 1 }
    }

    private func add(_ value: Int64) {
      metrics.state.withLock { $0.values.append(Value(label: label, dimensions: dimensions, value: value)) }
    }

    func increment(by value: Int64) { add(value) }
    func reset() {}
    func set(_ value: Int64) { add(value) }
    func set(_ value: Double) { add(Int64(value)) }
    func increment(by value: Double) { add(Int64(value)) }
    func decrement(by value: Double) { add(-Int64(value)) }
    func record(_ value: Int64) { add(value) }
    func record(_ value: Double) { add(Int64(value)) }
    func recordNanoseconds(_ duration: Int64) { add(duration) }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    Handler(self, label, dimensions)
  }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { Handler(self, label, dimensions) }
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    Handler(self, label, dimensions)
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Handler(self, label, dimensions) }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}
#endif
