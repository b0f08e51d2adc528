public import AnvilClient

/// What every `TransportSession` has to do, as cases that are run on each.
///
///     @Test(arguments: TransportContract.cases.filter { $0.needs.isSubset(of: [.rawConnection, .sockets]) })
///     func holds(_ contractCase: TransportContract.Case) async throws {
///       try await contractCase.run(on: MySession())
///     }
///
/// A case starts the ``LoopbackServer`` that it needs, reaches it by way of an ``Endpoint``, and throws a
/// ``ContractViolation`` that says which expectation did not hold. Nothing in it asserts speed; a session that hangs makes it
/// hang, which the test's time limit has to end. What a session cannot do is left out by ``Case/needs`` or by ``Case/name``:
/// keep the reason beside the name, and check that ``cases`` still has it.
public enum TransportContract {
  /// One thing that has to hold.
  public struct Case: Sendable, CustomStringConvertible {
    /// What holds, in words.
    public let name: String
    /// What the session and the way to the server have to offer for it.
    public let needs: Set<Need>
    private let body: @Sendable (Setting) async throws -> Void

    init(_ name: String, needs: Set<Need> = [], _ body: @escaping @Sendable (Setting) async throws -> Void) {
      self.name = name
      self.needs = needs
      self.body = body
    }

    /// Runs the case on `session`, which it leaves as usable as it was: cases may share one, and run at the same time.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - endpoint: how it reaches the server.
    /// - Throws: ``ContractViolation``, ``LoopbackServer/StartError``, and whatever the session threw that it should not have.
    public func run(on session: any TransportSession, at endpoint: Endpoint = .direct) async throws {
      try await body(Setting(session: session, endpoint: endpoint))
    }

    /// The name.
    public var description: String { name }
  }

  /// What not every session can do, or not every way to a server lets through.
  public enum Need: Hashable, Sendable, CaseIterable {
    /// Bytes over a network: a stub has none.
    case sockets
    /// The server's own bytes of HTTP/1.1 and its own connection: its resets, and which request came over which connection.
    case rawConnection
    /// What the server's faults do: a proxy answers many of them with a 502 of its own.
    case faults
    /// The session tells of informational responses, trailers and metrics: `TransferEvent`.
    case events
    /// The session holds a server back whose response is not read.
    case backPressure
    /// The machine has the address `::1`, and the session takes it in a URL.
    case ipv6
    /// The session decompresses what comes as gzip and deflate.
    case decompression
    /// The session decompresses Brotli. Source: RFC 7932.
    case brotli
    /// The session decompresses Zstandard. Source: RFC 8878.
    case zstandard
    /// The endpoint has servers that cannot be trusted: ``Endpoint/Distrust``.
    case untrustedServers
  }

  /// All cases. Their names are unique.
  public static let cases: [Case] =
    statusCases + framingCases + decodingCases + fieldCases + targetCases + requestBodyCases + deliveryCases
    + eventCases + redirectionCases + authenticationCases + cancellationCases + timeoutCases + refusalCases
    + connectionCases + concurrencyCases + faultCases + malformedCases + unreachableCases
}
