import AnvilBase
import AnvilPostgres
import AnvilStore
import AnvilStoreTestSupport
import Foundation
import Testing

/// Changes whose transactions commit in a different order than the changes were made.
@Suite(.needsServer, .timeLimit(.minutes(15))) struct ChangeFeedTests {
  private let schema: TemporarySchema
  private let store: Store
  private let start: StorePosition

  init() async throws {
    schema = try TemporarySchema()
    store = try await Store(.postgres(schema.url))
    try await store.context.save(SharedCounter(key: 0, total: 0, seen: false))
    start = try await store.context.recordChanges(of: SharedCounter.self)
  }

  private func keys(after position: StorePosition) async throws -> [(key: Int, position: StorePosition)] {
    try await store.context.read { transaction in
      try transaction.changes(of: SharedCounter.self, after: position, limit: 100).map { change in
        guard case .inserted(let counter) = change.kind else { return (-1, change.position) }
        return (counter.key, change.position)
      }
    }
  }

  @Test func aChangeCommittedAfterLaterChangesIsNotLost() async throws {
    let insert = #"INSERT INTO "SharedCounter" (key, total, seen) VALUES ($1, 0, FALSE)"#
    let (slow, fast) = (try schema.open(), try schema.open())
    try slow.run(slow.beginWriting)
    try slow.run(insert, [.integer(1)])
    try fast.run(insert, [.integer(2)])
    let first = try await keys(after: start)
    #expect(first.map(\.key) == [2])
    try slow.run(insert, [.integer(3)])
    try slow.run("COMMIT")
    try fast.run(insert, [.integer(4)])
    let position = try #require(first.last?.position)
    let second = try await keys(after: position)
    #expect(second.map(\.key) == [1, 3, 4])
    // A page that is read only partially.
    #expect(try await keys(after: second[0].position).map(\.key) == [3, 4])
    #expect(try await keys(after: second[2].position).isEmpty)
    #expect(try await keys(after: start).map(\.key) == [1, 2, 3, 4])
  }

  /// The transaction has a number that is lower than that of a committed one, so that it is within the snapshot.
  @Test func ownChangesAreReadByLaterTransactions() async throws {
    let insert = #"INSERT INTO "SharedCounter" (key, total, seen) VALUES ($1, 0, FALSE)"#
    let (start, schema) = (start, schema)
    let (seen, position) = try await store.context.perform { transaction in
      try transaction.save(SharedCounter(key: 10, total: 0, seen: false))
      try schema.open().run(insert, [.integer(1)])
      let changes = try transaction.changes(of: SharedCounter.self, after: start, limit: 100)
      // Nested transactions have numbers of their own.
      try transaction.perform { try $0.save(SharedCounter(key: 11, total: 0, seen: false)) }
      try schema.open().run(insert, [.integer(2)])
      let others = try transaction.changes(of: SharedCounter.self, after: changes.last?.position ?? start, limit: 1)
      try transaction.save(SharedCounter(key: 12, total: 0, seen: false))
      return (changes.count + others.count, others.last?.position ?? start)
    }
    #expect(seen == 2)
    #expect(try await keys(after: position).map(\.key).sorted() == [10, 11, 12])
    #expect(try await keys(after: start).map(\.key).sorted() == [1, 2, 10, 11, 12])
  }

  @Test func changesToOneRowAreInTheOrderInWhichTheyWereMade() async throws {
    // The transaction with the lower number writes the row last.
    let (early, late) = (try schema.open(), try schema.open())
    try early.run(early.beginWriting)
    try early.run("SELECT txid_current()")
    try late.run(#"UPDATE "SharedCounter" SET total = 1"#)
    try early.run(#"UPDATE "SharedCounter" SET total = total + 1"#)
    try early.run("COMMIT")
    let totals = try await store.context.read { transaction in
      try transaction.changes(of: SharedCounter.self, after: start, limit: 100).map { change in
        guard case .updated(let old, let new) = change.kind else { return [Int]() }
        return [old.total, new.total]
      }
    }
    #expect(totals == [[0, 1], [1, 2]])
  }

  @Test func recordedValuesDoNotDependOnTheSettingsOfTheWriter() async throws {
    struct Measurement: Codable, Sendable, Equatable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
      var id: Int
      var value: Double
      var bytes: Data
    }
    try await store.context.save(Measurement(id: 1, value: 0, bytes: Data([1])))
    let start = try await store.context.recordChanges(of: Measurement.self)
    let writer = try schema.open()
    for setting in ["extra_float_digits = -3", "bytea_output = 'escape'", "search_path = pg_catalog"] {
      try writer.run("SET \(setting)")
    }
    try writer.run(#"UPDATE \#(schema.name)."Measurement" SET value = 0.1::float8 + 0.2, bytes = '\x00ff5c'"#)
    let changes = try await store.context.read { transaction in
      try transaction.changes(of: Measurement.self, after: start, limit: 9)
    }
    let (old, new) = (
      Measurement(id: 1, value: 0, bytes: Data([1])), Measurement(id: 1, value: 0.1 + 0.2, bytes: Data([0, 255, 0x5C]))
    )
    #expect(changes.map(\.kind) == [.updated(from: old, to: new)])
  }

  @Test func readersReceiveChangesByOtherPrograms() async throws {
    var reader = store.context.changes(of: SharedCounter.self, after: start).makeAsyncIterator()
    let other = try schema.open()
    for total in 1...3 {
      try other.run(#"UPDATE "SharedCounter" SET total = \#(total)"#)
      let change = try await reader.next()
      #expect(
        change?.kind
          == .updated(
            from: SharedCounter(key: 0, total: total - 1, seen: false),
            to: SharedCounter(key: 0, total: total, seen: false)))
    }
  }

  /// Returns the largest totals of the observed counters, one element for each element of `values`.
  private func observe(_ context: Store) -> (Task<Void, any Error>, AsyncStream<Int>) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      for try await counters in context.values(of: SharedCounter.self) {
        continuation.yield(counters.map(\.total).max() ?? 0)
      }
    }
    return (task, stream)
  }

  private struct Note: Codable, Sendable, ManagedDecodable {
    static let entityName = "Note"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
  }

  @Test func eachChangeDeliversOneElementWhileChangesAreRecorded() async throws {
    let (mine, theirs) = (store, try await Store(.postgres(schema.url)))
    try await mine.context.save(Note(id: 0))
    let (task, stream) = observe(mine.context)
    var observed = stream.makeAsyncIterator()
    var notes = mine.context.values(of: Note.self).makeAsyncIterator()
    var noteCount = try await notes.next()?.count ?? 0
    #expect(await observed.next() == 0)
    // Waits until all notifications of earlier transactions have arrived, because they arrive in the order of the commits.
    func receiveNotifications() async throws {
      noteCount += 1
      try await theirs.context.save(Note(id: noteCount))
      while try await notes.next()?.count != noteCount {}
    }
    func save(_ total: Int, in store: Store) async throws {
      try await store.context.save(SharedCounter(key: 0, total: total, seen: false))
    }
    try await save(1, in: mine)
    #expect(await observed.next() == 1)
    try await receiveNotifications()
    // Nothing changes.
    for store in [mine, theirs] {
      try await save(1, in: store)
      try await receiveNotifications()
    }
    try await save(2, in: theirs)
    #expect(await observed.next() == 2)
    try await receiveNotifications()
    try await mine.context.perform { try $0.execute(#"UPDATE "SharedCounter" SET total = 3"#) }
    #expect(await observed.next() == 3)
    // SQL may have changed any entity. Without this, the next wait would end before the notifications have arrived.
    #expect(try await notes.next()?.count == noteCount)
    try await receiveNotifications()
    // A bulk write, and a write of two entities.
    try await mine.context.save((0..<1_200).map { SharedCounter(key: $0, total: 4, seen: false) })
    #expect(await observed.next() == 4)
    try await receiveNotifications()
    try await mine.context.perform { transaction in
      try transaction.save(SharedCounter(key: 0, total: 5, seen: false))
      try transaction.save(Note(id: -1))
    }
    noteCount += 1
    #expect(await observed.next() == 5)
    #expect(try await notes.next()?.count == noteCount)
    try await receiveNotifications()
    let direct = try schema.open()
    try direct.run(#"UPDATE "SharedCounter" SET total = 6"#)
    #expect(await observed.next() == 6)
    try await receiveNotifications()
    try await save(7, in: mine)
    #expect(await observed.next() == 7)
    task.cancel()
    for store in [mine, theirs] { await store.close() }
  }

  @Test func changesMadeByTriggersOfTheDatabaseAreObserved() async throws {
    let context = store.context
    try await context.save(Note(id: 0))
    let direct = try schema.open()
    try direct.run(
      """
      CREATE FUNCTION count_notes() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN UPDATE "SharedCounter" SET total = total + 1; RETURN NULL; END $$
      """)
    try direct.run(#"CREATE TRIGGER counting AFTER INSERT ON "Note" FOR EACH ROW EXECUTE FUNCTION count_notes()"#)
    let (task, stream) = observe(context)
    var observed = stream.makeAsyncIterator()
    var reader = context.changes(of: SharedCounter.self, after: start).makeAsyncIterator()
    #expect(await observed.next() == 0)
    for number in 1...3 {
      try await context.save(Note(id: number))
      #expect(await observed.next() == number)
      let change = try await reader.next()
      #expect(
        change?.kind
          == .updated(
            from: SharedCounter(key: 0, total: number - 1, seen: false),
            to: SharedCounter(key: 0, total: number, seen: false)))
    }
    task.cancel()
    await store.close()
  }

  @Test func readingAfterRemovedChangesIsAnError() async throws {
    let context = store.context
    func save(_ totals: Range<Int>) async throws {
      for total in totals { try await context.save((1...500).map { SharedCounter(key: $0, total: total) }) }
    }
    try await save(0..<2)
    let middle = try await context.recordChanges(of: SharedCounter.self)
    let connection = try schema.open()
    try connection.run("UPDATE anvil_changes SET made = made - 30 * 86400, floor = xact WHERE kind <> 'began'")
    try await save(2..<4)
    let count = try connection.rows("SELECT count(*) FROM anvil_changes WHERE kind <> 'began'")
    // One expired transaction is kept, and all that have not expired.
    #expect(count == [[.integer(1_500)]])
    let error = await #expect(throws: StoreError.self) { _ = try await keys(after: start) }
    #expect(error?.code == .changesExpired)
    let rest = try await context.read { transaction in
      try transaction.changes(of: SharedCounter.self, after: middle, limit: 10_000).count
    }
    #expect(rest == 1_000)
  }

  private struct RoundCounter: Codable, Sendable, ManagedDecodable {
    static let entityName = "RoundCounter"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.key)]
    var key: Int
  }

  /// All entities share the numbering of changes, so an entity may never have a round number.
  @Test func expiredChangesOfAllEntitiesAreRemovedTogether() async throws {
    try await store.context.recordChanges(of: RoundCounter.self)
    for keys in [1...300, 301...500] {
      try await store.context.save(keys.map { SharedCounter(key: $0, total: 0) })
    }
    let connection = try schema.open()
    try connection.run("UPDATE anvil_changes SET made = made - 30 * 86400, floor = xact WHERE kind <> 'began'")
    try await store.context.save((1...600).map { RoundCounter(key: $0) })
    let counts = try connection.rows(
      "SELECT count(*) FROM anvil_changes WHERE kind <> 'began' GROUP BY entity ORDER BY entity")
    // Of the expired changes, those of the last transaction are kept.
    #expect(counts == [[.integer(600)], [.integer(200)]])
  }
}
