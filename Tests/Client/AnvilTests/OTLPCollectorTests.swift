import Anvil
import AnvilObservability
import AnvilTesting
import Foundation
import Testing

/// Exports over real connections, to a server in the place of a collector.
@Suite(.timeLimit(.minutes(15))) struct OTLPCollectorTests {
  @Test func aCollectorReceivesTheSpansSentToAServer() async throws {
    let (server, collector) = (try LoopbackServer(), try LoopbackServer())
    server.on(.get, "/old") { _ in .status(302, headers: [.location: "/new"]) }
    server.on(.get, "/new") { _ in .json("[]") }
    collector.on(.post, "/otlp/v1/*") { _ in .json("{}") }
    let exporter = OTLPExporter(
      to: .collector(collector.url("/otlp"), headers: ["X-Api-Key": "k"]), service: "shop",
      resource: ["deployment.environment.name": "test"])
    var configuration = ClientConfiguration.standard
    configuration.interceptors = [(TracingInterceptor(outside: .newTrace), at: .attempt), (exporter, at: .attempt)]
    let gateway = Gateway(baseURL: server.url, configuration: configuration)
    #expect(try await gateway.get("old", as: [Int].self).isEmpty)
    await exporter.close()
    #expect(exporter.statistics.exportedSpanCount == 2 && exporter.statistics.lastError == nil)

    let messages = collector.requests
    #expect(messages.map(\.path) == ["/otlp/v1/traces", "/otlp/v1/metrics"])
    #expect(messages.allSatisfy { $0.headers[.contentType] == "application/json" && $0.headers["X-Api-Key"] == "k" })
    #expect(messages.allSatisfy { !$0.headers.contains("traceparent") })
    let bodies = try messages.map { try JSON(parsing: $0.body) }
    let spans = try #require(bodies.first?["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"]).elements.map { $0 }
    #expect(
      spans.map { "00-\($0["traceId"]?.string ?? "")-\($0["spanId"]?.string ?? "")-01" }
        == server.requests.map { $0.headers["traceparent"]?.rawValue })
    #if os(Linux)
    // URLSession reports no metrics.
    let version: JSON = ["key": "network.protocol.version", "value": ["stringValue": "1.1"]]
    #expect(spans.allSatisfy { $0["attributes"]?.elements.contains(version) == true })
    #endif
    let metric = bodies.last?["resourceMetrics"]?[0]?["scopeMetrics"]?[0]?["metrics"]?[0]
    #expect(metric?["histogram"]?["dataPoints"]?.elements.count == 2)
  }
}
