internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

extension StoreContract {
  /// The indices that serve conditions on relations, and the table that is the index of arrays of references.
  static let relationIndexCases: [Case] = [
    Case("conditions on a referenced model use the indices of both tables") { location in
      let store = try await Store(location, migrations: [.unique("login", in: "Person")])
      try await store.save(
        (0..<2_000).map { Person(id: $0, login: "user \($0)", nick: nil, boss: $0 == 0 ? nil : Reference(id: $0 / 2)) })
      try await store.save((0..<4_000).map { Issue($0, author: $0 / 3, assignee: $0 / 2) })
      try await store.perform { transaction in _ = try transaction.execute("ANALYZE") }
      let conditions: [(StoreCondition<Issue>, [Int], tables: [String])] = [
        (\.assignee.login == "user 7", [14, 15], ["Issue", "Person"]), (\.assignee.id == 7, [14, 15], ["Issue"]),
        (\.author.boss.login == "user 700", [], ["Issue", "Person"]),
        (.isAmong(\.assignee.login, ["user 1", "user 9"]) && \.state == .open, [2, 3, 18, 19], ["Issue", "Person"]),
      ]
      for (index, (condition, ids, tables)) in conditions.enumerated() {
        let (found, plan) = try await store.read { transaction in
          (
            try transaction.fetch(Issue.self, where: condition).map(\.id),
            try transaction.explain(Issue.self, where: condition)
          )
        }
        try expect(found == ids, "condition \(index): \(found)")
        // SQLite names the aliases, PostgreSQL the tables, too.
        try expect(!plan.contains("SCAN") && !plan.contains("Seq Scan"), "condition \(index): \(plan)")
        try expect(plan.contains("t1") == tables.contains("Person"), "condition \(index): \(plan)")
      }
    },
    Case("a number of references to some rows uses the index of the references") { location in
      let store = try await Store(location)
      try await store.save((0..<300).map { Label(id: $0, name: "label \($0)", owner: nil) })
      try await store.save((0..<3_000).map { Issue($0, author: 1, labels: [$0 % 300, ($0 + 1) % 300, $0 % 300]) })
      try await store.perform { transaction in _ = try transaction.execute("ANALYZE") }
      let condition: StoreCondition<Issue> = .count(\.labels, where: \.name == "label 7") > 1
      let (found, plan) = try await store.read { transaction in
        (
          try transaction.fetch(Issue.self, where: condition).map(\.id),
          try transaction.explain(Issue.self, where: condition)
        )
      }
      try expect(found, is: (0..<10).map { $0 * 300 + 7 })
      try expect(!plan.contains("SCAN t0") && !plan.contains(#"Seq Scan on "Issue""#), plan)
      try expect(plan.contains("(element=?)") || plan.contains("Bitmap Index Scan"), plan)
    },
    Case("conditions on arrays of references use an index") { location in
      let store = try await Store(location)
      try await store.save((0..<300).map { Label(id: $0, name: "label \($0)", owner: Reference(id: $0 % 40)) })
      try await store.save((0..<40).map { Person(id: $0, login: "user \($0)", nick: nil, boss: nil) })
      var issues: [Issue] = []
      for id in 0..<6_000 {
        let (first, second) = (id % 300, (id + 7) % 300)
        issues.append(Issue(id, author: 1, labels: [first, second, second]))
      }
      try await store.save(issues)
      try await store.perform { transaction in _ = try transaction.execute("ANALYZE") }
      func has(_ id: Int) -> (Issue) -> Bool { { $0.labels.contains(Reference(id: id)) } }
      let owned: (Issue) -> Bool = { issue in
        issue.id > 50 && issue.labels.contains { $0.id < 100 && $0.id % 40 == 3 }
      }
      let ofOwner: StoreCondition<Issue> = .any(\.labels, where: \.owner.login == "user 3" && \.id < 100)
      let first: StoreCondition<Issue> = .any(\.labels, where: \.name == "label 1")
      let conditions: [(StoreCondition<Issue>, (Issue) -> Bool)] = [
        (.contains(\.labels, 8), has(8)), (.any(\.labels, where: \.name == "label 9"), has(9)),
        (\.state == .open && ofOwner && \.id > 50, owned),
        (.contains(\.labels, 8) && first, { has(8)($0) && has(1)($0) }),
      ]
      for (index, (condition, matches)) in conditions.enumerated() {
        let expected = issues.filter(matches).map(\.id)
        let found = try await store.fetch(Issue.self, where: condition).map(\.id)
        let plan = try await store.perform { transaction in
          // Only PostgreSQL has this setting. It prefers to read small tables without an index.
          do { try transaction.perform { try $0.execute("SET LOCAL enable_seqscan = off") } } catch is StoreError {}
          return try transaction.explain(Issue.self, where: condition)
        }
        try expect(found == expected, "condition \(index): \(found)")
        try expect(try await store.count(Issue.self, where: !condition), is: issues.count - expected.count)
        try expect(!plan.contains("SCAN t0") && !plan.contains("SCAN Issue"), "condition \(index): \(plan)")
        try expect(!plan.contains(#"Seq Scan on "Issue""#), "condition \(index): \(plan)")
      }
    },
    Case("the index of references has the rows of all programs and versions", needs: [.sharing]) { location in
      struct OldIssue: Codable, Sendable, ManagedDecodable {
        static let entityName = "Issue"
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id: Int
        var labels: [Int]
      }
      func ids(_ store: Store, _ label: Int) async throws -> [Int] {
        let contained = try await store.fetch(PlainIssue.self, where: .contains(labels, label)).map(\.id)
        let found = try await store.fetch(PlainIssue.self, where: .any(labels, where: \.id == label)).map(\.id)
        try expect(found, is: contained)
        return found
      }
      let labels = StoredColumn<PlainIssue, [Reference<Label>]>("labels")
      let old = try await Store(location)
      try await old.save((1...4).map { Label(id: $0, name: "\($0)", owner: nil) })
      // Without references, the column has no index.
      try await old.save([OldIssue(id: 1, labels: [1, 2]), OldIssue(id: 2, labels: [2, 2, 3])])
      try expect(try await ids(old, 2), is: [1, 2])
      await old.close()
      let index = StoreMigration.index("labels", in: "Issue")
      let store = try await Store(location, migrations: [index])
      try expect(try await ids(store, 2), is: [1, 2])
      // By SQL, by models, and when rows are deleted.
      try await store.perform { transaction in
        let (table, id, labels) = ("Issue", "id", "labels")
        _ = try transaction.execute(
          "UPDATE \(identifier: table) SET \(identifier: labels) = '[3, 4]' WHERE \(identifier: id) = \(1)")
        _ = try transaction.execute(
          "INSERT INTO \(identifier: table) (\(identifier: id), \(identifier: labels)) VALUES (\(5), '[1, \"2\", {}, [3]]')"
        )
        _ = try transaction.execute(
          "INSERT INTO \(identifier: table) (\(identifier: id), \(identifier: labels)) VALUES (\(6), '{\"a\": 1}')")
        _ = try transaction.execute(
          "UPDATE \(identifier: table) SET \(identifier: id) = 7 WHERE \(identifier: id) = \(2)")
      }
      try expect(try await store.count(PlainIssue.self, where: .contains(labels, 2)), is: 1)
      try expect(try await store.count(PlainIssue.self, where: .contains(labels, 3)), is: 2)
      try expect(try await store.count(PlainIssue.self, where: .contains(labels, 1)), is: 1)
      try await store.delete(PlainIssue.self, where: .isAmong(StoredColumn<PlainIssue, Int>("id"), [5, 6]))
      try await store.save(OldIssue(id: 1, labels: [4]))
      try expect(try await ids(store, 3), is: [7])
      try expect(try await ids(store, 4), is: [1])
      await store.close()
      // Migrations keep the index.
      let migrations: [StoreMigration] = [
        index, .rename("labels", to: "tags", in: "Issue"), .rename("tags", to: "labels", in: "Issue"),
        .retype("id", as: String.self, in: "Issue"), .retype("id", as: Int.self, in: "Issue"),
        .add("state", default: "open", in: "Issue"),
      ]
      let changed = try await Store(location, migrations: migrations)
      try expect(try await ids(changed, 3), is: [7])
      try await changed.save(OldIssue(id: 7, labels: [1]))
      try expect(try await ids(changed, 3), is: [])
      try expect(try await ids(changed, 1), is: [7])
      await changed.close()
      let dropped = try await Store(location, migrations: migrations + [.drop("labels", in: "Issue")])
      let dump = try await dropped.schemaDump()
      try expect(!dump.contains("labels"), dump)
    },
    Case("arrays of references to models with Data as ids are found") { location in
      let store = try await Store(location)
      let ids = [Data([0, 255, 1]), Data(), Data(repeating: 7, count: 100)]
      try await store.save(ids.map { Sheet(id: $0, size: $0.count) })
      try await store.save([
        Binder(id: 1, blobs: ids.map { Reference(id: $0) }), Binder(id: 2, blobs: [Reference(id: ids[2])]),
        Binder(id: 3, blobs: []), Binder(id: 4, blobs: [Reference(id: Data([9]))]),
      ])
      let conditions: [(StoreCondition<Binder>, [Int])] = [
        (.any(\.blobs, where: \.size == 100), [1, 2]), (.noneOf(\.blobs, where: \.size < 100), [2, 3, 4]),
        (.noneOf(\.blobs, where: .all), [3, 4]), (.contains(\.blobs, ids[0]), [1]),
        (!.contains(\.blobs, Data([9])), [1, 2, 3]),
      ]
      for (index, (condition, expected)) in conditions.enumerated() {
        let found = try await store.fetch(Binder.self, where: condition).map(\.id)
        try expect(found == expected, "condition \(index): \(found)")
      }
      let related = try await store.fetch(Binder.self, with: \.blobs)
      try expect(related.map { $0.1.map(\.id) }, is: [ids, [ids[2]], [], []])
    },
  ]
}

/// A model with bytes as its id.
@StoredModel
struct Sheet: Equatable, Identifiable {
  @MatchKey var id: Data
  var size: Int
}

@StoredModel
struct Binder: Equatable, Identifiable {
  @MatchKey var id: Int
  var blobs: [Reference<Sheet>]
}
