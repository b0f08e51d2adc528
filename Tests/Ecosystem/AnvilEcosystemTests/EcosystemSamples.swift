#if SwiftLog && SwiftMetrics && SwiftTracing && HTTPTypes && OpenAPIRuntime && ServiceLifecycle && AsyncHTTPClient
import Anvil
import AnvilEcosystem
import AnvilObservability
import AnvilSQLite
import AnvilStore
import AnvilSync
import AnvilSyncEcosystem
import AnvilTesting
import AsyncHTTPClient
import CoreMetrics
import Foundation
import HTTPTypes
import Logging
import OpenAPIRuntime
import ServiceLifecycle
import Testing
import Tracing

// Scoped imports: in this file, these names are those of swift-http-types.
import struct HTTPTypes.HTTPRequest
import struct HTTPTypes.HTTPResponse

/// The samples of the guide "At home in the ecosystem": GuideTests compare them with it.
@Suite(.timeLimit(.minutes(15))) struct EcosystemSamples {
  private let session = StubSession()
  private let logger = RecordedLog().logger

  init() {
    session.on("any", where: { _ in true }) { _ in .json(#"[{"id": 1, "name": "ada"}]"#) }
  }

  @Test func aProgramLogsItsCalls() {
    // sample: ecosystem-first
    var configuration = ClientConfiguration.standard
    configuration.logging = .init(Logger(label: "api"))
    let api = Gateway("https://api.example.com/v1", configuration: configuration)
    // end sample
    #expect(api.baseURL.host() == "api.example.com")
  }

  @Test func callsAreLogged() async throws {
    let recorded = RecordedLog()
    let logger = recorded.logger
    var configuration = ClientConfiguration.standard
    configuration.logging = .init(logger)
    _ = try await Gateway("https://api.example.com", session: session, configuration: configuration).request("a").send()
    #expect(recorded.all.count == 1)
  }

  @Test func callsAreMeasuredAndTraced() async throws {
    let metrics = RecordedMetrics()
    let tracer = RecordedTracer()
    var configuration = ClientConfiguration.standard
    // sample: ecosystem-metrics
    configuration.addMetrics(metrics)  // without an argument: the factory of MetricsSystem
    // end sample
    // sample: ecosystem-tracing
    configuration.addTracing(tracer)  // without an argument: the tracer of InstrumentationSystem
    // end sample
    _ = try await Gateway("https://api.example.com", session: session, configuration: configuration).request("a").send()
    #expect(metrics.names(of: "http.client.request.duration").count == 1)
    #expect(tracer.ended.count == 2)
  }

  @Test func pullsAreLoggedAndMeasured() async throws {
    let store = try await Store(.inMemory)
    let members = session.pull
    let metrics = RecordedMetrics()
    // sample: ecosystem-pull
    let report = try await store.run(members, observers: [.log(logger), .metrics(metrics)])
    // end sample
    #expect(report.counts.inserted == 1)
  }

  @Test func messagesAreConverted() throws {
    let request = HTTP.Request(url: try #require(URL(string: "https://api.example.com/users?page=2")))
    // sample: ecosystem-types
    let message = try HTTPTypes.HTTPRequest(request)  // fields in order, with duplicates
    print(message.scheme ?? "", message.authority ?? "", message.path ?? "")
    let again = try HTTP.Request(message, body: HTTP.Body("text"))
    // end sample
    #expect(again.url == request.url)
    let unqualified: HTTPRequest = message
    #expect(unqualified == message)
  }

  @Test func aGeneratedClientUsesAGateway() async throws {
    struct Client {
      let serverURL: URL
      let transport: any ClientTransport
    }
    let session = session
    let serverURL = try #require(URL(string: "https://api.example.com/v1"))
    // sample: ecosystem-openapi
    let gateway = Gateway(baseURL: serverURL, session: session)  // retries, cache, authentication, recordings
    let client = Client(serverURL: serverURL, transport: GatewayTransport(gateway))
    // end sample
    let get = try #require(HTTPRequest.Method(.get))
    let (response, _) = try await client.transport.send(
      HTTPRequest(method: get, scheme: nil, authority: nil, path: "/users"), body: nil, baseURL: client.serverURL,
      operationID: "users")
    #expect(response.status.code == 200)
  }

  @Test func servicesEndGracefully() async throws {
    let store = try await Store(.inMemory)
    let members = session.pull
    let session = CurlSession()
    let file = FileManager.default.temporaryDirectory.appending(path: "anvil-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let exporter = OTLPExporter(to: .file(file), service: "shop")
    // sample: ecosystem-lifecycle
    let group = ServiceGroup(
      services: [
        ClosingService { await session.shutDown() },  // ended last
        ClosingService(exporter),
        PullService(members, in: store, every: .seconds(60), observers: [.log(logger)]),  // ended first
      ],
      logger: logger)
    // end sample
    async let running: Void = group.run()
    while try await store.fetch(Member.self).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    await group.triggerGracefulShutdown()
    try await running
  }

  @Test func aClientOfTheProgramIsTheTransport() async throws {
    #if ECOSYSTEM_STUBS
    HTTPClient.stub { try await StubbedExchange.perform($0, until: $1) }
    #endif
    let server = try LoopbackServer()
    server.on(.get, "/users") { _ in .json("[]") }
    let baseURL = server.url
    // sample: ecosystem-client
    var settings = HTTPClient.Configuration()
    settings.redirectConfiguration = .disallow  // Anvil follows redirects
    let client = HTTPClient(configuration: settings)
    let gateway = Gateway(baseURL: baseURL, session: AsyncHTTPSession(client))
    // end sample
    let response = try await gateway.request("users").send()
    #expect(response.body.string == "[]")
    try await client.shutdown()
  }
}
#endif
