import AnvilPostgres
import AnvilStore
import Foundation
import Rounds
import Synchronization

/// Measures a PostgreSQL server while others use it: the work of its processes, its statements and tables, and the events that its
/// connections wait for.
///
/// The server runs on this machine, for no other program. The statements are missing unless it has loaded `pg_stat_statements`.
final class ServerWatch: Sendable {
  struct Table: Decodable {
    var name: String
    var sequential: Int
    var sequentialRows: Int
    var index: Int
    var inserted: Int
    var updated: Int
    var hot: Int
    var deleted: Int
  }

  struct Statement: Decodable {
    var text: String
    var calls: Int
    var milliseconds: Double
    var rows: Int
    var blocks: Int
  }

  struct Figures {
    var tables: [Table]
    var statements: [Statement]
    /// The number of observations of each state of a connection: `active`, `active LWLock BufferMapping`, `idle in transaction`.
    var events: [String: Int]
    var processor: Double
    var walBytes: Double
    var commits: Int
    var rollbacks: Int
    var deadlocks: Int

    /// The calls of the statements whose texts contain all of the words, and their rows.
    func calls(of words: String...) -> (calls: Int, rows: Int) {
      statements.filter { statement in words.allSatisfy(statement.text.contains) }
        .reduce((0, 0)) { ($0.0 + $1.calls, $0.1 + $1.rows) }
    }
  }

  private struct Totals: Decodable {
    var wal: Double
    var commits: Int
    var rollbacks: Int
    var deadlocks: Int
  }

  private let store: Store
  private let hasStatements: Bool
  private let postmaster: Int
  private let events = Mutex<[String: Int]>([:])

  init(url: String) async throws {
    store = try await Store(.postgres(url, connections: 1))
    let process = try await store.read { try $0.fetch(Int.self, sql: "SELECT pg_backend_pid()").first ?? 0 }
    postmaster = Self.statistics(of: process).map { $0.parent } ?? 0
    _ = try? await store.perform { try $0.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public") }
    let count = try? await store.read {
      try $0.fetch(Int.self, sql: "SELECT count(*) FROM public.pg_stat_statements").first
    }
    hasStatements = count != nil
    if !hasStatements { note("the server has no pg_stat_statements: figures of statements are left out") }
  }

  func execute(_ statement: StoreStatement) async throws {
    try await store.perform { _ = try $0.execute(statement) }
  }

  func value(_ statement: StoreStatement) async throws -> Double {
    try await store.read { try $0.fetch(Double.self, sql: statement).first ?? 0 }
  }

  /// Runs `body` and returns its result and the figures of the server during that time.
  func measure<Result>(schema: String, _ body: () async throws -> Result) async throws -> (Result, Figures) {
    if hasStatements {
      _ = try await store.read { try $0.fetch(String?.self, sql: "SELECT public.pg_stat_statements_reset()::text") }
    }
    let before = try await totals()
    let processor = processorTime()
    events.withLock { $0 = [:] }
    let sampling = Task { while !Task.isCancelled { try await sample() } }
    defer { sampling.cancel() }
    let result = try await body()
    sampling.cancel()
    _ = await sampling.result
    let spent = processorTime() - processor
    let after = try await totals()
    // The server's processes write their counters with a delay.
    try await Task.sleep(for: .seconds(1.5))
    let tables = try await store.read {
      try $0.fetch(
        Table.self,
        sql: """
          SELECT relname::text AS name, seq_scan AS sequential, seq_tup_read AS "sequentialRows", \
          coalesce(idx_scan, 0) AS index, n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_hot_upd AS hot, \
          n_tup_del AS deleted FROM pg_stat_user_tables WHERE schemaname = \(schema) ORDER BY relname
          """)
    }
    var statements: [Statement] = []
    if hasStatements {
      statements = try await store.read {
        try $0.fetch(
          Statement.self,
          sql: """
            SELECT query AS text, sum(calls)::bigint AS calls, sum(total_exec_time) AS milliseconds, \
            sum(rows)::bigint AS rows, sum(shared_blks_hit + shared_blks_read)::bigint AS blocks \
            FROM public.pg_stat_statements GROUP BY query ORDER BY sum(total_exec_time) DESC
            """)
      }
    }
    return (
      result,
      Figures(
        tables: tables, statements: statements, events: events.withLock { $0 }, processor: spent,
        walBytes: after.wal - before.wal, commits: after.commits - before.commits,
        rollbacks: after.rollbacks - before.rollbacks, deadlocks: after.deadlocks - before.deadlocks)
    )
  }

  private func totals() async throws -> Totals {
    let totals = try await store.read {
      try $0.fetch(
        Totals.self,
        sql: """
          SELECT (pg_current_wal_lsn() - '0/0')::float8 AS wal, xact_commit AS commits, xact_rollback AS rollbacks, \
          deadlocks FROM pg_stat_database WHERE datname = current_database()
          """
      ).first
    }
    guard let totals else { throw BenchmarkError("the server has no statistics of its database") }
    return totals
  }

  private func sample() async throws {
    let found = try await store.read {
      try $0.fetch(
        String.self,
        sql: """
          SELECT concat_ws(' ', state, CASE WHEN wait_event <> 'ClientRead' THEN wait_event_type END, \
          CASE WHEN wait_event <> 'ClientRead' THEN wait_event END) FROM pg_stat_activity \
          WHERE pid <> pg_backend_pid() AND datname = current_database() AND state <> 'idle'
          """)
    }
    events.withLock { events in for event in found { events[event, default: 0] += 1 } }
    try await Task.sleep(for: .milliseconds(50))
  }

  /// The processor time of the server's processes so far, in seconds, including those that have ended.
  private func processorTime() -> Double {
    guard let main = Self.statistics(of: postmaster) else { return 0 }
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { Int($0) }.compactMap { Self.statistics(of: $0) }
      .filter { $0.parent == postmaster }.reduce(main.own + main.ended) { $0 + $1.own }
  }

  private struct ProcessStatistics {
    var parent: Int
    /// The processor time in seconds.
    var own: Double
    /// The processor time of child processes that have ended, in seconds.
    var ended: Double
  }

  /// Source: proc(5), `/proc/[pid]/stat`.
  private static func statistics(of process: Int) -> ProcessStatistics? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
    guard fields.count > 14 else { return nil }
    let ticks = 100.0
    return ProcessStatistics(
      parent: Int(fields[1]), own: (fields[11] + fields[12]) / ticks, ended: (fields[13] + fields[14]) / ticks)
  }
}

extension ServerWatch.Figures {
  /// Prints what connections waited for, the tables that were read sequentially, and the statements that took most of the time.
  func show(seconds: Double, statements showsStatements: Bool) {
    let samples = Double(max(events.values.reduce(0, +), 1))
    let states = events.sorted { $0.value > $1.value }.prefix(7)
      .map { String(format: "%@ %.0f %%", $0.key, Double($0.value) / samples * 100) }
    print("        connections: \(states.joined(separator: ", "))")
    print(
      String(
        format: "        processors of the server %.2f; rolled back %d, deadlocks %d", processor / seconds, rollbacks,
        deadlocks))
    for table in tables where table.sequential > 0 || showsStatements {
      print(
        "        \(table.name): \(table.sequential) sequential scans of \(table.sequentialRows) rows, \(table.index) by "
          + "index; \(table.inserted) inserted, \(table.updated) updated (\(table.hot) hot), \(table.deleted) deleted")
    }
    guard showsStatements else { return }
    for statement in statements.prefix(24) {
      let calls = Double(statement.calls)
      print(
        String(
          format: "        %9.0f ms %8d calls %8.3f ms %8.1f rows %8.1f blocks  ", statement.milliseconds,
          statement.calls, statement.milliseconds / calls, Double(statement.rows) / calls,
          Double(statement.blocks) / calls) + statement.text.prefix(160).replacing("\n", with: " "))
    }
  }
}
