package import AnvilBase
public import AnvilClient
internal import AnvilHTTP
internal import Synchronization

/// The requirements on every `TransportSession`, as test cases that run against an implementation.
///
///     @Test(arguments: TransportContract.cases.filter { $0.needs.isSubset(of: [.rawConnection, .sockets]) })
///     func holds(_ contractCase: TransportContract.Case) async throws {
///       try await contractCase.run(on: MySession())
///     }
///
/// A case starts the `LoopbackServer` that it needs, and throws a `ContractError` that describes the
/// failed expectation. No case checks speed. A session that hangs makes the case hang, so set a time limit on the test. To exclude cases
/// that a session cannot pass, filter the cases by ``Case/needs`` or ``Case/name``. Write the reason next to an excluded name, and check
/// that ``cases`` still contains it.
public enum TransportContract {
  /// A single requirement and the test that checks it.
  public struct Case: Sendable, CustomStringConvertible {
    /// The requirement, in words.
    public let name: String
    /// The capabilities that the case needs of the session and the endpoint.
    public let needs: Set<Need>
    private let body: @Sendable (Setting) async throws -> Void

    init(_ name: String, needs: Set<Need> = [], _ body: @escaping @Sendable (Setting) async throws -> Void) {
      self.name = name
      self.needs = needs
      self.body = body
    }

    /// Runs the case on `session` and leaves the session usable. Cases may share a session and run concurrently.
    ///
    /// - Throws: `ContractError` if an expectation fails, `LoopbackServer.StartError`, or an unexpected error of the session.
    public func run(on session: any TransportSession) async throws { try await run(on: session, at: .direct) }

    package func run(on session: any TransportSession, at endpoint: Endpoint) async throws {
      try await body(Setting(session: session, endpoint: endpoint))
    }

    /// The text of ``name``.
    public var description: String { name }
  }

  /// A capability that not every session has.
  public enum Need: Hashable, Sendable, CaseIterable {
    /// A network connection, which a stub does not have.
    case sockets
    /// A direct HTTP/1.1 connection to the server, on which resets and the reuse of connections are visible.
    case rawConnection
    /// Faults of the server that reach the session unchanged. A proxy would answer many of them with a 502.
    case faults
    /// The session reports informational responses, trailers and metrics: `TransferEvent`.
    case events
    /// The session applies backpressure to a server whose response is not read.
    case backPressure
    /// The machine has the address `::1`, and the session accepts it in a URL.
    case ipv6
    /// The session decompresses gzip and deflate.
    case decompression
    /// The session decompresses Brotli. Source: RFC 7932.
    case brotli
    /// The session decompresses Zstandard. Source: RFC 8878.
    case zstandard
    /// The servers of the case cannot be trusted, which only the tests of this package provide.
    case untrustedServers
  }

  /// All cases. Their names are unique.
  public static let cases: [Case] =
    statusCases + framingCases + decodingCases + fieldCases + targetCases + requestBodyCases + deliveryCases
    + eventCases + redirectionCases + authenticationCases + cancellationCases + timeoutCases + refusalCases
    + connectionCases + concurrencyCases + faultCases + malformedCases + unreachableCases
}

extension TransportContract {
  /// The route over which a session reaches the loopback server of a case.
  package struct Endpoint: Sendable {
    /// The reason why a server cannot be trusted.
    package enum CertificateDefect: String, Hashable, Sendable, CaseIterable {
      case wrongHost = "names another host"
      case expired = "has expired"
      case selfSigned = "is self-signed"
      case unknownIssuer = "comes from an unknown authority"
    }

    private let front: URL?
    let untrusted: [CertificateDefect: URL]
    private let prepare: @Sendable (LoopbackServer) -> Void

    /// The loopback server itself, over plain HTTP/1.1.
    package static let direct = Endpoint(front: nil, untrusted: [:]) { _ in }

    /// Returns an endpoint for a proxy in front of the loopback server. The proxy may use another version of HTTP with the session.
    ///
    /// The proxy forwards a request for `<front>/to/<port>/<path>` to `http://127.0.0.1:<port>/<path>`, with the path and query unchanged
    /// byte for byte. It must stream bodies in both directions, and end its request to the server if the session ends the request. The
    /// session has to trust the proxy's certificate. Cases that need ``Need/rawConnection`` or ``Need/faults`` fail with a proxy.
    ///
    /// - Parameters:
    ///   - front: The URL of the proxy, such as `https://localhost:8443`.
    ///   - untrusted: Servers for the cases that need ``Need/untrustedServers``. The session must not trust them.
    package static func through(front: URL, untrusted: [CertificateDefect: URL] = [:]) -> Endpoint {
      Endpoint(front: front, untrusted: untrusted) { _ in }
    }

    /// Returns an endpoint without a network: `session`, on which the cases are run, answers with the routes of each server.
    package static func stub(_ session: StubSession) -> Endpoint {
      Endpoint(front: nil, untrusted: [:]) { session.answer(as: $0) }
    }

    func server(
      address: LoopbackServer.Address, requestBodies: LoopbackServer.BodyPolicy
    ) throws -> LoopbackServer {
      let server = try LoopbackServer(address: address, requestBodies: requestBodies)
      prepare(server)
      return server
    }

    /// Returns the URL with which the session reaches `target` on `server`. The target is a path with an optional query.
    func url(of server: LoopbackServer, _ target: String) -> URL {
      let direct = server.url(target)
      guard let front else { return direct }
      let path = direct.absoluteString.dropFirst(server.url.absoluteString.count)
      return URL(string: "\(front.absoluteString)/to/\(server.port)\(path)") ?? front
    }
  }
}

/// A list of values in the order in which they were recorded, on any thread.
final class Recorder<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  var all: [Element] { list.withLock { $0 } }

  func add(_ element: Element) {
    list.withLock { $0.append(element) }
  }
}

/// A file that is deleted when its last reference is released.
final class TemporaryFile: Sendable {
  let url: URL
  let contents: Data

  init(_ contents: Data) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "anvil-contract-\(UUID().uuidString)")
    self.contents = contents
    try contents.write(to: url)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}

/// Cases for servers that cannot be reached, or that cannot be reached securely.
extension TransportContract {
  static let unreachableCases: [Case] =
    [
      Case("a refused connection is reported as noConnection", needs: [.sockets]) { setting in
        // No server uses port 1, whereas the port of a stopped server may already be in use by another test.
        let url = try require(URL(string: "http://127.0.0.1:1/"), "URL")
        let outcome = await setting.exchange(HTTP.Request(url: url))
        try outcome.expectError(.noConnection, in: .connect, .firstByte)
        try expect(outcome.head, is: nil)
      },
      Case("a host that does not exist is reported as hostNotFound", needs: [.sockets]) { setting in
        let url = try require(URL(string: "http://no-such-host.invalid/"), "URL")
        try await setting.exchange(HTTP.Request(url: url)).expectError(.hostNotFound, in: .connect, .firstByte)
      },
      Case("HTTPS to a server without TLS is reported as tlsFailure", needs: [.rawConnection]) { setting in
        let server = try setting.server(answering: .text("plain"))
        let url = try require(URL(string: "https://127.0.0.1:\(server.port)/"), "URL")
        let outcome = await setting.exchange(HTTP.Request(url: url))
        try outcome.expectError(.tlsFailure, in: .tls, .connect, .firstByte)
        try expect(outcome.head, is: nil)
        try expect(server.requests.count, is: 0)
      },
    ]
    + Endpoint.CertificateDefect.allCases.map { distrust in
      Case("a server whose certificate \(distrust.rawValue) is not trusted", needs: [.untrustedServers]) { setting in
        let url = try require(
          setting.endpoint.untrusted[distrust], "server of an endpoint whose certificate \(distrust.rawValue)")
        for _ in 0..<2 {
          let outcome = await setting.exchange(HTTP.Request(url: url))
          try outcome.expectError(.tlsFailure, in: .tls, .connect, .firstByte)
          try expect(outcome.head, is: nil)
        }
      }
    }

  struct Setting: Sendable {
    let session: any TransportSession
    let endpoint: Endpoint

    func server(
      address: LoopbackServer.Address = .ipv4, requestBodies: LoopbackServer.BodyPolicy = .kept
    ) throws -> LoopbackServer {
      try endpoint.server(address: address, requestBodies: requestBodies)
    }

    func server(answering reply: LoopbackServer.Reply) throws -> LoopbackServer {
      let server = try server()
      server.on(.get, "/") { _ in reply }
      return server
    }

    func server(sending text: String, then end: LoopbackServer.Step = .close) throws -> LoopbackServer {
      try server(answering: .raw([.send(Data(text.utf8)), end]))
    }

    func echoServer() throws -> LoopbackServer {
      let server = try server()
      for method in [HTTP.Method.get, .post, .put, .patch, .delete, .options, "PURGE"] {
        server.on(method, "/*") { .status(200, body: $0.body) }
      }
      return server
    }

    func url(_ server: LoopbackServer, _ target: String = "/") -> URL { endpoint.url(of: server, target) }

    func get(_ server: LoopbackServer, _ target: String = "/") -> HTTP.Request {
      request(.get, server, target)
    }

    func request(
      _ method: HTTP.Method, _ server: LoopbackServer, _ target: String = "/", headers: HTTP.Headers = [:],
      body: HTTP.Body = .empty
    ) -> HTTP.Request {
      HTTP.Request(method: method, url: url(server, target), headers: headers, body: body)
    }

    func exchange(_ request: HTTP.Request, _ options: TransportOptions = .patient) async -> Outcome {
      var outcome = Outcome()
      do throws(TransportError) {
        let response = try await session.send(request, options: options)
        outcome.head = response.head
        var chunks = response.body.makeAsyncIterator()
        while let chunk = try await chunks.next() { outcome.body += chunk }
      } catch {
        outcome.error = error
      }
      return outcome
    }

    /// Returns the outcome of an exchange that exceeds its time limit in `phase`. On a busy machine the limit may be reached in an earlier
    /// phase, which does not test the expected one: it is then repeated with four times the limit, until that is at least 15 seconds.
    func timedOut<Ending>(
      in phase: TransportError.Phase, after timeout: Duration, error: (Ending) -> TransportError?,
      _ exchange: (TransportOptions) async throws -> Ending
    ) async rethrows -> Ending {
      var timeout = timeout
      while true {
        let ending = try await exchange(TransportOptions(timeout: timeout))
        let error = error(ending)
        guard error?.code == .timedOut, error?.phase != phase, timeout < .seconds(15) else { return ending }
        timeout *= 4
      }
    }

    /// Returns the outcome of ``exchange(_:_:)`` for a request that exceeds `timeout` in `phase`.
    func exchange(
      _ request: HTTP.Request, timingOutIn phase: TransportError.Phase, after timeout: Duration
    ) async -> Outcome {
      await timedOut(in: phase, after: timeout, error: \.error) { await exchange(request, $0) }
    }

    func response(to request: HTTP.Request, _ options: TransportOptions = .patient) async throws -> HTTP.Response {
      let outcome = await exchange(request, options)
      if let error = outcome.error { throw error }
      var response = try require(outcome.head, "head")
      response.body = HTTP.Body(outcome.body)
      return response
    }

    /// Sends a request through `TransportService`, the layer above the session, and returns its success or failure.
    func execute(
      _ request: HTTP.Request, _ options: TransportOptions = .patient
    ) async -> Result<TransportSuccess, TransportFailure> {
      await TransportService(session: session).execute(request, options: options)
    }

    /// Checks that the session still works, by sending a request to a new server.
    func expectUsable(line: UInt = #line, file: String = #fileID) async throws {
      let server = try server(answering: .text("usable"))
      try expect(try await response(to: get(server)).body.string, is: "usable", line: line, file: file)
    }
  }

  struct Outcome: Sendable {
    var head: HTTP.Response?
    var body = Data()
    var error: TransportError?

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Checks that the exchange ended with the error `code`, in one of `phases`. If `phases` is empty, any phase is accepted.
    func expectError(
      _ code: TransportError.Code, in phases: TransportError.Phase?..., line: UInt = #line, file: String = #fileID
    ) throws {
      let error = try require(error, "error \(code); the response is \(text.prefix(100))", line: line, file: file)
      try expect(error.code == code, "\(error) is not \(code)", line: line, file: file)
      guard !phases.isEmpty else { return }
      try expect(
        phases.contains(error.phase), "\(error) has phase \(error.phase?.rawValue ?? "none")", line: line, file: file)
    }
  }

  /// Waits until `condition` is true. The only time limit is that of the test.
  static func wait(until condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  static func waitForCancellation() async {
    while (try? await Task.sleep(for: .seconds(60))) != nil {}
  }

  /// Runs `body` with each number below `count`, at most `limit` at the same time.
  static func concurrently(
    _ count: Int, limit: Int = .max, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= limit { try await group.next() }
        group.addTask { try await body(index) }
      }
      try await group.waitForAll()
    }
  }

  /// Returns `count` bytes in which neighbouring positions have different values.
  static func pattern(_ count: Int) -> Data {
    // Built from rows of 251 ascending bytes: byte by byte, a large body would take seconds without optimization.
    let numbers = Data((0..<512).map { UInt8(truncatingIfNeeded: $0) })
    var data = Data(capacity: count)
    for start in stride(from: 0, to: count, by: 251) {
      let first = (start / 251 &* 7 &+ start) & 0xFF
      data += numbers[first..<first + min(251, count - start)]
    }
    return data
  }
}

extension TransportOptions {
  static var patient: TransportOptions { TransportOptions(timeout: .seconds(240)) }
}

extension Result {
  /// The error of a failure; otherwise `nil`.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

package func expect(
  _ condition: Bool, _ what: @autoclosure () -> String, line: UInt = #line, file: String = #fileID
) throws {
  guard condition else { throw ContractError(description: "\(file):\(line): \(what())") }
}

package func expect<Value: Equatable>(
  _ value: Value, is expected: Value, line: UInt = #line, file: String = #fileID
) throws {
  try expect(value == expected, "\(value) is not \(expected)", line: line, file: file)
}

/// Returns the value of an optional that must not be `nil`.
package func require<Value>(_ value: Value?, _ what: String, line: UInt = #line, file: String = #fileID) throws -> Value
{
  guard let value else { throw ContractError(description: "\(file):\(line): missing: \(what)") }
  return value
}

/// A failed expectation of a contract.
public struct ContractError: Error, CustomStringConvertible {
  /// The location of the expectation, and how it failed.
  public let description: String

  package init(description: String) {
    self.description = description
  }
}
