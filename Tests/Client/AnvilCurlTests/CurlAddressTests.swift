import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The addresses that a session connects to or refuses.
@Suite(.timeLimit(.minutes(15))) struct CurlAddressTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/*") { .text("host \($0.headers[.host]?.rawValue ?? "")") }
  }

  // MARK: Unix-domain sockets

  @Test(.enabled(if: Nginx.shared?["SOCKET"] != nil, "ANVIL_NGINX_SOCKET is not set: scripts/with-nginx"))
  func aUnixSocketIsUsedForEveryHost() async throws {
    let path = try #require(Nginx.shared?["SOCKET"])
    let session = CurlSession(configuration: configured { $0.unixSocketPath = path })
    for host in ["localhost", "no-such-host.invalid", "10.0.0.1"] {
      let url = try #require(URL(string: "http://\(host)/bytes/500"))
      #expect(await session.get(url).body.count == 500)
    }
    // The address guard does not apply to the path of a Unix-domain socket.
    let guarded = CurlSession(
      configuration: configured {
        $0.unixSocketPath = path
        $0.addressGuard = .publicOnly
      })
    #expect(await guarded.get(try #require(URL(string: "http://localhost/"))).text == "nginx\n")
  }

  @Test(.enabled(if: Nginx.shared?["SOCKET"] != nil, "ANVIL_NGINX_SOCKET is not set: scripts/with-nginx"))
  func aPathWithANULIsRejected() async throws {
    let path = try #require(Nginx.shared?["SOCKET"])
    let session = CurlSession(configuration: configured { $0.unixSocketPath = path + "\u{0}.safe" })
    #expect(await session.get(server.url("/")).error?.code == .other)
  }

  @Test(arguments: ["/no/such/socket", "/tmp", "", "/tmp/a\u{0}b", "/" + String(repeating: "x", count: 200)])
  func anInvalidUnixSocketIsReported(path: String) async {
    let session = CurlSession(configuration: configured { $0.unixSocketPath = path })
    let outcome = await session.get(server.url("/"))
    #expect(outcome.error != nil, "\(outcome)")
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("/no/such/socket", TransportError.Code.noConnection, "the Unix socket /no/such/socket could not be connected"),
    ("/" + String(repeating: "x", count: 200), .invalidRequest, "Unix socket path too long"),
  ])
  func errorsOfAUnixSocketNameIt(path: String, code: TransportError.Code, reason: String) async {
    let outcome = await CurlSession(configuration: configured { $0.unixSocketPath = path }).get(server.url("/"))
    #expect(outcome.error?.code == code && outcome.reason.hasPrefix(reason), "\(outcome)")
  }

  // MARK: Overrides

  @Test func anOverrideReplacesNameResolution() async throws {
    let session = CurlSession(
      configuration: configured {
        $0.resolveOverrides = [
          .init(host: "one.invalid", port: server.port, addresses: ["127.0.0.1"]),
          // No server listens at the first address.
          .init(host: "two.invalid", port: server.port, addresses: ["127.255.255.254", "127.0.0.1"]),
          .init(host: Unresolvable.name, port: 1, addresses: ["127.0.0.1"]),
        ]
      })
    for host in ["one.invalid", "two.invalid"] {
      let outcome = await session.get(try #require(URL(string: "http://\(host):\(server.port)/")))
      #expect(outcome.text == "host \(host):\(server.port)", "\(outcome)")
      #expect(outcome.metrics?.remoteAddress == "127.0.0.1")
    }
    let other = try #require(URL(string: "http://\(Unresolvable.name):\(server.port)/"))
    #expect(await session.get(other).error?.code == .hostNotFound)
  }

  @Test(.enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
  func theCertificateMustMatchTheOverriddenName() async throws {
    let nginx = try #require(Nginx.shared)
    let port = try #require(nginx.url.port)
    let session = CurlSession(
      configuration: configured(nginx.configuration) {
        $0.resolveOverrides = [.init(host: "other.invalid", port: port, addresses: ["127.0.0.1"])]
      })
    let outcome = await session.get(try #require(URL(string: "https://other.invalid:\(port)/")))
    #expect(outcome.error?.code == .tlsFailure)
  }

  @Test(arguments: ["", "nonsense", "256.1.1.1", "a,b", "127.0.0.1:80", "\u{0}", "::::"])
  func anInvalidOverrideIsReported(address: String) async throws {
    let session = CurlSession(
      configuration: configured {
        $0.resolveOverrides = [.init(host: Unresolvable.name, port: server.port, addresses: [address])]
      })
    let url = try #require(URL(string: "http://\(Unresolvable.name):\(server.port)/"))
    #expect(await session.get(url).error != nil)
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [("", 80), ("odd.invalid", -1), ("odd.invalid", .max), ("a:b:c", 1), ("+x", 1), ("-x", 1), ("[", 1)])
  func anOddOverrideDoesNotTrap(host: String, port: Int) async {
    let session = CurlSession(
      configuration: configured { $0.resolveOverrides = [.init(host: host, port: port, addresses: ["127.0.0.1"])] })
    let outcome = await session.get(server.url("/"))
    #expect(outcome.error != nil || outcome.text.hasPrefix("host"))
  }

  // MARK: The guard

  @Test(arguments: [
    "127.0.0.1", "localhost", "[::1]", "127.1", "2130706433", "0x7f000001", "0.0.0.0", "[::ffff:127.0.0.1]",
  ])
  func aGuardRejectsAddressesThatAreNotPublic(host: String) async throws {
    let session = CurlSession(configuration: configured { $0.addressGuard = .publicOnly })
    let url = try #require(URL(string: "http://\(host):\(server.port)/"))
    let outcome = await session.get(url)
    #expect(outcome.error?.code == .noConnection, "\(outcome)")
    #expect(outcome.error?.phase == .connect)
    #expect(outcome.reason.contains("is not allowed"), "\(outcome)")
    #expect(server.requests.isEmpty)
  }

  @Test func aGuardChecksResolvedAddresses() async throws {
    let session = CurlSession(
      configuration: configured {
        $0.addressGuard = .publicOnly
        $0.resolveOverrides = [.init(host: "public.invalid", port: server.port, addresses: ["127.0.0.1"])]
      })
    let outcome = await session.get(try #require(URL(string: "http://public.invalid:\(server.port)/")))
    #expect(outcome.error?.code == .noConnection)
    #expect(outcome.reason == "the address 127.0.0.1 is not allowed")
    #expect(server.requests.isEmpty)
  }

  @Test func aRefusedAddressIsNotTriedAgain() async throws {
    let asked = Recorder<IPAddress>()
    let session = CurlSession(
      configuration: configured {
        $0.addressGuard = .custom { address in
          asked.add(address)
          return false
        }
      })
    var configuration = ClientConfiguration.standard
    configuration.circuitBreaker = CircuitBreaker(failureLimit: 1)
    let gateway = Gateway(baseURL: server.url, session: session, configuration: configuration)
      .failing(as: TransportFailure.self)
    for count in 1...2 {
      let failure = await #expect(throws: TransportFailure.self) { _ = try await gateway.request("x").send() }
      #expect(failure?.error.code == .noConnection && failure?.error.history.isEmpty == true, "\(failure as Any)")
      #expect(asked.all.count == count)
    }
    let events = gateway.request("x").events()
    await #expect(throws: TransportFailure.self) { for try await _ in events {} }
    #expect(asked.all.count == 3)
  }

  @Test func aGuardDoesNotHideARefusedConnection() async throws {
    // No server listens at this port.
    let port = try RawSocket.listening(backlog: 1).port
    let session = CurlSession(
      configuration: configured {
        $0.addressGuard = .custom { $0.bytes != [127, 0, 0, 1] }
        $0.resolveOverrides = [.init(host: "both.invalid", port: port, addresses: ["127.0.0.1", "127.0.0.2"])]
      })
    let outcome = await session.get(try #require(URL(string: "http://both.invalid:\(port)/")))
    #expect(outcome.error?.code == .noConnection)
    #expect(outcome.reason.contains("Couldn't connect to server"), "\(outcome)")
    #expect(
      outcome.reason.hasSuffix("another address was not tried: the address 127.0.0.1 is not allowed"), "\(outcome)")
  }

  @Test func aCustomGuardDecides() async throws {
    let asked = Recorder<IPAddress>()
    let session = CurlSession(
      configuration: configured {
        $0.addressGuard = .custom { address in
          asked.add(address)
          return address.bytes != [127, 0, 0, 1]
        }
        $0.resolveOverrides = [.init(host: "both.invalid", port: server.port, addresses: ["127.0.0.1", "127.0.0.2"])]
      })
    #expect(await session.get(server.url("/")).reason == "the address 127.0.0.1 is not allowed")
    #expect(asked.all.map(\.description) == ["127.0.0.1"])
    // A refused address does not affect the others.
    _ = await session.get(try #require(URL(string: "http://both.invalid:\(server.port)/")))
    #expect(asked.all.map(\.description).contains("127.0.0.2"))
  }

  @Test func theGuardChecksTheProxysAddress() async throws {
    let proxy = try TestProxy()
    let url = try proxy.url("http")
    let session = CurlSession(
      configuration: configured {
        $0.addressGuard = .publicOnly
        $0.proxy = .server(url)
      })
    let outcome = await session.get(try #require(URL(string: "http://example.invalid/")))
    #expect(outcome.error?.code == .noConnection)
    #expect(outcome.reason.contains("127.0.0.1"), "\(outcome)")
    #expect(proxy.asked.all.isEmpty)
  }
}
