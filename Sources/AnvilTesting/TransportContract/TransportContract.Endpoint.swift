#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TransportContract {
  /// The way on which a session reaches the loopback server of a case.
  public struct Endpoint: Sendable {
    /// Why a server cannot be trusted.
    public enum Distrust: String, Hashable, Sendable, CaseIterable {
      /// Its certificate names another host.
      case wrongHost = "names another host"
      /// Its certificate is no longer valid.
      case expired = "has expired"
      /// Its certificate is its own issuer.
      case selfSigned = "is self-signed"
      /// Its certificate comes from an authority that the session does not know.
      case unknownIssuer = "comes from an unknown authority"
    }

    private let front: URL?
    let untrusted: [Distrust: URL]
    private let prepare: @Sendable (LoopbackServer) -> Void

    /// The loopback server itself, over plain HTTP/1.1.
    public static let direct = Endpoint(front: nil, untrusted: [:]) { _ in }

    /// A proxy in front of the loopback server, perhaps one that speaks another version of HTTP to the session.
    ///
    /// It takes a request for `<front>/to/<port>/<path>` to `http://127.0.0.1:<port>/<path>`, the path and query byte for byte as
    /// they came, passes bodies on as they come, both ways, and ends what the session ends. The session has to trust its
    /// certificate. Cases that need ``Need/rawConnection`` or ``Need/faults`` do not hold on this way.
    ///
    /// - Parameters:
    ///   - front: where it is: `https://localhost:8443`.
    ///   - untrusted: servers for the cases that need ``Need/untrustedServers``, which the session must not trust.
    public static func through(front: URL, untrusted: [Distrust: URL] = [:]) -> Endpoint {
      Endpoint(front: front, untrusted: untrusted) { _ in }
    }

    /// No way at all: `session`, on which the cases are run, answers as the routes of each server would.
    public static func stub(_ session: StubSession) -> Endpoint {
      Endpoint(front: nil, untrusted: [:]) { session.answer(as: $0) }
    }

    private init(
      front: URL?, untrusted: [Distrust: URL], prepare: @escaping @Sendable (LoopbackServer) -> Void
    ) {
      self.front = front
      self.untrusted = untrusted
      self.prepare = prepare
    }

    /// A server that is reached on this way.
    func server(
      address: LoopbackServer.Address, requestBodies: LoopbackServer.BodyPolicy
    ) throws -> LoopbackServer {
      let server = try LoopbackServer(address: address, requestBodies: requestBodies)
      prepare(server)
      return server
    }

    /// The URL under which the session reaches `target`, a path and perhaps a query, of `server`.
    func url(of server: LoopbackServer, _ target: String) -> URL {
      let direct = server.url(target)
      guard let front else { return direct }
      let path = direct.absoluteString.dropFirst(server.url.absoluteString.count)
      return URL(string: "\(front.absoluteString)/to/\(server.port)\(path)") ?? front
    }
  }
}
