import AnvilPostgres
import AnvilStoreTesting
import Testing

/// The contract of stores, each case in a schema of its own.
@Suite(.needsServer, .timeLimit(.minutes(5))) struct StoreContractTests {
  /// Without the cases of NUL characters in text, which PostgreSQL does not have; that they are refused is a case for all.
  @Test(arguments: StoreContract.cases.filter { !$0.needs.contains(.nulInText) })
  func holds(_ contractCase: StoreContract.Case) async throws {
    let schema = try TemporarySchema()
    try await contractCase.run(on: .postgres(schema.url, connections: 4))
    withExtendedLifetime(schema) {}
  }
}
