import Anvil
import AnvilTesting
import AnvilURLSession
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct TransportSamples {
  let server: LoopbackServer
  let baseURL: URL

  init() throws {
    server = try LoopbackServer()
    baseURL = server.url
    server.on(.get, "/users/:id") { _ in .json(#"{"id": 1, "login": "ada"}"#) }
    server.on(.get, "/image.iso") { _ in .status(200, headers: [.eTag: "\"1\""], body: Data(count: 100_000)) }
  }

  @Test func sessionCanBeChosen() async throws {
    // sample: choose
    let gateway = Gateway(baseURL: baseURL, session: URLTransportSession.shared)
    // end sample
    #expect(try await gateway.request("users", 1).execute().decode(as: User.self).value.login == "ada")
  }

  #if os(Linux)
  @Test func phasesHaveTimeouts() async throws {
    // sample: timeouts
    var configuration = CurlSession.Configuration()
    configuration.timeouts.connect = .seconds(2)
    configuration.timeouts.firstByte = .seconds(10)
    configuration.timeouts.idle = .seconds(5)
    configuration.connections.perHost = 16

    let gateway = Gateway(baseURL: baseURL, session: CurlSession(configuration: configuration))
    // end sample
    #expect(try await gateway.request("users", 1).execute().decode(as: User.self).value.login == "ada")
  }

  @Test func trustIsConfigured() async throws {
    let (certificate, key, password) = (Data("none".utf8), Data("none".utf8), "secret")
    let pin = Data(count: 32).base64EncodedString()
    var configuration = CurlSession.Configuration()
    // sample: tls
    configuration.tls.trust = .authorities(.file(URL(filePath: "/etc/company/ca.pem")))
    configuration.tls.clientCertificate = .init(
      certificate: .pem(certificate), key: .pem(key), keyPassword: password)
    configuration.tls.pinnedKeys = [pin].compactMap { .init(sha256: $0) }
    configuration.tls.minimumVersion = .tls13
    // end sample
    #expect(configuration.tls.pinnedKeys.count == 1)
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let result = await TransportService(session: CurlSession(configuration: configuration)).execute(.init(url: url))
    guard case .failure = result else {
      Issue.record("a missing file of authorities must be an error")
      return
    }
  }

  @Test func proxyAndAddressesAreConfigured() async throws {
    let proxyURL = try #require(URL(string: "http://127.0.0.1:1"))
    let password = "secret"
    var configuration = CurlSession.Configuration()
    // sample: proxy
    configuration.proxy = .server(proxyURL, user: "reader", password: password, excluding: ["127.0.0.1", "intranet"])
    configuration.resolveOverrides = [.init(host: "api.example.com", port: 443, addresses: ["192.0.2.7"])]
    // end sample
    let gateway = Gateway(baseURL: baseURL, session: CurlSession(configuration: configuration))
    #expect(try await gateway.request("users", 1).execute().value.code == 200)
  }

  @Test func privateAddressesAreGuarded() async throws {
    let url = server.url("/users/1")
    // sample: guard
    var configuration = CurlSession.Configuration()
    configuration.addressGuard = .publicOnly
    let transport = TransportService(session: CurlSession(configuration: configuration))
    let result = await transport.execute(HTTP.Request(url: url))  // fails for 127.0.0.1, and nothing is sent
    // end sample
    guard case .failure(let failure) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.error.code == .noConnection)
    #expect(server.requests.isEmpty)
  }

  @Test func tasksRunOnTheSessionsThread() async throws {
    let session = CurlSession()
    let gateway = Gateway(baseURL: baseURL, session: session)
    let user = try await withTaskExecutorPreference(session.executor) {
      try await gateway.request("users", 1).execute().decode(as: User.self).value
    }
    await session.shutDown()  // or .cancellingTransfers
    #expect(user.login == "ada")
    await #expect(throws: TransportFailure.self) { try await gateway.request("users", 1).execute().value }
  }

  @Test func attemptsAreMeasured() async throws {
    let gateway = Gateway(baseURL: baseURL)
    let seen = Mutex(0)
    var request = gateway.request("users", 1)
    request.eventHandler = { event in
      guard case .finished(let metrics) = event else { return }
      print("\(metrics.total) in all, connected after \(metrics.connected ?? .zero)")
    }
    let response = try await request.execute().value
    request.eventHandler = { if case .finished = $0 { seen.withLock { $0 += 1 } } }
    _ = try await request.execute().value
    #expect(response.code == 200 && seen.withLock { $0 } == 1)
  }
  #endif

  @Test func downloadsAreResumed() async throws {
    let gateway = Gateway(baseURL: baseURL)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).iso")
    defer { try? FileManager.default.removeItem(at: file) }
    // sample: download
    var options = DownloadOptions()
    options.progressHandler = { progress in
      print(progress.byteCount, "of", progress.totalByteCount.map(String.init) ?? "?")
    }
    let response = try await gateway.request("image.iso").download(to: file, options: options)
    // end sample
    #expect(response.body.length == 100_000)
  }
}
