import AnvilJSON
import AnvilSQLite
import AnvilStore
import AnvilStoreTestSupport
import AnvilTestSupport
import Foundation
import Testing

/// Objects of JSON as rows.
@Suite struct DynamicStoringTests {
  private typealias Counts = StoreChanges.Counts

  @Test func absentMembersKeepTheValueAndNullClearsIt() async throws {
    let store = try await DynamicStore()
    try await store.store(#"[{"id": 1, "a": 1, "b": 2}, {"id": 2, "a": 1, "b": 2}]"#, keys: "id")
    let stored = try await store.store(#"[{"id": 1, "a": null}, {"b": 2, "id": 2}]"#, keys: "id")
    #expect(stored.counts == Counts(updated: 1, unchanged: 1))
    #expect(try store.rows() == [[.integer(1), .null, .integer(2)], [.integer(2), .integer(1), .integer(2)]])
  }

  @Test func laterObjectsUpdateTheRowWhichIsCountedOnce() async throws {
    let store = try await DynamicStore()
    let first = try await store.store(
      #"[{"id": 1, "a": 1, "b": 1}, {"id": 2, "a": 0}, {"id": 1, "a": 2}, {"id": 1.0, "a": 3}]"#, keys: "id")
    #expect(first.counts == Counts(inserted: 2))
    #expect(try store.rows("SELECT a, b FROM T WHERE id = 1") == [[.integer(3), .integer(1)]])
    let second = try await store.store(#"[{"id": 1, "a": 3}, {"id": 1, "a": 4}, {"id": 1, "a": 4}]"#, keys: "id")
    #expect(second.counts == Counts(updated: 1))
  }

  /// Rows with the same columns are written together, whatever the order of their keys and members.
  @Test(arguments: [1, -1, 7]) func manyObjectsOfSeveralFormsAreStored(step: Int) async throws {
    let store = try await DynamicStore()
    func object(_ index: Int, _ text: String) -> String {
      let id = (index * step + 1_000) % 1_000
      return switch index % 300 {
      case 299: #"{"ID": \#(id), "n": null, "text": "\#(text)"}"#
      case 298: #"{"text": "\#(text)", "id": \#(id), "more": \#(id).5}"#
      default: #"{"id": \#(id), "text": "\#(text)", "n": \#(id).0}"#
      }
    }
    func text(_ count: Int, _ text: String) -> String {
      "[\((0..<count).map { object($0, text) }.joined(separator: ","))]"
    }
    #expect(try await store.store(text(500, "a"), keys: "id").counts == Counts(inserted: 500))
    #expect(try await store.store(text(1_000, "a"), keys: "id").counts == Counts(inserted: 500, unchanged: 500))
    #expect(try await store.store(text(1_000, "b"), keys: "id").counts == Counts(updated: 1_000))
    #expect(
      try store.rows("SELECT count(DISTINCT id), count(n), count(more), min(text), CAST(sum(n) AS INTEGER) FROM T")
        == store.rows("SELECT 1000, 994, 3, 'b', sum(id) FROM T WHERE n IS NOT NULL"))
    #expect(try store.columns() == ["id integer", "text text", "n real", "more real"])
  }

  @Test func aRowThatOccursAgainInAnotherGroupIsCountedOnce() async throws {
    let store = try await DynamicStore()
    let rows = (0..<600).map { #"{"id": "\#($0)", "a": 1}"# }
    let all = try await store.store("[\((rows + [#"{"a": 2, "id": "5"}"#]).joined(separator: ","))]", keys: "id")
    #expect(all.counts == Counts(inserted: 600))
    let again = try await store.store("[\((rows + [rows[5]]).joined(separator: ","))]", keys: "id")
    #expect(again.counts == Counts(updated: 1, unchanged: 599))
    #expect(try store.rows("SELECT count(*), sum(a) FROM T") == [[.integer(600), .integer(600)]])
  }

  @Test func aColumnRenamedByAMigrationIsNotAddedAgain() async throws {
    let file = try TemporaryDatabase()
    let old = try await Store(.sqlite(path: file.url.path()))
    let object = try JSON(parsing: #"{"id": 1, "a": 2}"#)
    _ = try await old.context.store(object, as: "T", keys: ["id"])
    let new = try await Store(.sqlite(path: file.url.path()), migrations: [.rename("a", to: "b", in: "T")])
    let error = await #expect(throws: StoreError.self) {
      try await old.context.store(object, as: "T", keys: ["id"])
    }
    #expect(error?.code == .schemaMismatch)
    #expect(try file.open().rows("SELECT * FROM T") == [[.integer(1), .integer(2)]])
    _ = try await new.context.store(object, as: "T", keys: ["id"])
    #expect(try file.open().rows("SELECT * FROM T") == [[.integer(1), .integer(2), .integer(2)]])
    await old.close()
    await new.close()
  }

  @Test func aTableCanHaveSeveralKeys() async throws {
    let store = try await DynamicStore()
    try await store.store(#"[{"a": 1, "b": "x", "c": 1}, {"a": 1, "b": "y", "c": 1}]"#, keys: "a", "b")
    let stored = try await store.store(#"{"c": 2, "b": "y", "a": 1}"#, keys: "b", "a")
    #expect(stored.counts == Counts(updated: 1))
    #expect(try store.rows("SELECT c FROM T ORDER BY b") == [[.integer(1)], [.integer(2)]])
  }

  @Test(arguments: [
    (0, "none"), (1, "m0"), (10, "m0, m1, m2, m3, m4, m5, m6, m7, m8, m9"),
    (11, "m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 1 more"),
    (13, "m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 3 more"),
  ])
  func theErrorForAMissingKeyListsTheExistingKeys(count: Int, keys: String) async throws {
    let store = try await DynamicStore()
    let members = (0..<count).map { #""m\#($0)": 1"# }.joined(separator: ",")
    let refusal = try await store.refusal(of: "{\(members)}", keys: ["id"])
    #expect(refusal?.reason == "no key id; keys here: \(keys)")
    #expect(try !store.connection.tableExists("T"))
  }

  @Test func withoutKeysEachObjectIsInserted() async throws {
    let store = try await DynamicStore()
    try await store.store(#"[{"a": 1}, {"a": 1}, {}, {"b": null}]"#)
    #expect(try await store.store(#"{"a": 1}"#).counts == Counts(inserted: 1))
    #expect(
      try store.rows("SELECT a FROM T ORDER BY anvil_id")
        == [[.integer(1)], [.integer(1)], [.null], [.null], [.integer(1)]])
    #expect(try store.columns() == ["a integer"])
  }

  @Test(arguments: [
    "select", "a b", #"""#, #"v"); DROP TABLE T; --"#, "'", "`", "[x]", "é\u{301}", "?1", "\n", "𝄞", "rowid", "a.b",
    ":a",
    "anvil_new", "anvil_wider_1",
  ])
  func anyNameCanBeAColumnAndATable(name: String) async throws {
    let store = try await DynamicStore()
    let key = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    try await store.store(#"{"id": 1, \#(key): "'); DROP TABLE T; --"}"#, as: "the \(name)", keys: "id")
    try await store.store(#"{"id": 2, \#(key): [1]}"#, as: "the \(name)", keys: "id")
    let (table, column) = try (store.connection.quoted("the \(name)"), store.connection.quoted(name))
    #expect(
      try store.rows("SELECT \(column) FROM \(table) ORDER BY id")
        == [[.text(#""'); DROP TABLE T; --""#)], [.text("[1]")]])
  }

  @Test func largeAndDeeplyNestedValuesAreRestored() async throws {
    let store = try await DynamicStore()
    let text = String(repeating: "0123456789", count: 500_000)
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    try await store.store(#"{"id": "\#(text)", "deep": \#(deep)}"#, keys: "id")
    #expect(try store.rows() == [[.text(text), .text(deep)]])
  }

  @Test func longNamesAreShortenedInMessages() async throws {
    let store = try await DynamicStore()
    let name = String(repeating: "n", count: 1_000)
    let refusal = try await store.refusal(of: #"{"\#(name)": 1}"#, keys: ["id"])
    #expect(refusal?.reason == "no key id; keys here: \(name.prefix(40))…")
  }

  @Test func tooManyColumnsAreRejected() async throws {
    let store = try await DynamicStore()
    try await store.store(#"{"c0": 1}"#)
    let members = (1...2_100).map { #""c\#($0)": 1"# }.joined(separator: ",")
    await #expect(throws: StoreError.self) { try await store.store("{\(members)}") }
    #expect(try store.rows() == [[.integer(1), .integer(1)]])
  }

  @Test func membersMayDifferInOrderAndNumber() async throws {
    let store = try await DynamicStore()
    let objects = (0..<600).map { number in
      let members = (0..<10).filter { number & 1 << $0 != 0 }.map { #""m\#($0)": \#(number)"# }
      return "{\((members.reversed() + [#""id": \#(number)"#]).joined(separator: ","))}"
    }
    let list = "[\(objects.joined(separator: ","))]"
    #expect(try await store.store(list, keys: "id").counts == Counts(inserted: 600))
    #expect(try await store.store(list, keys: "id").counts == Counts(unchanged: 600))
    for bit in 0..<10 {
      let other = "m\(bit) IS NOT CASE WHEN id & \(1 << bit) THEN id END"
      #expect(try store.rows("SELECT count(*) FROM T WHERE \(other)") == [[.integer(0)]])
    }
  }

  @Test func storingConcurrentlyLosesNothing() async throws {
    let dynamic = try await DynamicStore()
    let store = dynamic.store
    let values = ["1", "2.5", #""x""#, "true"]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        let text = #"[{"id": \#(number % 10), "v": \#(values[number % 4])}, {"id": 100, "c\#(number)": 1}]"#
        group.addTask { _ = try await store.context.store(try JSON(parsing: text), as: "T", keys: ["id"]) }
      }
      try await group.waitForAll()
    }
    let row = try JSON(parsing: "{\((0..<40).map { #""c\#($0)": 1"# }.joined(separator: ",")), \"id\": 100}")
    #expect(try await store.context.store(row, as: "T", keys: ["id"]) == StoredObjects(unchanged: 1))
    withExtendedLifetime(dynamic) {}
  }

  @Test(
    arguments: [
      (#"[{"id": 1}, {"x": 1, "ID2": 2}]"#, 1, "no key id; keys here: x, ID2"),
      (#"[{"id": 1}, {}]"#, 1, "no key id; keys here: none"),
      (#"{"id": null}"#, nil, "the key id is null, so it cannot identify a row"),
      (#"[{"id": {}}]"#, 0, "the key id is an array or an object"),
      (#"[{"id": 1}, 7]"#, 1, "expected an object, found number"),
      ("[[]]", 0, "expected an object, found array"),
      (#""x""#, nil, "expected an object, found string"),
      (#"[{"id": 1, "": 2}]"#, 0, "a member's name is empty"),
      (#"[{"id": 1, "a\u0000": 2}]"#, 0, "a member's name contains a NUL character"),
      (#"[{"id": 1, "Anvil_ID": 2}]"#, 0, "the member name Anvil_ID is reserved by the store"),
      (#"[{"id": 1}, {"id": 1, "Name": 2, "nAME": 2}]"#, 1, "a database does not distinguish the names Name and nAME"),
      (#"[{"id": 1, "\u00e9": 2, "e\u0301": 2}]"#, 0, "a database does not distinguish the names é and e\u{301}"),
    ] as [(String, Int?, String)])
  func errorsNameTheObjectThatCannotBeStored(json: String, index: Int?, reason: String) async throws {
    let store = try await DynamicStore()
    let refusal = try #require(try await store.refusal(of: json, keys: ["id"]))
    #expect(refusal.index == index)
    #expect(Array(refusal.reason.utf8) == Array(reason.utf8))
    #expect(try !store.connection.tableExists("T"))
  }

  @Test func aResponseThatCannotBeStoredIsRolledBack() async throws {
    let store = try await DynamicStore()
    try await store.store(#"{"id": 1, "a": 1}"#, keys: "id")
    let refusal = try await store.refusal(of: #"[{"id": 2, "a": "x"}, {"id": 3, "b": 1, "B": 2}]"#, keys: ["id"])
    #expect(refusal?.reason == "a database does not distinguish the names b and B")
    #expect(try store.columns() == ["id integer", "a integer"])
    #expect(try store.rows() == [[.integer(1), .integer(1)]])
  }

  @Test func theKeysOfATableCannotChange() async throws {
    let store = try await DynamicStore()
    try await store.store(#"{"id": 1, "a": 1}"#, keys: "id")
    await #expect(throws: StoreError(code: .schemaMismatch)) { try await store.store(#"{"id": 1, "a": 1}"#) }
    await #expect(throws: StoreError(code: .schemaMismatch)) { try await store.store(#"{"a": 1}"#, keys: "a") }
  }

  @Test func tableNamesThatDifferOnlyInCaseAreRejected() async throws {
    let store = try await DynamicStore()
    try await store.store(#"{"id": 1}"#, as: "User")
    let error = await #expect(throws: StoreError.self) { try await store.store(#"{"id": 1}"#, as: "user") }
    #expect(error?.reason == "the database does not distinguish the name user from that of the table User")
  }

  @Test func tablesOfOtherProgramsAreNotChanged() async throws {
    let store = try await DynamicStore()
    try store.connection.run("CREATE TABLE T (id INTEGER)")
    await #expect(throws: StoreError(code: .schemaMismatch)) { try await store.store(#"{"id": 1}"#) }
    #expect(try store.rows().isEmpty)
  }
}

extension StoredObjects {
  fileprivate init(unchanged: Int) {
    self.init()
    counts.unchanged = unchanged
  }
}
