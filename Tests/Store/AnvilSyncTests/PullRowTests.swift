import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Testing

/// Rows that a run skips, and members that the model does not have.
@Suite(.timeLimit(.minutes(15)), .serialized) struct PullRowTests {
  private let listing: ListingServer

  init() throws { listing = try ListingServer() }

  @Test(arguments: SyncBackend.available) func aRowThatDoesNotDecodeIsSkippedAndTheOthersAreStored(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve(texts: [
      #"{"id": 1, "name": "a"}"#, #"{"id": 2, "name": 7}"#, #"{"id": 3}"#, "null",
      #"{"id": 5, "name": "e", "badges": [{"color": "red"}, {"color": 1}]}"#, #"{"id": 6, "name": "f"}"#,
    ])
    let report = try await store.store.run(listing.pull())
    #expect(try await store.store.members.map(\.id) == [1, 6])
    #expect(report.counts.inserted == 2)
    #expect(report.skippedCount == 4)
    #expect(report.skipped.map(\.path) == ["[1].name", "[2].name", "[3]", "[4].badges[1].color"])
    #expect(report.skipped.allSatisfy { $0.page == 1 && !$0.reason.isEmpty })
    let mismatches = report.drift.filter { $0.kind == .typeMismatch }
    #expect(mismatches.map(\.path) == ["name", "badges[].color"])
    #expect(report.drift.contains { $0.kind == .missingValue && $0.path == "name" })
  }

  /// PostgreSQL has no NUL in text, which only the database finds out.
  @Test(arguments: SyncBackend.available) func aRowThatTheDatabaseRejectsIsSkipped(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve(texts: (1...9).map { $0 == 4 ? #"{"id": 4, "name": "a\u0000"}"# : #"{"id": \#($0), "name": "m"}"# })
    let report = try await store.store.run(listing.pull())
    #expect(report.skipped.map(\.path) == (backend == .postgres ? ["[3]"] : []))
    #expect(report.counts.inserted + report.skippedCount == 9)
    #expect(try await store.store.context.count(Member.self) == report.counts.inserted)
  }

  @Test(arguments: SyncBackend.available) func conflictRulesDetermineWhichAttributesAreKept(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve([Member(1, "a", note: "own"), Member(2, "b")])
    try await store.store.run(listing.pull(rules: [Member.keepsNote]))
    listing.serve([Member(1, "new", note: "theirs"), Member(2, "b", note: "first")])
    let report = try await store.store.run(listing.pull(rules: [Member.keepsNote]))
    #expect(report.counts == StoreChanges.Counts(updated: 2))
    #expect(try await store.store.members == [Member(1, "new", note: "own"), Member(2, "b", note: "first")])
  }

  @Test func skippedRowsAreCountedEvenIfNotDescribed() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.change { $0.pageSize = 300 }
    listing.serve(texts: (1...500).map { $0.isMultiple(of: 2) ? #"{"id": \#($0)}"# : #"{"id": \#($0), "name": "n"}"# })
    let report = try await store.store.run(listing.pull())
    #expect(report.skippedCount == 250)
    #expect(report.skipped.count == PullReport.maximumDetailCount)
    #expect(report.counts.inserted == 250)
    #expect(report.drift.map(\.rowCount) == [250])
  }

  @Test func keysThatTheModelDoesNotReadAreReported() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [
      #"{"id": 1, "name": "a", "age": 3}"#,
      #"{"id": 2, "name": "b", "badges": [{"color": "red"}, {"color": "blue", "size": 2}]}"#,
      #"{"id": 3, "name": "c", "age": null, "note": null}"#,
    ])
    let report = try await store.store.run(listing.pull())
    #expect(report.counts.inserted == 3)
    #expect(
      Set(report.drift.map(\.description)) == ["age: unknown key (2 rows)", "badges[].size: unknown key (1 row)"])
  }

  @Test func textsOfTheServerAreInOnePrintableLine() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    let key = #"a\u001b[31m\n\u202eb"#
    listing.serve(texts: [#"{"id": 1, "name": "a", "\#(key)": 3}"#, #"{"id": {"\#(key)": 1}, "name": "b"}"#])
    let report = try await store.store.run(listing.pull())
    let plan = PullPlan(
      name: "objects", partitions: ["": listing.gateway.request("members")], pagination: .linkHeader,
      items: JSON.Path(), cursor: .none, missing: .kept, tombstone: nil,
      rows: ObjectPullRows(entity: "Object", keys: ["no"]))
    let rows = try await store.store.run(plan)
    #expect(report.skippedCount == 1 && report.drift.count == 2)
    #expect(rows.skippedCount == 2)
    let texts =
      (report.skipped + rows.skipped).map(\.description) + (report.drift + rows.drift).map(\.description)
      + rows.skipped.map(\.reason)
    for text in texts {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }, "\(text.debugDescription)")
    }
  }

  @Test func thePathOfATombstoneIsNoDeviation() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [#"{"id": 1, "name": "a", "is deleted": false}"#])
    let report = try await store.store.run(listing.pull(tombstone: .field("is deleted", equals: true)))
    #expect(report.counts.inserted == 1)
    #expect(report.drift.map(\.path) == [])
  }

  /// PostgreSQL's names have at most 63 bytes.
  @Test(arguments: SyncBackend.available) func longNamesOfMembersAreShortened(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    let name = String(repeating: "é", count: 40)
    listing.serve(texts: [#"{"id": 1, "\#(name)a": "one", "\#(name)b": 2}"#])
    let plan = PullPlan(
      name: "long", partitions: ["": listing.gateway.request("members")], pagination: .linkHeader, items: JSON.Path(),
      cursor: .none, missing: .kept, tombstone: nil, rows: ObjectPullRows(entity: "Long", keys: ["id"]))
    #expect(try await store.store.run(plan).counts.inserted == 1)
    #expect(try await store.store.run(plan).counts.unchanged == 1)
    let columns = try await store.store.context.read { transaction in
      try transaction.fetch(
        String.self, sql: "SELECT name FROM anvil_attributes WHERE entity = 'Long' AND name <> 'id' ORDER BY type")
    }
    #expect(Set(columns).count == 2)
    #expect(columns.allSatisfy { $0.utf8.count <= 63 } == (backend == .postgres))
    #expect(columns.allSatisfy { $0.hasPrefix(name) } == (backend == .sqlite))
  }

  @Test(arguments: SyncBackend.available) func rowsWithALongNameOfTheirKeyAreNotMissing(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    let name = String(repeating: "k", count: 70)
    listing.serve(texts: (1...3).map { #"{"\#(name)": \#($0)}"# })
    let plan = PullPlan(
      name: "long", partitions: ["": listing.gateway.request("members")], pagination: .linkHeader, items: JSON.Path(),
      cursor: .none, missing: .deleted, tombstone: nil, rows: ObjectPullRows(entity: "Long", keys: [name]))
    #expect(try await store.store.run(plan).counts == StoreChanges.Counts(inserted: 3))
    #expect(try await store.store.run(plan).counts == StoreChanges.Counts(unchanged: 3))
  }

  @Test(arguments: SyncBackend.available) func rulesApplyToColumnsWithALongName(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    let name = String(repeating: "n", count: 70)
    let plan = PullPlan(
      name: "long", partitions: ["": listing.gateway.request("members")], pagination: .linkHeader, items: JSON.Path(),
      cursor: .none, missing: .kept, tombstone: nil,
      rows: ObjectPullRows(entity: "Long", keys: ["id"], rules: [ConflictRule(column: name, .keep)]))
    listing.serve(texts: [#"{"id": 1, "\#(name)": "a"}"#])
    #expect(try await store.store.run(plan).counts == StoreChanges.Counts(inserted: 1))
    listing.serve(texts: [#"{"id": 1, "\#(name)": "b"}"#])
    #expect(try await store.store.run(plan).counts == StoreChanges.Counts(unchanged: 1))
  }

  @Test(arguments: SyncBackend.available) func rulesAndScopesApplyToObjects(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    let rules = [
      ConflictRule(column: nil, .newest(by: "at")), ConflictRule(column: "seen", .keep),
      ConflictRule(column: "labels", .merge), ConflictRule(column: "title", .replace),
    ]
    let scope = MissingRows.deleted(where: ConditionNode.equals("team", "red"))
    let plan = PullPlan(
      name: "ruled", partitions: ["": listing.gateway.request("members")], pagination: .linkHeader, items: JSON.Path(),
      cursor: .none, missing: scope, tombstone: nil, rows: ObjectPullRows(entity: "Ruled", keys: ["id"], rules: rules))
    listing.serve(texts: [
      #"{"id": 1, "at": 2.5, "seen": "a", "labels": {"x": [1]}, "title": "t", "text": "old", "team": "red"}"#,
      #"{"id": 2, "at": 2.5, "seen": null, "labels": null, "title": "t", "text": null, "team": "red"}"#,
      #"{"id": 3, "team": "red"}"#, #"{"id": 4, "team": "blue"}"#,
    ])
    #expect(try await store.store.run(plan).counts.inserted == 4)
    listing.serve(texts: [
      #"{"id": 1, "at": 2, "seen": "b", "labels": {"x": [2]}, "title": "T", "text": "new", "team": "red"}"#,
      #"{"id": 2, "at": 2, "seen": "b", "labels": [1], "title": "T", "text": "new", "team": "red"}"#,
    ])
    let report = try await store.store.run(plan)
    #expect(report.counts == StoreChanges.Counts(updated: 2, deleted: 1))
    #expect(try await store.store.run(plan).counts.unchanged == 2)
    struct Row: Decodable, Equatable {
      var id: Int
      var at: Double?
      var seen: String?
      var labels: String?
      var title: String?
      var text: String?
    }
    let rows = try await store.store.context.read { transaction in
      try transaction.fetch(
        Row.self, sql: #"SELECT id, at, seen, labels, title, text FROM "Ruled" ORDER BY id"#)
    }
    #expect(
      rows == [
        Row(id: 1, at: 2.5, seen: "a", labels: #"{"x":[1,2]}"#, title: "T", text: "old"),
        Row(id: 2, at: 2.5, seen: "b", labels: "[1]", title: "T", text: nil), Row(id: 4),
      ])
  }

  /// Statements are cached for a limited number of member sets.
  @Test(arguments: SyncBackend.available) func newRowsWithManyDifferentMembersFollowRules(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    let plan = PullPlan(
      name: "many", partitions: ["": listing.gateway.request("members")], pagination: .linkHeader, items: JSON.Path(),
      cursor: .none, missing: .kept, tombstone: nil,
      rows: ObjectPullRows(entity: "Many", keys: ["id"], rules: [ConflictRule(column: "m0", .keep)]))
    // The members of a row are the bits of its number.
    let rows = (1..<1024).map { number in
      let members = (0..<10).filter { number >> $0 & 1 == 1 }.map { #""m\#($0)": \#($0 + number * 10)"# }
      return #"{"id": \#(number), \#(members.joined(separator: ", "))}"#
    }
    listing.change { $0.pageSize = rows.count }
    listing.serve(texts: rows)
    #expect(try await store.store.run(plan).counts == StoreChanges.Counts(inserted: rows.count))
    #expect(try await store.store.run(plan).counts == StoreChanges.Counts(unchanged: rows.count))
  }

  private func objects(_ entity: String) -> PullPlan {
    PullPlan(
      name: entity, partitions: ["": listing.gateway.request("members")], pagination: .linkHeader, items: JSON.Path(),
      cursor: .none, missing: .kept, tombstone: nil, rows: ObjectPullRows(entity: entity, keys: ["id"]))
  }

  /// PostgreSQL gives each table columns that others cannot be named like.
  @Test(arguments: SyncBackend.available) func aMemberNamedLikeASystemColumnIsSkipped(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    let names = ["ctid", "tableoid", "xmin", "cmin", "xmax", "cmax"]
    let rows = names.enumerated().map { #"{"id": \#($0), "\#($1)": 1}"# }
    listing.serve(texts: [#"{"id": 8, "CTID": 1}"#] + rows + [#"{"id": 9}"#])
    let report = try await store.store.run(objects("System"))
    // ctid is the same name as CTID before it, which is not reserved.
    #expect(report.counts.inserted == (backend == .postgres ? 3 : 8))
    #expect(report.skippedCount == (backend == .postgres ? 5 : 0))
    guard backend == .postgres else { return }
    #expect(report.skipped.last?.reason == "the member name cmax is reserved by the database")
  }

  /// SQLite has at most 2,000 columns in a table, PostgreSQL 1,600.
  @Test(arguments: SyncBackend.available) func aRowWithTooManyMembersIsSkipped(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    let wide = (0..<2_100).map { #""c\#($0)": 1"# }.joined(separator: ",")
    listing.serve(texts: [#"{"id": 1}"#, #"{"id": 2, \#(wide)}"#, #"{"id": 3}"#])
    let report = try await store.store.run(objects("Wide"))
    #expect(report.counts.inserted == 2)
    #expect(report.skipped.map(\.path) == ["[1]"])
  }

  @Test(arguments: SyncBackend.available) func tombstonesRemoveRows(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...4).map { Member($0) })
    let pull = listing.pull(tombstone: .field("deleted_at"))
    try await store.store.run(pull)
    listing.serve(texts: [
      #"{"id": 1, "name": "one", "deleted_at": null}"#, #"{"id": 2, "deleted_at": "2026-01-01"}"#,
      #"{"id": 9, "deleted_at": "2026-01-01"}"#, #"{"id": 3, "name": "three"}"#, #"{"deleted_at": true}"#,
    ])
    let report = try await store.store.run(pull)
    #expect(report.counts.deleted == 1)
    #expect(report.counts.updated == 2)
    #expect(report.skipped.map(\.path) == ["[4].id"])
    #expect(try await store.store.members == [Member(1, "one"), Member(3, "three"), Member(4)])
  }

  @Test func aTombstoneCanBeAFieldWithAValue() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [#"{"id": 1, "name": "a", "status": "active"}"#, #"{"id": 2, "name": "b", "status": "gone"}"#])
    let report = try await store.store.run(listing.pull(tombstone: .field("status", equals: "gone")))
    #expect(try await store.store.members == [Member(1, "a")])
    #expect(report.counts.deleted == 0)
  }

  @Test func aTombstoneCanBeNull() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [
      #"{"id": 1, "name": "a", "published": null}"#, #"{"id": 2, "name": "b", "published": "2020"}"#,
    ])
    try await store.store.run(listing.pull(tombstone: .field("published", equals: nil)))
    #expect(try await store.store.members == [Member(2, "b")])
  }

  @Test func aTombstoneOrCursorThatIsTheWholeRowIsRefused() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    for pull in [
      listing.pull(tombstone: .field(JSON.Path())), listing.pull(tombstone: .field([], equals: 1)),
      listing.pull(cursor: .field([], parameter: "since")),
    ] {
      let error = await #expect(throws: PullError.self) { try await store.store.run(pull) }
      #expect(error?.code == .invalidPull)
      #expect(error?.reason.hasSuffix("is the whole row, but must be the path of a value in it") == true)
    }
    #expect(listing.targets.isEmpty)
  }

  @Test(arguments: SyncBackend.available) func aTombstoneThatNoRowEverHadIsInTheReport(
    _ backend: SyncBackend
  ) async throws {
    let store = try await SyncDatabase(backend).opened()
    listing.serve((1...12).map { Member($0) })
    let pull = listing.pull(tombstone: .field(["meta", "deleted_at"]))
    let note = "no row has a value at meta.deleted_at"
    #expect(try await store.store.run(pull).missingTombstone == note)
    // The last page has the field.
    listing.serve(
      texts: (1...12).map { #"{"id": \#($0), "name": "m", "meta": {\#($0 < 12 ? "" : #""deleted_at": null"#)}}"# })
    #expect(try await store.store.run(pull).missingTombstone == nil)
    listing.serve((1...3).map { Member($0) })
    #expect(try await store.store.run(pull).missingTombstone == nil)
    #expect(
      try await store.store.run(listing.pull(tombstone: .field("gone"))).missingTombstone
        == "no row has a value at gone")
    listing.serve([])
    #expect(try await store.store.run(listing.pull(tombstone: .field("gone"))).missingTombstone == nil)
  }

  @Test func rowsAreDecodedInTheFormatOfTheRequest() async throws {
    struct Visit: Codable, Sendable, Equatable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = [.key(CodingKeys.visitID)]
      var visitID: Int
      var seenAt: Date
    }
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/visits") { _ in .json(#"[{"visitID": 1, "seen_at": "2026-01-02T03:04:05Z"}]"#) }
    for (index, isFoundations) in [false, true].enumerated() {
      var request = listing.gateway.request("visits")
      if isFoundations {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        request.decodingFormat = decoder
      } else {
        let decoder = JSON.Decoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        request.decodingFormat = decoder
      }
      let report = try await store.store.run(Pull("visits\(index)", request, of: Visit.self, by: .linkHeader))
      #expect(report.skipped == [])
      #expect(report.drift == [])
    }
    #expect(
      try await store.store.context.fetch(Visit.self)
        == [Visit(visitID: 1, seenAt: Date(timeIntervalSince1970: 1_767_323_045))])
  }
}
