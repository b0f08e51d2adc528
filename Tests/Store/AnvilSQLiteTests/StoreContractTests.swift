import AnvilSQLite
import AnvilStoreTesting
import AnvilTestSupport
import Foundation
import Testing

/// The contract of stores, on both kinds of databases that this backend has.
@Suite(.timeLimit(.minutes(15))) struct StoreContractTests {
  @Test(arguments: StoreContract.cases)
  func holdsInFiles(_ contractCase: StoreContract.Case) async throws {
    let database = try TemporaryDatabase()
    try await contractCase.run(on: .sqlite(path: database.url.path()))
    withExtendedLifetime(database) {}
  }

  /// Excludes the cases with several stores on one database, because a database in memory belongs to one store.
  @Test(arguments: StoreContract.cases.filter { !$0.needs.contains(.sharing) })
  func holdsInMemory(_ contractCase: StoreContract.Case) async throws {
    try await contractCase.run(on: .inMemory)
  }
}
