import AnvilCurl
import AnvilTesting
import Foundation
import Testing

/// The session contract on libcurl: directly to the server, and through nginx over TLS with HTTP/2.
@Suite(.timeLimit(.minutes(15))) struct CurlContractTests {
  @Test(arguments: TransportContract.cases.filter { !$0.needs.contains(.untrustedServers) })
  func contractHoldsDirectly(_ contractCase: TransportContract.Case) async throws {
    try await contractCase.run(on: CurlSession())
  }

  /// The test conditions that nginx cannot forward.
  static let beyondProxies: Set<TransportContract.Need> = [.rawConnection, .faults, .ipv6]

  static let excludedBehindNginx: [(name: String, reason: String)] = []

  static let casesBehindNginx = TransportContract.cases.filter { contractCase in
    contractCase.needs.isDisjoint(with: beyondProxies)
      && !excludedBehindNginx.contains { $0.name == contractCase.name }
  }

  // Serialized: each test makes TLS connections, and all of them at once would exceed some time limits.
  @Test(
    .serialized, .enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"),
    arguments: casesBehindNginx)
  func contractHoldsBehindNginx(_ contractCase: TransportContract.Case) async throws {
    let nginx = try #require(Nginx.shared)
    let session = CurlSession(configuration: nginx.configuration)
    try await contractCase.run(on: session, at: nginx.endpoint)
  }

  @Test func excludedCasesExist() {
    let names = Set(TransportContract.cases.map(\.name))
    for (name, _) in Self.excludedBehindNginx { #expect(names.contains(name), "no case is called \(name)") }
  }
}
