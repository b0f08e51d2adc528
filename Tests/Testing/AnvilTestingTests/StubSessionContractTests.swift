internal import AnvilTesting
internal import Testing

/// The contract of sessions, on a stub that answers as the loopback server would.
@Suite(.timeLimit(.minutes(15))) struct StubSessionContractTests {
  /// The needs that a stub cannot meet, with the reason.
  static let missing: [(need: TransportContract.Need, reason: String)] = [
    (.sockets, "a stub has no sockets"),
    (.rawConnection, "a stub has no connection"),
    (.events, "a stub reports no events"),
    (.backPressure, "a stub requests chunks when they are read, and has no connection on which bytes could be counted"),
    (.ipv6, "a stub has no addresses"),
    (.decompression, "a stub does not decompress bodies"),
    (.brotli, "a stub does not decompress bodies"),
    (.zstandard, "a stub does not decompress bodies"),
    (.untrustedServers, "a stub does not check certificates"),
  ]

  /// The cases that fail on a stub, with the reason.
  static let excluded: [(name: String, reason: String)] = [
    (
      "a timeout applies while a request body stream yields no data",
      "the time limit of a stub starts after it has the body of the request"
    ),
    ("fault slow-drip, slower than the timeout", "a stub delivers its bodies without delays"),
  ]

  static let cases = TransportContract.cases.filter { contractCase in
    !missing.contains { contractCase.needs.contains($0.need) } && !excluded.contains { $0.name == contractCase.name }
  }

  @Test(arguments: cases) func holds(_ contractCase: TransportContract.Case) async throws {
    let session = StubSession { Issue.record($0) }
    try await contractCase.run(on: session, at: .stub(session))
  }

  @Test func excludedCasesExist() {
    let names = Set(TransportContract.cases.map(\.name))
    #expect(names.count == TransportContract.cases.count)
    for (name, _) in Self.excluded { #expect(names.contains(name), "there is no case \(name)") }
  }
}
