import AnvilBase
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct ChangeFeedTests {
  @Test func readingAfterRemovedChangesIsAnError() async throws {
    let context = try await Store(.inMemory).context
    func save(_ totals: Range<Int>) async throws {
      for total in totals { try await context.save((1...500).map { SharedCounter(key: $0, total: total) }) }
    }
    let start = try await context.recordChanges(of: SharedCounter.self)
    try await save(0..<2)
    let middle = try await context.recordChanges(of: SharedCounter.self)
    try await context.perform { transaction in
      try transaction.execute("UPDATE anvil_changes SET made = made - 30 * 86400 WHERE kind <> 'began'")
    }
    try await save(2..<4)
    let counts = try await context.read { transaction in
      let sql: StoreStatement = "SELECT count(*) FROM anvil_changes WHERE kind <> 'began'"
      let after = try transaction.changes(of: SharedCounter.self, after: middle, limit: 10_000).count
      return try transaction.fetch(Int.self, sql: sql) + [after]
    }
    // One expired change is kept, and all that are not expired.
    #expect(counts == [1_001, 1_000])
    let error = await #expect(throws: StoreError.self) {
      _ = try await context.read { transaction in
        try transaction.changes(of: SharedCounter.self, after: start, limit: 1).count
      }
    }
    #expect(error?.code == .changesExpired)
  }

  /// Such a position is from another file, or from a state of this file that was replaced with a backup.
  @Test func positionAfterTheLastChangeIsAnError() async throws {
    let (context, other) = (try await Store(.inMemory).context, try await Store(.inMemory).context)
    try await context.recordChanges(of: SharedCounter.self)
    try await context.recordChanges(of: RoundCounter.self)
    try await context.save(RoundCounter(key: 1))
    let last = try await context.recordChanges(of: SharedCounter.self)
    try await context.stopRecordingChanges(of: RoundCounter.self)
    let own = try await context.read { try $0.changes(of: SharedCounter.self, after: last, limit: 1).count }
    #expect(own == 0)
    try await other.recordChanges(of: SharedCounter.self)
    try await other.save(SharedCounter(key: 1, total: 1))
    let error = await #expect(throws: StoreError.self) {
      _ = try await other.read { try $0.changes(of: SharedCounter.self, after: last, limit: 1).count }
    }
    #expect(error?.code == .changesExpired)
    #expect(error.map { "\($0)".contains("the position 3 is after the last change of the database, 2") } == true)
  }

  /// All entities share the numbering of changes, so an entity may never have a round number.
  @Test func expiredChangesOfAllEntitiesAreRemovedTogether() async throws {
    let context = try await Store(.inMemory).context
    try await context.recordChanges(of: SharedCounter.self)
    try await context.recordChanges(of: RoundCounter.self)
    try await context.save((1...500).map { SharedCounter(key: $0, total: 0) })
    try await context.perform { transaction in
      try transaction.execute("UPDATE anvil_changes SET made = made - 30 * 86400 WHERE kind <> 'began'")
    }
    try await context.save((1...600).map { RoundCounter(key: $0) })
    let counts = try await context.read { transaction in
      try transaction.fetch(
        Int.self, sql: "SELECT count(*) FROM anvil_changes WHERE kind <> 'began' GROUP BY entity ORDER BY entity")
    }
    #expect(counts == [600, 1])
  }

  private struct RoundCounter: Codable, Sendable, ManagedDecodable {
    static let entityName = "RoundCounter"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.key)]
    var key: Int
  }

  @Test func changesOfColumnsWithAnyNameAreRecorded() async throws {
    struct Odd: Codable, Sendable, Equatable, ManagedDecodable {
      static let entityName = "O'dd \"entity\""
      static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
      enum CodingKeys: String, CodingKey {
        case id = "i'd"
        case text = "te\\xt'\u{301}\r\nn"
      }
      var id: Int
      var text: String
    }
    let context = try await Store(.inMemory).context
    let start = try await context.recordChanges(of: Odd.self)
    let odd = Odd(id: 1, text: "'\u{301}\r\n\\")
    try await context.save(odd)
    let changes = try await context.read { transaction in try transaction.changes(of: Odd.self, after: start, limit: 2)
    }
    #expect(changes.map(\.kind) == [.inserted(odd)])
  }

  private struct Word: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var word: String?
  }

  @Test func changesOfCaseAreStoredAndRecordedInColumnsThatIgnoreCase() async throws {
    let context = try await Store(.inMemory).context
    try await context.save(Word(id: 0))
    try await context.perform { transaction in
      try transaction.execute("DROP TABLE Word")
      try transaction.execute("CREATE TABLE Word (id INTEGER PRIMARY KEY, word TEXT COLLATE NOCASE)")
    }
    try await context.save((0..<40).map { Word(id: $0, word: "Bob") })
    let start = try await context.recordChanges(of: Word.self)
    #expect(try await context.save(Word(id: 0, word: "BOB")).updated == 1)
    #expect(try await context.save((0..<40).map { Word(id: $0, word: "BOB") }).updated == 39)
    #expect(try await context.save((0..<40).map { Word(id: $0, word: "BOB") }).unchanged == 40)
    try await context.perform { try $0.execute("UPDATE Word SET word = 'bob' WHERE id = 5") }
    let changes = try await context.read { try $0.changes(of: Word.self, after: start, limit: 100) }
    #expect(changes.count == 41)
    #expect(changes.last?.kind == .updated(from: Word(id: 5, word: "BOB"), to: Word(id: 5, word: "bob")))
    let word = StoredColumn<Word, String?>("word")
    #expect(try await context.count(Word.self, where: word == "bob") == 1)
    #expect(try await context.count(Word.self, where: word != "bob") == 39)
    #expect(try await context.count(Word.self, where: .isAmong(word, ["Bob", "bob"])) == 1)
    #expect(try await context.count(Word.self, where: word > "Bob") == 1)
  }

  @Test func changesByTriggersAndForeignKeysAreObserved() async throws {
    let context = try await Store(.inMemory).context
    try await context.save([Word(id: 1), Word(id: 2)])
    try await context.save((1...2).map { SharedCounter(key: $0, total: 0) })
    let start = try await context.recordChanges(of: SharedCounter.self)
    try await context.perform { transaction in
      try transaction.execute(
        """
        CREATE TRIGGER counting AFTER UPDATE ON Word BEGIN
        UPDATE SharedCounter SET total = total + 1 WHERE key = NEW.id; END
        """)
      try transaction.execute(
        "CREATE TABLE Letter (id INTEGER PRIMARY KEY, word INTEGER REFERENCES Word (id) ON DELETE CASCADE)")
      try transaction.execute(
        "CREATE TRIGGER letters AFTER DELETE ON Letter BEGIN DELETE FROM SharedCounter WHERE key = OLD.word; END")
      try transaction.execute("INSERT INTO Letter VALUES (1, 2)")
    }
    var counters = context.values(of: SharedCounter.self).makeAsyncIterator()
    var reader = context.changes(of: SharedCounter.self, after: start).makeAsyncIterator()
    #expect(try await counters.next()?.map(\.total) == [0, 0])
    // Rolled back.
    try? await context.perform { transaction in
      try transaction.save(Word(id: 1, word: "x"))
      throw CancellationError()
    }
    for total in 1...3 {
      try await context.save(Word(id: 1, word: "\(total)"))
      #expect(try await counters.next()?.map(\.total) == [total, 0])
      let (from, to) = (SharedCounter(key: 1, total: total - 1), SharedCounter(key: 1, total: total))
      #expect(try await reader.next()?.kind == .updated(from: from, to: to))
    }
    try await context.delete(Word(id: 2))
    #expect(try await counters.next()?.map(\.key) == [1])
    #expect(try await reader.next()?.kind == .deleted(SharedCounter(key: 2, total: 0)))
    // Without triggers, SQLite empties a table at once.
    try await context.stopRecordingChanges(of: SharedCounter.self)
    try await context.perform { transaction in
      try transaction.execute("CREATE TRIGGER reset AFTER INSERT ON Word BEGIN DELETE FROM SharedCounter; END")
    }
    #expect(try await counters.next()?.count == 1)
    try await context.save(Word(id: 3))
    #expect(try await counters.next()?.count == 0)
  }

  /// A trigger's expressions have a limited depth.
  @Test func changesOfRowsWithManyColumnsAreRecorded() async throws {
    let context = try await Store(.inMemory).context
    let start = try await context.recordChanges(of: WideRow.self)
    let row = WideRow(values: [0] + (1..<500).map { $0 % 3 == 0 ? nil : $0 })
    try await context.save(row)
    let changes = try await context.read { transaction in
      try transaction.changes(of: WideRow.self, after: start, limit: 2)
    }
    #expect(changes.map(\.kind) == [.inserted(row)])
  }
}

/// A row of 500 columns.
private struct WideRow: Codable, Sendable, Equatable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(Key(0))]
  var values: [Int?]

  struct Key: CodingKey {
    let number: Int
    init(_ number: Int) { self.number = number }
    var stringValue: String { "c\(number)" }
    var intValue: Int? { nil }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
  }

  init(values: [Int?]) { self.values = values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    values = try (0..<500).map { try container.decodeIfPresent(Int.self, forKey: Key($0)) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (index, value) in values.enumerated() { try container.encodeIfPresent(value, forKey: Key(index)) }
  }
}
