#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TransportContract {
  /// The route over which a session reaches the loopback server of a case.
  public struct Endpoint: Sendable {
    /// The reason why a server cannot be trusted.
    public enum CertificateDefect: String, Hashable, Sendable, CaseIterable {
      /// Its certificate is for another host.
      case wrongHost = "names another host"
      /// Its certificate has expired.
      case expired = "has expired"
      /// Its certificate is self-signed.
      case selfSigned = "is self-signed"
      /// Its certificate was issued by an authority that the session does not trust.
      case unknownIssuer = "comes from an unknown authority"
    }

    private let front: URL?
    let untrusted: [CertificateDefect: URL]
    private let prepare: @Sendable (LoopbackServer) -> Void

    /// The loopback server itself, over plain HTTP/1.1.
    public static let direct = Endpoint(front: nil, untrusted: [:]) { _ in }

    /// Returns an endpoint for a proxy in front of the loopback server. The proxy may use another version of HTTP with the session.
    ///
    /// The proxy forwards a request for `<front>/to/<port>/<path>` to `http://127.0.0.1:<port>/<path>`, with the path and query unchanged
    /// byte for byte. It must stream bodies in both directions, and end its request to the server if the session ends the request. The
    /// session has to trust the proxy's certificate. Cases that need ``Need/rawConnection`` or ``Need/faults`` fail with a proxy.
    ///
    /// - Parameters:
    ///   - front: The URL of the proxy, such as `https://localhost:8443`.
    ///   - untrusted: Servers for the cases that need ``Need/untrustedServers``. The session must not trust them.
    public static func through(front: URL, untrusted: [CertificateDefect: URL] = [:]) -> Endpoint {
      Endpoint(front: front, untrusted: untrusted) { _ in }
    }

    /// Returns an endpoint without a network: `session`, on which the cases are run, answers with the routes of each server.
    package static func stub(_ session: StubSession) -> Endpoint {
      Endpoint(front: nil, untrusted: [:]) { session.answer(as: $0) }
    }

    private init(
      front: URL?, untrusted: [CertificateDefect: URL], prepare: @escaping @Sendable (LoopbackServer) -> Void
    ) {
      self.front = front
      self.untrusted = untrusted
      self.prepare = prepare
    }

    /// Creates a server that is reached over this endpoint.
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
