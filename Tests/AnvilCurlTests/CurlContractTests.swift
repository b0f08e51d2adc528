import AnvilCurl
import AnvilTesting
import Foundation
import Testing

/// The contract of sessions, on libcurl: to the server itself, and by nginx over TLS with HTTP/2.
@Suite(.timeLimit(.minutes(5))) struct CurlContractTests {
  @Test(arguments: TransportContract.cases.filter { !$0.needs.contains(.untrustedServers) })
  func contractHoldsDirectly(_ contractCase: TransportContract.Case) async throws {
    try await contractCase.run(on: CurlSession())
  }

  /// What nginx does not let through.
  static let beyondProxies: Set<TransportContract.Need> = [.rawConnection, .faults, .ipv6]

  static let excludedBehindNginx: [(name: String, reason: String)] = []

  static let casesBehindNginx = TransportContract.cases.filter { contractCase in
    contractCase.needs.isDisjoint(with: beyondProxies)
      && !excludedBehindNginx.contains { $0.name == contractCase.name }
  }

  // One after the other: each secures connections of its own, which all at once would take longer than some allow.
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
