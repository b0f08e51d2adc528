internal import AnvilTesting
internal import Testing

/// The contract of sessions, on a stub that answers as the loopback server would.
@Suite(.timeLimit(.minutes(5))) struct StubSessionContractTests {
  /// What a stub does not offer.
  static let missing: [(need: TransportContract.Need, reason: String)] = [
    (.sockets, "a stub has none"),
    (.rawConnection, "a stub has no wire"),
    (.events, "a stub tells of none"),
    (.backPressure, "a stub asks for chunks as they are read, and its server has no connection to count them on"),
    (.ipv6, "a stub has no addresses"),
    (.decompression, "a stub hands bodies over as they were laid down"),
    (.brotli, "a stub hands bodies over as they were laid down"),
    (.zstandard, "a stub hands bodies over as they were laid down"),
    (.untrustedServers, "a stub has no certificates to look at"),
  ]

  /// What does not hold, and why.
  static let excluded: [(name: String, reason: String)] = [
    ("a timeout holds for a stream that gives nothing", "a stub's time begins when it has the request's body"),
    ("fault slow-drip, longer than the timeout", "a stub's bodies do not drip"),
  ]

  static let cases = TransportContract.cases.filter { contractCase in
    !missing.contains { contractCase.needs.contains($0.need) } && !excluded.contains { $0.name == contractCase.name }
  }

  @Test(arguments: cases) func holds(_ contractCase: TransportContract.Case) async throws {
    let session = StubSession { Issue.record($0) }
    try await contractCase.run(on: session, at: .stub(session))
  }

  @Test func excludesOnlyWhatThereIs() {
    let names = Set(TransportContract.cases.map(\.name))
    #expect(names.count == TransportContract.cases.count)
    for (name, _) in Self.excluded { #expect(names.contains(name), "no case is called \(name)") }
  }
}
