import Anvil
import AnvilPostgres
import AnvilStore
import AnvilSync
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Many runs of one pull in PostgreSQL: no step reads a whole table, and none waits for all partitions.
@Suite(
  .timeLimit(.minutes(5)), .serialized,
  .enabled(if: SyncBackend.available.contains(.postgres), "ANVIL_POSTGRES_URL is not set: run scripts/with-postgres"))
struct ManyWorkersTests {
  private struct TableReads: Decodable {
    var name: String
    /// The number of sequential scans.
    var scans: Int
    /// The number of rows that were read by a scan of any kind.
    var rows: Int
  }

  private static let count = 400
  private let database: SyncDatabase
  private let program = "anvil_many_" + UUID().uuidString

  init() throws {
    database = try SyncDatabase(.postgres)
  }

  /// Opens the database under the name of the test.
  private func open() async throws -> Store {
    try await Store(
      .postgres(database.location + "&application_name=\(program)", connections: 2, busyTimeout: .seconds(2)))
  }

  /// Returns the names of partitions, in the order of their numbers.
  private static func name(_ part: Int) -> String { "part \(part + 1_000)" }

  /// Returns a pull whose partitions have one row each, after which the API fails if `pages` is not `nil`.
  private func pull(
    of count: Int = count, missing: MissingRows = .kept, pages: Int? = nil
  ) throws -> Pull<Member> {
    let session = StubSession()
    session.on("a page", where: { _ in true }, times: pages) { request in
      let part = request.url.query().flatMap { Int($0.dropFirst("part=".count)) } ?? -1
      return .json(#"[{"id": \#(part), "name": "m\#(part)"}]"#)
    }
    session.on("no page", where: { _ in true }) { _ in .failure(TransportError(code: .noConnection)) }
    let url = try #require(URL(string: "http://api.example"))
    let gateway = Gateway(baseURL: url, session: session, configuration: .bare)
    let requests = (0..<count).map { (Self.name($0), gateway.request("rows", query: ["part": "\($0)"])) }
    return Pull(
      "many", partitions: Dictionary(uniqueKeysWithValues: requests), of: Member.self, by: .linkHeader,
      missing: missing)
  }

  /// Begins a round, of which this number of pages is stored, and closes the store.
  private func begin(_ pull: Pull<Member>) async throws {
    let store = try await open()
    await #expect(throws: TransportFailure.self) { try await store.run(pull, leases: .seconds(30)) }
    await store.close()
  }

  /// Returns what the closed stores of this test have read, by table. The server counts it when their connections have ended.
  private func reads() async throws -> [String: TableReads] {
    let store = try await database.open()
    try await waitUntil {
      try await store.read { [program] in
        try $0.fetch(Int.self, sql: "SELECT count(*) FROM pg_stat_activity WHERE application_name = \(program)")
      } == [0]
    }
    let reads = try await store.read {
      try $0.fetch(
        TableReads.self,
        sql: """
          SELECT relname::text AS name, seq_scan AS scans, coalesce(seq_tup_read + idx_tup_fetch, 0) AS rows \
          FROM pg_stat_user_tables WHERE schemaname = current_schema()
          """)
    }
    await store.close()
    return Dictionary(uniqueKeysWithValues: reads.map { ($0.name, $0) })
  }

  /// Adds the positions, leases and rounds of other pulls, so that the tables are too large to be read as a whole, and updates the server's
  /// statistics.
  private func addOtherPulls() async throws {
    let store = try await database.open()
    try await store.perform { transaction in
      for (table, columns) in [
        ("anvil_pulls", "partition, version, round, state, updated, entity, request"),
        ("anvil_pull_leases", "partition, round, owner, expiration"), ("anvil_pull_rounds", "round, plan, tombstone"),
      ] {
        try transaction.execute(
          StoreStatement(
            stringLiteral: """
              INSERT INTO \(table) (pull, \(columns)) SELECT 'other ' || n, \(columns) \
              FROM \(table), generate_series(1, \(table == "anvil_pull_rounds" ? 5_000 : 20)) AS n
              """))
      }
      try transaction.execute(
        "INSERT INTO \"Member\" (id, name) SELECT n, 'old' FROM generate_series(10000, 20000) AS n")
      try transaction.execute("ANALYZE")
    }
    await store.close()
  }

  @Test func noStatementReadsATableSequentially() async throws {
    try await begin(pull(pages: 1))
    try await addOtherPulls()
    let before = try await reads()
    let pull = try pull()
    let pages = try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          let store = try await open()
          let report = try await store.run(pull, leases: .seconds(30))
          await store.close()
          return report.pages
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(pages == Self.count - 1)
    let after = try await reads()
    for table in ["anvil_pulls", "anvil_pull_leases", "anvil_pull_rounds", "Member"] {
      let scans = try #require(after[table]).scans - #require(before[table]).scans
      #expect(scans == 0, "\(scans) sequential scans of \(table)")
    }
  }

  @Test func aRunThatJoinsARoundReadsOnlyItsPartitions() async throws {
    try await begin(pull(pages: 1))
    let before = try await reads()
    try await begin(pull(pages: 1))
    let after = try await reads()
    for table in ["anvil_pulls", "anvil_pull_leases"] {
      let rows = try #require(after[table]).rows - #require(before[table]).rows
      #expect(rows < 60, "\(rows) rows of \(table)")
    }
    #expect(try await open().count(Member.self) == 2)
  }

  /// The position of the first partition is locked, as by a transaction that stores a page.
  @Test(arguments: [MissingRows.kept, .deleted]) func aLockedPositionDelaysOnlyItsPartition(
    _ missing: MissingRows
  ) async throws {
    let count = 20
    try await begin(pull(of: count, missing: missing, pages: 1))
    let locking = try PostgresConnection(database.location)
    try locking.run("BEGIN")
    var parts = [Self.name(0)]
    try locking.query("SELECT max(partition) FROM anvil_pull_leases", []) { row in
      parts.append(try row.text(at: 0) ?? "")
      return .goOn
    }
    let list = parts.map { "'\($0)'" }.joined(separator: ", ")
    try locking.query("SELECT 1 FROM anvil_pulls WHERE partition IN (\(list)) FOR UPDATE", []) { _ in .goOn }
    let store = try await open()
    let pull = try pull(of: count, missing: missing)
    try await withThrowingTaskGroup { group in
      group.addTask {
        let pages = try await store.run(pull, leases: .seconds(30)).pages
        #expect(pages == count - 1)
      }
      group.addTask { try await waitUntil { try await store.count(Member.self) >= count - 2 } }
      // The run cannot end, because two partitions are locked.
      _ = try await group.next()
      try locking.run("COMMIT")
      try await group.waitForAll()
    }
    #expect(try await store.count(Member.self) == count)
  }
}
