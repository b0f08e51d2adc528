public import AnvilClient

/// The requirements on every `TransportSession`, as test cases that run against an implementation.
///
///     @Test(arguments: TransportContract.cases.filter { $0.needs.isSubset(of: [.rawConnection, .sockets]) })
///     func holds(_ contractCase: TransportContract.Case) async throws {
///       try await contractCase.run(on: MySession())
///     }
///
/// A case starts the `LoopbackServer` that it needs, reaches it over an ``Endpoint``, and throws a `ContractViolation` that describes the
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
    /// - Parameters:
    ///   - session: The session to test.
    ///   - endpoint: The route over which the session reaches the server.
    /// - Throws: `ContractViolation` if an expectation fails, `LoopbackServer.StartError`, or an unexpected error of the session.
    public func run(on session: any TransportSession, at endpoint: Endpoint = .direct) async throws {
      try await body(Setting(session: session, endpoint: endpoint))
    }

    /// The text of ``name``.
    public var description: String { name }
  }

  /// A capability that not every session or endpoint has.
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
    /// The endpoint has servers that cannot be trusted: ``Endpoint/CertificateDefect``.
    case untrustedServers
  }

  /// All cases. Their names are unique.
  public static let cases: [Case] =
    statusCases + framingCases + decodingCases + fieldCases + targetCases + requestBodyCases + deliveryCases
    + eventCases + redirectionCases + authenticationCases + cancellationCases + timeoutCases + refusalCases
    + connectionCases + concurrencyCases + faultCases + malformedCases + unreachableCases
}
