#if AsyncHTTPClient
import Anvil
import AnvilEcosystem
import AnvilTesting
import AsyncHTTPClient
import Foundation
import Testing

/// The session contract on async-http-client. With the stub, libcurl performs the requests of the client: what is tested is the session.
@Suite(.timeLimit(.minutes(15))) struct AsyncHTTPSessionTests {
  /// What a client of the library does not report, or does by itself.
  static let unsupported: Set<TransportContract.Need> = [
    .events, .decompression, .brotli, .zstandard, .untrustedServers,
  ]

  /// Cases that do not hold with the library, with the reason. libcurl, which performs the requests of the stub, passes them.
  static let excluded = [
    ("repeated Content-Length fields with equal values are accepted", "SwiftNIO's parser rejects them"),
    ("chunk extensions are ignored", "SwiftNIO's parser rejects some of them"),
    ("fault conflicting-lengths", "SwiftNIO's parser rejects the head, so that the response has none"),
    ("fault length-and-chunked", "SwiftNIO's parser rejects the head, so that the response has none"),
    (
      "an idle connection that the server has closed is replaced",
      "the client reports the lost connection, and a retry replaces it"
    ),
  ]

  static let cases = TransportContract.cases.filter { contractCase in
    #if ECOSYSTEM_STUBS
    contractCase.needs.isDisjoint(with: unsupported)
    #else
    contractCase.needs.isDisjoint(with: unsupported) && !excluded.contains { $0.0 == contractCase.name }
    #endif
  }

  @Test(arguments: cases) func contractHolds(_ contractCase: TransportContract.Case) async throws {
    try await withClient { try await contractCase.run(on: AsyncHTTPSession($0)) }
  }

  @Test func excludedCasesExist() {
    let names = Set(TransportContract.cases.map(\.name))
    for (name, _) in Self.excluded { #expect(names.contains(name), "no case is called \(name)") }
  }

  @Test func aGatewayWorksOverAClient() async throws {
    struct User: Decodable, Sendable { var id: Int }
    let server = try LoopbackServer()
    server.on(.get, "/old") { _ in .status(302, headers: [.location: "/users/1"]) }
    server.on(.get, "/users/1") { _ in .json(#"{"id": 1}"#) }
    try await withClient { client in
      let gateway = Gateway(baseURL: server.url, session: AsyncHTTPSession(client))
      let user = try await gateway.get("old", as: Decoded<User>.self)
      #expect(user.value.id == 1)
      #expect(user.response.history.redirections.count == 1)
    }
  }

  /// Runs `body` with a client, and shuts the client down.
  private func withClient(_ body: (HTTPClient) async throws -> Void) async throws {
    #if ECOSYSTEM_STUBS
    HTTPClient.stub { try await StubbedExchange.perform($0, until: $1) }
    #endif
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    let client = HTTPClient(configuration: configuration)
    do {
      try await body(client)
    } catch {
      try await client.shutdown()
      throw error
    }
    try await client.shutdown()
  }
}
#endif
