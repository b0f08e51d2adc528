internal import AnvilBase
internal import AnvilCodable
internal import AnvilJSON
internal import AnvilStore

/// The first version of a model.
@StoredModel
struct OldErrand: Equatable, Identifiable {
  static let entityName = "Errand"
  @MatchKey var id: Int
  var name: String
}

/// A later version of the model, with more properties.
@JSONCodable @StoredModel
struct Errand: Equatable, Identifiable {
  enum State: String, StoredValue, JSONDecodable { case open, done }

  @MatchKey var id: Int
  var name: String
  var priority: Int = 3
  @CodableDefault(State.open) var state: State
  var title: String = "it's \\ \"new\""
  var ratio: Double = -0.5
  var isShared: Bool = true
  @CodableDefault(["a"]) var tags: [String]
  var due: Date = Date(timeIntervalSinceReferenceDate: 7)
  var note: String?

  init(_ id: Int, _ name: String, priority: Int = 3, state: State = .open) {
    (self.id, self.name, self.priority, self.state, tags) = (id, name, priority, state, ["a"])
  }
}

@StoredModel
struct Helper {
  @MatchKey var id: Int
  var errand: Reference<Errand>?
}

/// A version of ``Errand`` with defaults that differ each time.
@StoredModel
private struct DatedErrand: Identifiable {
  static let entityName = "Errand"
  @MatchKey var id: Int
  var changed: Date = Date()
  var token: UUID = UUID()
}

@StoredModel
private struct DatedHelper {
  static let entityName = "Helper"
  @MatchKey var id: Int
  var errand: Reference<DatedErrand>?
}

/// A model with a default that cannot be stored.
@StoredModel
struct Estimate: Equatable, Identifiable {
  @MatchKey var id: Int
  var hours: Double = .nan
}

@StoredModel
private struct Crate {
  @MatchKey var id: Int
  var weight: Int = 3
  var label: String = "1"
  var isOpen: Bool = false
}

extension StoreContract {
  static let old = [OldErrand(id: 1, name: "b"), OldErrand(id: 2, name: "a")]

  static func ids(_ condition: StoreCondition<Errand>, in store: Store) async throws -> [Int] {
    try await store.fetch(Errand.self, where: condition).map(\.id)
  }

  private static func indices(of entity: String, in store: Store) async throws -> [Substring] {
    try await store.schemaDump().split(separator: "\n").filter {
      $0.contains("INDEX") && $0.contains(entity) && !$0.contains("_pkey")
    }
  }

  static let defaultCases: [Case] = [
    Case("a column that the table does not have yet has its default in conditions and orders") { location in
      let store = try await Store(location)
      try await store.save(old)
      let dump = try await store.schemaDump()
      try expect(try await store.fetch(Errand.self), is: [Errand(1, "b"), Errand(2, "a")])
      let all: [StoreCondition<Errand>] = [
        \.priority == 3, \.priority < 4, \.priority >= 3, .isAmong(\.priority, [2, 3]), \.state == .open,
        \.title == "it's \\ \"new\"", .hasPrefix(\.title, "it's"), \.ratio < 0, \.isShared == true, \.note == nil,
        \.due == Date(timeIntervalSinceReferenceDate: 7), \.due < Date(timeIntervalSinceReferenceDate: 8),
      ]
      for (index, condition) in all.enumerated() {
        try expect(try await ids(condition, in: store) == [1, 2], "condition \(index)")
        try expect(try await ids(!condition, in: store) == [], "negation of condition \(index)")
        try expect(try await ids(condition && \.name == "a", in: store) == [2], "conjunction with condition \(index)")
      }
      try expect(try await ids(.isAmong(\.priority, []), in: store), is: [])
      try expect(
        try await store.fetch(
          Errand.self, where: \.priority == 3, orderedBy: [.descending(\.priority), .ascending(\.name)], limit: 1
        ).map(\.id), is: [2])
      var streamed: [Int] = []
      for try await errand in store.stream(Errand.self, orderedBy: [.ascending(\.due), .descending(\.id)], pageSize: 1)
      {
        streamed.append(errand.id)
      }
      try expect(streamed, is: [2, 1])
      try await store.save([
        Helper(id: 1, errand: Reference(id: 2)), Helper(id: 2, errand: nil), Helper(id: 3, errand: Reference(id: 9)),
      ])
      try expect(try await store.fetch(Helper.self, where: \.errand.priority == 3).map(\.id), is: [1])
      try expect(try await store.fetch(Helper.self, where: \.errand.priority == nil).map(\.id), is: [2, 3])
      try expect(
        try await store.fetch(Helper.self, orderedBy: [.descending(\.errand.priority)]).map(\.id), is: [1, 2, 3])
      // Reading has created nothing.
      let now = try await store.schemaDump()
      try expect(now.contains("priority"), is: false)
      try expect(dump.contains("Errand"), is: true)
    },
    Case("a stream in the order of a default that differs each time returns each row once") { location in
      let store = try await Store(location)
      try await store.save((1...7).map { OldErrand(id: $0, name: "e") })
      try await store.save((1...7).map { Helper(id: $0, errand: $0 < 3 ? nil : Reference(id: $0)) })
      for orders: [StoreOrder<DatedErrand>] in [
        [.ascending(\.changed)], [.descending(\.changed)], [.descending(\.changed), .descending(\.id)],
        [.ascending(\.token), .ascending(\.changed)],
      ] {
        var ids: [Int] = []
        for try await errand in store.stream(DatedErrand.self, orderedBy: orders, pageSize: 2) {
          ids.append(errand.id)
          if ids.count > 7 { break }
        }
        try expect(ids.sorted(), is: Array(1...7))
      }
      for order: StoreOrder<DatedHelper> in [.ascending(\.errand.changed), .descending(\.errand.changed)] {
        var ids: [Int] = []
        for try await helper in store.stream(DatedHelper.self, orderedBy: [order], pageSize: 2) {
          ids.append(helper.id)
          if ids.count > 7 { break }
        }
        try expect(Set(ids.count == 7 ? ids : []), is: Set(1...7))
      }
      try await expectError(.invalidValue, naming: "tags", "sorting") {
        _ = try await store.fetch(Errand.self, orderedBy: [.ascending(StoredColumn<Errand, String>("tags"))])
      }
    },
    Case("the first write adds columns with their defaults, also in old rows") { location in
      let store = try await Store(location)
      try await store.save(old)
      try await store.save(Errand(3, "c", priority: 5, state: .done))
      try expect(try await store.fetch(Errand.self).prefix(2), is: [Errand(1, "b"), Errand(2, "a")])
      try expect(try await ids(\.priority == 3, in: store), is: [1, 2])
      try expect(try await ids(\.priority > 3 && \.state == .done, in: store), is: [3])
      // Another program does not know the column.
      let values = try await store.perform { transaction in
        try transaction.execute(
          "INSERT INTO \(identifier: "Errand") (\(identifier: "id"), \(identifier: "name")) VALUES (\(4), \("d"))")
        return try transaction.fetch(
          Int.self, sql: "SELECT \(identifier: "priority") FROM \(identifier: "Errand") ORDER BY \(identifier: "id")")
      }
      try expect(values, is: [3, 3, 5, 3])
      try expect(try await store.fetch(Errand.self, key: 4), is: Errand(4, "d"))
      try expect(try await store.save(Errand(4, "d")), is: .init(unchanged: 1))
    },
    Case("a default that cannot be stored is none") { location in
      let store = try await Store(location)
      try expect(try await store.count(Estimate.self, where: \.hours > 1), is: 0)
      try await store.save(Estimate(id: 1, hours: 2))
      try expect(try await store.fetch(Estimate.self, where: \.hours > 1), is: [Estimate(id: 1, hours: 2)])
    },
    Case("reading creates no table") { location in
      let store = try await Store(location)
      let before = try await store.schemaDump()
      try expect(try await store.fetch(Errand.self, where: \.priority == 3 && \.note == nil), is: [])
      try expect(try await store.count(Helper.self, where: \.errand.name == "a" || \.errand == nil), is: 0)
      try expect(try await store.fetch(Errand.self, key: 1), is: nil)
      for try await _ in store.stream(Errand.self, orderedBy: [.ascending(\.due)]) {}
      try expect(try await store.schemaDump(), is: before)
    },
    Case("migrations add columns and indices", needs: [.sharing]) { location in
      let first = try await Store(location)
      try await first.save(old)
      await first.close()
      let migrations: [StoreMigration] = [
        .add("priority", default: 7, in: "Errand"), .index("priority", "name", in: "Errand"),
        .unique("name", in: "Errand"), .add("name", default: "x", in: "Errand"), .index("nothing", in: "Errand"),
        .add("priority", default: 1, in: "Guest"),
      ]
      let store = try await Store(location, migrations: migrations)
      try expect(try await ids(\.priority == 7, in: store), is: [1, 2])
      try expect(try await indices(of: "Errand", in: store).count, is: 2)
      try await expectError(.constraint(.unique)) { try await store.save(OldErrand(id: 3, name: "a")) }
      try await store.save(OldErrand(id: 3, name: "c"))
      try expect(try await ids(\.priority == 7, in: store), is: [1, 2, 3])
      await store.close()
      // The indices go with a column, and stay with one that is renamed.
      let changed = try await Store(
        location,
        migrations: migrations + [.drop("priority", in: "Errand"), .rename("name", to: "title", in: "Errand")])
      try expect(try await indices(of: "Errand", in: changed).count, is: 1)
      try expect(try await changed.count(Errand.self, where: .isAmong(\.title, ["a", "b", "c"])), is: 3)
    },
    Case("indices of migrations are created together with their columns") { location in
      let store = try await Store(
        location,
        migrations: [
          .index("name", in: "Errand"), .unique("nick", "id", in: "Errand"),
          .rename("nick", to: "title", in: "Errand"),
          .index("priority", in: "Errand"), .index("due", in: "Errand"), .drop("due", in: "Errand"),
        ])
      try await store.save(old)
      try expect(try await indices(of: "Errand", in: store).count, is: 1)
      try await store.save(Errand(3, "c"))
      try expect(try await indices(of: "Errand", in: store).count, is: 3)
    },
    Case("an index follows its renamed column, and leaves the old name to another one", needs: [.sharing]) { location in
      let first = try await Store(location)
      try await first.save(old)
      await first.close()
      let renamed: [StoreMigration] = [
        .index("name", in: "Errand"), .unique("title", in: "Errand"), .rename("name", to: "title", in: "Errand"),
      ]
      let store = try await Store(location, migrations: renamed)
      try expect(try await indices(of: "Errand", in: store).count, is: 2)
      await store.close()
      let added: [StoreMigration] = [.add("name", default: "x", in: "Errand"), .index("name", in: "Errand")]
      let changed = try await Store(location, migrations: renamed + added)
      try expect(try await indices(of: "Errand", in: changed).count, is: 3)
    },
    Case("a unique index on equal values is an error, and the database is unchanged", needs: [.sharing]) { location in
      let store = try await Store(location)
      try await store.save([OldErrand(id: 1, name: "a"), OldErrand(id: 2, name: "a")])
      try await expectError(.constraint(.unique)) {
        _ = try await Store(
          location, migrations: [.add("priority", default: 7, in: "Errand"), .unique("name", in: "Errand")])
      }
      try expect(try await store.schemaDump().contains("priority"), is: false)
    },
    Case("a column keeps its default when the type of the key changes", needs: [.sharing]) { location in
      let store = try await Store(location)
      try await store.save(Errand(1, "a", priority: 5, state: .done))
      await store.close()
      let migrations: [StoreMigration] = [
        .retype("id", as: String.self, in: "Errand"), .retype("id", as: Int.self, in: "Errand"),
      ]
      let changed = try await Store(location, migrations: migrations)
      try await changed.perform { transaction in
        _ = try transaction.execute(
          "INSERT INTO \(identifier: "Errand") (\(identifier: "id"), \(identifier: "name")) VALUES (\(2), \("b"))")
      }
      let expected = [Errand(1, "a", priority: 5, state: .done), Errand(2, "b")]
      try expect(try await changed.fetch(Errand.self), is: expected)
      try expect(try await ids(\.priority == 3 && \.title == "it's \\ \"new\"" && \.ratio < 0, in: changed), is: [2])
    },
    Case("NULL in a column with a default is the default in models and in conditions") { location in
      let store = try await Store(location)
      try await store.save([Errand(1, "a", priority: 5, state: .done), Errand(2, "b", priority: 4)])
      try await store.save([
        Helper(id: 1, errand: Reference(id: 1)), Helper(id: 2, errand: nil), Helper(id: 3, errand: Reference(id: 9)),
      ])
      try await store.perform { transaction in
        for column in ["priority", "state", "title", "ratio", "isShared", "due"] {
          _ = try transaction.execute(
            "UPDATE \(identifier: "Errand") SET \(identifier: column) = NULL WHERE \(identifier: "id") = 1")
        }
      }
      try expect(try await store.fetch(Errand.self, key: 1), is: Errand(1, "a"))
      let due = Date(timeIntervalSinceReferenceDate: 7)
      let conditions: [(StoreCondition<Errand>, [Int])] = [
        (\.priority == 3, [1]), (\.priority < 4, [1]), (\.priority <= 4, [1, 2]), (\.priority > 3, [2]),
        (\.priority >= 3, [1, 2]), (.isAmong(\.priority, [3, 9]), [1]), (\.state == .open, [1, 2]),
        (\.state != .open, []), (.hasPrefix(\.title, "it's"), [1, 2]), (.contains(\.title, "new"), [1, 2]),
        (\.ratio < 0, [1, 2]), (\.isShared == true, [1, 2]), (\.due == due, [1, 2]), (\.due > due, []),
      ]
      for (index, (condition, expected)) in conditions.enumerated() {
        let found = try await ids(condition, in: store)
        try expect(found == expected, "condition \(index): \(found)")
        let others = try await ids(!condition, in: store)
        try expect(others == [1, 2].filter { !expected.contains($0) }, "negation of condition \(index): \(others)")
      }
      try expect(try await store.fetch(Helper.self, where: \.errand.priority == 3).map(\.id), is: [1])
      try expect(try await store.fetch(Helper.self, where: \.errand.priority != 3).map(\.id), is: [2, 3])
      try expect(try await store.fetch(Helper.self, where: \.errand.priority == nil).map(\.id), is: [2, 3])
      try expect(try await store.fetch(Helper.self, where: \.errand.priority != nil).map(\.id), is: [1])
      try expect(try await store.fetch(Helper.self, where: \.errand.note == nil).map(\.id), is: [1, 2, 3])
    },
    Case("migrations change columns that SQL has added", needs: [.sharing]) { location in
      let first = try await Store(location)
      try await first.save(old)
      await first.close()
      func added(_ column: String) -> StoreMigration { .sql(#"ALTER TABLE "Errand" ADD COLUMN \#(column)"#) }
      var migrations: [StoreMigration] = [
        added(#""p" BIGINT DEFAULT 8"#), .rename("p", to: "priority", in: "Errand"),
        added(#""obsolete" TEXT"#), .drop("obsolete", in: "Errand"),
        added(#""ratio" BIGINT DEFAULT 2"#), .retype("ratio", as: Double.self, in: "Errand"),
        added(#""nick" TEXT"#), .unique("nick", in: "Errand"), .index("priority", in: "Errand"),
      ]
      let store = try await Store(location, migrations: migrations)
      try expect(try await indices(of: "Errand", in: store).count, is: 2)
      let dump = try await store.schemaDump()
      try expect(!dump.contains("obsolete") && !dump.contains(#""p""#), dump)
      try expect(try await ids(\.priority == 8 && \.ratio == 2, in: store), is: [1, 2])
      try await expectError(.constraint(.unique)) {
        _ = try await store.perform { try $0.execute(#"UPDATE "Errand" SET "nick" = 'n'"#) }
      }
      await store.close()
      // An empty column gives way to one that is renamed.
      migrations += [added(#""title" TEXT"#), .rename("name", to: "title", in: "Errand")]
      let renamed = try await Store(location, migrations: migrations)
      try expect(try await renamed.count(Errand.self, where: \.title == "a" && \.priority == 8), is: 1)
    },
    Case("orders use the default in place of NULL") { location in
      let store = try await Store(location, migrations: [.index("priority", in: "Errand")])
      try await store.save([Errand(1, "a", priority: 8), Errand(2, "b", priority: 1), Errand(3, "c"), Errand(4, "d")])
      try await store.save([Helper(id: 1, errand: Reference(id: 3)), Helper(id: 2, errand: nil)])
      func ids(_ order: StoreOrder<Errand>) async throws -> [Int] {
        var found: [Int] = []
        for try await errand in store.stream(Errand.self, orderedBy: [order], pageSize: 2) { found.append(errand.id) }
        try expect(try await store.fetch(Errand.self, orderedBy: [order]).map(\.id), is: found)
        return found
      }
      try expect(try await ids(.ascending(\.priority)), is: [2, 3, 4, 1])
      // Without NULL, the index gives the order.
      let plan = try await store.read { try $0.explain(Errand.self, orderedBy: [.ascending(\.priority)], limit: 2) }
      try expect(!plan.contains("coalesce"), plan)
      _ = try await store.perform { try $0.execute(#"UPDATE "Errand" SET "priority" = NULL WHERE "id" = 4"#) }
      try expect(try await ids(.ascending(\.priority)), is: [2, 3, 4, 1])
      try expect(try await ids(.descending(\.priority)), is: [1, 3, 4, 2])
      _ = try await store.perform { try $0.execute(#"UPDATE "Errand" SET "priority" = NULL WHERE "id" = 3"#) }
      // Without an errand there is no priority.
      try expect(try await store.fetch(Helper.self, orderedBy: [.descending(\.errand.priority)]).map(\.id), is: [1, 2])
      try expect(try await store.fetch(Helper.self, orderedBy: [.ascending(\.errand.priority)]).map(\.id), is: [2, 1])
    },
    Case("a migration whose default value was changed is not the applied one", needs: [.sharing]) { location in
      func open(_ migration: StoreMigration) async throws -> Store {
        try await Store(location, migrations: [migration])
      }
      let first = try await Store(location)
      try await first.save(Crate(id: 1))
      await first.close()
      await (try await open(.add("height", default: 1, in: "Crate"))).close()
      for changed in [StoreMigration.add("height", default: 2, in: "Crate"), .add("height", default: -1, in: "Crate")] {
        try await expectError(.schemaMismatch, naming: "height", "default 1") { _ = try await open(changed) }
      }
      let second = try await open(.add("height", default: 1, in: "Crate"))
      // As an earlier version recorded it.
      try await second.perform { transaction in
        _ = try transaction.execute(
          "UPDATE \(identifier: "anvil_migrations") SET \(identifier: "step") = 'add height as integer in Crate'")
      }
      await second.close()
      await (try await open(.add("height", default: 1, in: "Crate"))).close()
      try await expectError(.schemaMismatch, naming: "height") {
        _ = try await open(.add("height", default: 1.5, in: "Crate"))
      }
    },
    Case("a migration whose default is the time or a new UUID is the applied one at each start", needs: [.sharing]) {
      location in
      for _ in 0..<2 {
        let store = try await Store(
          location,
          migrations: [.add("made", default: Date(), in: "Crate"), .add("token", default: UUID(), in: "Crate")])
        await store.close()
      }
      try await expectError(.schemaMismatch, naming: "made") {
        _ = try await Store(location, migrations: [.add("made", default: UUID(), in: "Crate")])
      }
      try await expectError(.schemaMismatch, naming: "made") {
        _ = try await Store(location, migrations: [.add("made", default: Date(), in: "Other")])
      }
    },
    Case("a column that is retyped keeps its default", needs: [.sharing]) { location in
      let first = try await Store(location)
      try await first.save(Crate(id: 1, weight: 5, label: "7", isOpen: true))
      try await first.perform { transaction in
        _ = try transaction.execute(
          "INSERT INTO \(identifier: "Crate") (\(identifier: "id"), \(identifier: "weight")) VALUES (2, NULL)")
      }
      await first.close()
      let migrations: [StoreMigration] = [
        .retype("weight", as: Double.self, in: "Crate"), .retype("label", as: Int.self, in: "Crate"),
        .retype("isOpen", as: String.self, in: "Crate"),
        .retype("weight", in: "Crate") { (weight: Double) in "\(weight * 2) kg" },
      ]
      let second = try await Store(location, migrations: migrations)
      try await second.perform { transaction in
        _ = try transaction.execute("INSERT INTO \(identifier: "Crate") (\(identifier: "id")) VALUES (3)")
      }
      let rows = try await second.read { transaction in
        try ["weight", "label", "isOpen"].map { column in
          try transaction.fetch(
            String?.self,
            sql:
              "SELECT CAST(\(identifier: column) AS TEXT) FROM \(identifier: "Crate") ORDER BY \(identifier: "id")"
          )
        }
      }
      try expect(rows[0], is: ["10.0 kg", nil, "6.0 kg"])
      try expect(rows[1], is: ["7", "1", "1"])
      try expect(rows[2], is: ["true", "false", "false"])
    },
  ]
}
