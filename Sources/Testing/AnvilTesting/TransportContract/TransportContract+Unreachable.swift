internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
}
