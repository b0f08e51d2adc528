import AnvilJSON
import AnvilSQLite
import AnvilStore
import AnvilStoreTesting
import AnvilTestSupport
import Foundation
import Testing

/// The statements that fetching needs.
@Suite(.timeLimit(.minutes(15))) struct FetchingTests {
  @StoredModel
  struct Note: Equatable {
    @MatchKey var id: Int
    var text: String
    var made: Date?
  }

  @StoredModel
  struct Page: Equatable {
    @MatchKey var id: Int
  }

  /// A later version of the model.
  @StoredModel
  struct DatedPage: Equatable {
    static let entityName = "Page"
    @MatchKey var id: Int
    var made: Date?
    var price: Decimal?
    var tags: [String] = []
    var isOpen: Bool = false
  }

  @StoredModel
  struct LabelledPage: Equatable {
    static let entityName = "Page"
    @MatchKey var id: Int
    var label: String
  }

  @StoredModel
  struct ValuedPage: Equatable {
    static let entityName = "Page"
    @MatchKey var id: Int
    var value: JSON
  }

  private let database: TemporaryDatabase
  private let log = QueryLog()
  private let store: Store

  init() async throws {
    database = try TemporaryDatabase()
    store = try await Store(.sqlite(path: database.url.path()).logged(in: log))
    // The first transaction creates the table, and each connection reads the catalog once after that.
    for text in ["b", "a"] { try await store.save([Note(id: 1, text: "a"), Note(id: 2, text: text)]) }
    _ = try await store.fetch(Note.self, key: 1)
    _ = log.takeQueries()
  }

  @Test func theTableIsKnownToTheNextTransaction() async throws {
    #expect(try await store.fetch(Note.self, key: 2)?.text == "a")
    #expect(try await store.fetch(Note.self, key: 3) == nil)
    #expect(try await store.fetch(Note.self, where: \.text == "a").map(\.id) == [1, 2])
    #expect(log.takeQueries(of: "anvil_attributes") == [])
    try await store.save(Note(id: 2, text: "c"))
    #expect(try await store.fetch(Note.self, key: 2)?.text == "c")
    #expect(log.takeQueries(of: "anvil_attributes", "Note").count == 1)
  }

  /// The types of SQLite's columns do not determine what they contain.
  @Test func columnsThatSQLHasAddedContainWhatTheModelStores() async throws {
    try await store.save([Page(id: 1), Page(id: 2)])
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000.5)
    try await store.perform { transaction in
      for column in ["made DATETIME", "price TEXT", "tags TEXT", "isOpen INTEGER"] {
        try transaction.execute("ALTER TABLE Page ADD COLUMN \(StoreStatement(stringLiteral: column))")
      }
      try transaction.execute(
        #"UPDATE Page SET made = \#(date), price = '10.5', tags = '["a"]', isOpen = 1 WHERE id = 1"#)
    }
    let page = DatedPage(id: 1, made: date, price: 10.5, tags: ["a"], isOpen: true)
    #expect(try await store.fetch(DatedPage.self) == [page, DatedPage(id: 2)])
    for condition: StoreCondition<DatedPage> in [
      \.made == date, \.made > date - 1, \.price == 10.5, \.price > 9, \.isOpen == true, .isAmong(\.made, [date]),
    ] {
      #expect(try await store.fetch(DatedPage.self, where: condition) == [page])
      #expect(try await store.fetch(DatedPage.self, where: !condition).map(\.id) == [2])
    }
    try await store.save(page)
    #expect(try await store.fetch(DatedPage.self, where: \.price > 9) == [page])
  }

  @Test(arguments: ["DATE", "TIME(3)", "JSON", "UUID", "VARCHAR(9)"])
  func textThatLooksLikeANumberIsKeptOrRefused(declaration: String) async throws {
    try await store.save([Page(id: 1)])
    try await store.perform { transaction in
      _ = try transaction.execute("ALTER TABLE Page ADD COLUMN label \(StoreStatement(stringLiteral: declaration))")
    }
    var label = "2026-11-28"
    for text in [
      label, "007", "1e5", " 12\n", "+.5", "1.", "20260101", "1e999", "12:30", "", "0x10", "1e", "1 2", "nan",
    ] {
      do {
        try await store.save(LabelledPage(id: 1, label: text))
        label = text
      } catch let error as StoreError {
        #expect(error.code == .invalidValue && !declaration.hasPrefix("VARCHAR"))
        #expect(error.reason?.contains("Page.label is declared as \(declaration)") == true)
        #expect(Double(text.filter { !$0.isWhitespace }) != nil)
      }
      #expect(try await store.fetch(LabelledPage.self) == [LabelledPage(id: 1, label: label)])
    }
    #expect(label == "nan")
  }

  @Test(arguments: ["JSON", "NUMERIC", "INTEGER"]) func numbersOfJSONAreKeptOrRefused(declaration: String) async throws
  {
    try await store.save([Page(id: 1)])
    try await store.perform { transaction in
      _ = try transaction.execute("ALTER TABLE Page ADD COLUMN value \(StoreStatement(stringLiteral: declaration))")
    }
    for (value, isKept) in [
      ("7", true), ("1.5", true), ("0.1", true), ("12345678901234567890", false), ("1e400", false), (#""7""#, true),
      ("[1e400]", true), ("null", true),
    ] {
      let page = ValuedPage(id: 1, value: try JSON(parsing: value))
      if isKept {
        try await store.save(page)
        #expect(try await store.fetch(ValuedPage.self) == [page])
      } else {
        await #expect(throws: StoreError.self, "\(value)") { try await store.save(page) }
      }
    }
  }

  @Test func aTransactionThatIsRolledBackLeavesNoTables() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await store.perform { transaction in
        _ = try transaction.execute("ALTER TABLE Note RENAME COLUMN text TO body")
        throw Failure()
      }
    }
    try await store.save(Note(id: 2, text: "c"))
    #expect(try await store.fetch(Note.self, key: 2)?.text == "c")
  }
}
