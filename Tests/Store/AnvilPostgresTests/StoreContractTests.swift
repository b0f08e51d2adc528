import AnvilPostgres
import AnvilStoreTesting
import Testing

/// The contract of stores, each case in a separate schema.
@Suite(.needsServer, .timeLimit(.minutes(15))) struct StoreContractTests {
  /// Excludes the cases with NUL characters in text, which PostgreSQL does not support. Another case covers their
  /// rejection.
  @Test(arguments: StoreContract.cases.filter { !$0.needs.contains(.nulInText) })
  func holds(_ contractCase: StoreContract.Case) async throws {
    let schema = try TemporarySchema()
    try await contractCase.run(on: .postgres(schema.url, connections: 4))
    withExtendedLifetime(schema) {}
  }
}
