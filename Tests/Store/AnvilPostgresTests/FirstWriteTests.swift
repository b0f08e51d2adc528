import AnvilBase
import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Testing

/// Transactions that insert the same row at the same time.
@Suite(.needsServer, .timeLimit(.minutes(15))) struct FirstWriteTests {
  private struct Total: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var sum: Int
  }

  private struct Owner: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var total: Total
  }

  /// The table exists, so that only the row is new.
  @Test(arguments: [false, true]) func noIncrementIsLostWhenTheRowIsNew(isReferenced: Bool) async throws {
    let schema = try TemporarySchema()
    let stores = try await [Store(.postgres(schema.url)), Store(.postgres(schema.url))]
    _ = try await stores[0].context.save([Owner(id: -1, total: Total(id: -1, sum: 0))])
    for id in 0..<12 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for store in stores + stores {
          group.addTask {
            try await store.context.perform { transaction in
              let sum = try transaction.fetch(Total.self, key: id)?.sum ?? 0
              let total = Total(id: id, sum: sum + 1)
              if isReferenced { try transaction.save(Owner(id: id, total: total)) } else { try transaction.save(total) }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    let totals = try await stores[0].context.fetch(Total.self).filter { $0.id >= 0 }
    #expect(totals.sorted { $0.id < $1.id } == (0..<12).map { Total(id: $0, sum: 4) })
    for store in stores { await store.close() }
  }
}
