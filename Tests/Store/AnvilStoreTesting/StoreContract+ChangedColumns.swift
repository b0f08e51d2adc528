internal import AnvilBase
internal import AnvilCodable
internal import AnvilJSON
internal import AnvilStore

/// The model with another property in place of the priority.
@StoredModel
private struct RenamedErrand: Equatable {
  static let entityName = "Errand"
  @MatchKey var id: Int
  var urgency: Int?
}

@StoredModel
private struct OldParcel {
  static let entityName = "Parcel"
  @MatchKey var id: Int
}

/// A model of columns whose types SQL has declared.
@StoredModel
private struct Parcel: Equatable {
  @MatchKey var id: Int
  var price: Decimal?
  var day: JSON.Day?
  var sent: Date?
  var opened: Date?
  var tags: [String]?
}

extension StoreContract {
  /// Columns that SQL adds, renames and drops in tables that stores use.
  static let changedColumnCases: [Case] = [
    Case("a column that SQL has added is used", needs: [.sharing]) { location in
      let store = try await Store(location)
      try await store.save(old)
      await store.close()
      let added = try await Store(
        location, migrations: [.sql(#"ALTER TABLE "Errand" ADD COLUMN "priority" BIGINT DEFAULT 8"#)])
      try await added.save(Errand(3, "c"))
      try expect(try await ids(\.priority == 8, in: added), is: [1, 2])
    },
    Case("a stream ends with an error if a column of its order is added meanwhile", needs: [.sharing]) { location in
      let store = try await Store(location)
      try await store.save((1...4).map { OldErrand(id: $0, name: "n") })
      var found: [Int] = []
      try await expectError(.schemaMismatch, naming: "Errand") {
        for try await errand in store.stream(Errand.self, orderedBy: [.descending(\.priority)], pageSize: 2) {
          found.append(errand.id)
          if errand.id == 2 { try await Store(location).save(Errand(9, "new")) }
        }
      }
      try expect(found, is: [1, 2])
    },
    Case("a column that SQL has added is used before the first write") { location in
      let store = try await Store(location)
      try await store.save(old)
      try await store.save(Helper(id: 1, errand: Reference(id: 1)))
      try expect(try await ids(\.priority == 3, in: store), is: [1, 2])
      try await addColumns(in: store)
      try expect(try await store.fetch(Errand.self, key: 1)?.priority, is: 8)
      let errands = try await store.fetch(Errand.self)
      try expect(errands.map(\.priority), is: [8, 3])
      try expect(errands.map(\.title), is: ["x", Errand(1, "").title])
      try expect(errands.map(\.isShared), is: [false, true])
      let conditions: [(StoreCondition<Errand>, [Int])] = [
        (\.priority == 8, [1]), (\.priority < 4, [2]), (.isAmong(\.priority, [8, 9]), [1]),
        (.hasPrefix(\.title, "x"), [1]),
        (\.isShared == false, [1]), (\.ratio > 1, [1]), (\.ratio < 0, [2]), (\.priority == 8 && \.title == "x", [1]),
      ]
      for (index, (condition, expected)) in conditions.enumerated() {
        let found = try await ids(condition, in: store)
        try expect(found == expected, "condition \(index): \(found)")
        let others = try await ids(!condition, in: store)
        try expect(others == [1, 2].filter { !expected.contains($0) }, "negation of condition \(index): \(others)")
      }
      let ordered = try await store.fetch(Errand.self, orderedBy: [.descending(\.priority), .ascending(\.id)])
      try expect(ordered.map(\.id), is: [1, 2])
      try expect(try await store.count(Errand.self, where: \.priority == 8), is: 1)
      try expect(try await store.fetch(Helper.self, where: \.errand.priority == 8).map(\.id), is: [1])
      try expect(try await store.fetch(Errand.self, orderedBy: [], limit: 1, offset: 1).map(\.id), is: [2])
      try expect(try await store.fetch(OldErrand.self), is: old)
      try expect(try await store.fetch(PlainErrand.self, key: 1)?.priority, is: 8)
      try expect(try await store.delete(Errand.self, where: \.priority == 8), is: 1)
    },
    Case("a column that SQL has dropped has its default, and the next write adds it again", needs: [.sharing]) {
      location in
      let migrations: [StoreMigration] = [.index("priority", in: "Errand"), .index("title", "priority", in: "Errand")]
      let store = try await Store(location, migrations: migrations)
      try await store.save([Errand(1, "a", priority: 8), Errand(2, "b", priority: 1)])
      let other = try await Store(location)
      try await other.perform { transaction in
        // SQLite does not drop the indices together with the column.
        for index in ["Errand.priority.index", "Errand.title,priority.index"] {
          _ = try transaction.execute("DROP INDEX IF EXISTS \(identifier: index)")
        }
        _ = try transaction.execute(#"ALTER TABLE "Errand" DROP COLUMN "priority""#)
      }
      try expect(try await store.fetch(Errand.self).map(\.priority), is: [3, 3])
      try expect(
        try await store.fetch(Errand.self, where: \.priority == 3, orderedBy: [.ascending(\.priority)]).count, is: 2)
      try expect(try await store.count(Errand.self, where: \.priority == 8), is: 0)
      try await store.save(Errand(1, "a", priority: 7))
      try expect(try await store.fetch(Errand.self).map(\.priority), is: [7, 3])
      try expect(try await other.fetch(Errand.self, where: \.priority == 3).map(\.id), is: [2])
      try expect(try await store.save([Errand(1, "a", priority: 7), Errand(2, "b")]).unchanged, is: 2)
    },
    Case("a column that SQL has renamed is another column", needs: [.sharing]) { location in
      let store = try await Store(location, migrations: [.index("priority", in: "Errand")])
      try await store.save([Errand(1, "a", priority: 8), Errand(2, "b", priority: 1)])
      try await store.save([Helper(id: 1, errand: Reference(id: 1)), Helper(id: 2, errand: Reference(id: 2))])
      try await store.perform { transaction in
        _ = try transaction.execute(#"ALTER TABLE "Errand" RENAME COLUMN "priority" TO "urgency""#)
        _ = try transaction.execute(#"ALTER TABLE "Helper" RENAME COLUMN "errand" TO "task""#)
      }
      try expect(try await store.fetch(Errand.self).map(\.priority), is: [3, 3])
      try expect(try await store.fetch(Helper.self, where: \.errand.name == "a").map(\.id), is: [])
      let renamed = try await store.fetch(RenamedErrand.self, where: \.urgency > 1)
      try expect(renamed, is: [RenamedErrand(id: 1, urgency: 8)])
      // The next writes add the columns again.
      try await store.save(Errand(2, "b", priority: 5))
      try await store.save(Helper(id: 2, errand: Reference(id: 2)))
      try expect(try await store.fetch(Errand.self).map(\.priority), is: [3, 5])
      try expect(try await store.fetch(Helper.self, where: \.errand.name == "b").map(\.id), is: [2])
      try expect(try await store.fetch(RenamedErrand.self).map(\.urgency), is: [8, 1])
      try await store.save(RenamedErrand(id: 2, urgency: 9))
      try expect(try await store.fetch(Errand.self, where: \.priority == 5).map(\.id), is: [2])
    },
    Case("a dropped column of the key is an error that names it", needs: [.sharing]) { location in
      let store = try await Store(location)
      try await store.save(OldErrand(id: 1, name: "a"))
      try await store.perform { transaction in
        _ = try transaction.execute(#"ALTER TABLE "Errand" RENAME COLUMN "id" TO "number""#)
      }
      try await expectError(.schemaMismatch, naming: "Errand", "id") { _ = try await store.fetch(OldErrand.self) }
    },
    Case("columns that SQL has added with other types are used") { location in
      let store = try await Store(location)
      try await store.save([OldParcel(id: 1), OldParcel(id: 2)])
      guard let day = JSON.Day("2026-11-28"), let later = JSON.Day("2026-12-01"), let price = Decimal(string: "12.5")
      else {
        throw Violation(description: "a value of the test is invalid")
      }
      let time = Date(timeIntervalSinceReferenceDate: 800_000_000.25)
      try await store.perform { transaction in
        for column in ["price DECIMAL(8,2)", "day DATE", "sent TIMESTAMP", "tags JSON", "opened TIMESTAMP(3)"] {
          _ = try transaction.execute(#"ALTER TABLE "Parcel" ADD COLUMN \#(StoreStatement(stringLiteral: column))"#)
        }
        _ = try transaction.execute(
          """
          UPDATE "Parcel" SET price = 12.5, day = \(day), sent = \(time), tags = '["a"]', opened = \(time) WHERE id = 1
          """)
      }
      let parcel = Parcel(id: 1, price: price, day: day, sent: time, opened: time, tags: ["a"])
      // Before the first write, and after it.
      for _ in 0..<2 {
        try expect(try await store.fetch(Parcel.self, key: 1), is: parcel)
        let conditions: [StoreCondition<Parcel>] = [
          \.price == price, \.price > 12, \.day == day, \.day < later, \.sent == time, \.sent <= time,
          \.opened == time, .isAmong(\.price, [1, price]), \.price != nil,
        ]
        for (index, condition) in conditions.enumerated() {
          let found = try await store.fetch(Parcel.self, where: condition).map(\.id)
          try expect(found == [1], "condition \(index): \(found)")
        }
        let orders: [StoreOrder<Parcel>] = [.descending(\.price), .descending(\.day), .descending(\.sent)]
        for order in orders {
          try expect(try await store.fetch(Parcel.self, orderedBy: [order]).map(\.id), is: [1, 2])
        }
        try expect(try await store.save(parcel).unchanged, is: 1)
        try await store.save(Parcel(id: 2, price: nil, day: nil, sent: nil, opened: nil, tags: nil))
      }
      let changed = Parcel(id: 2, price: 7, day: JSON.Day("2026-01-31"), sent: time, opened: nil, tags: [])
      try await store.save(changed)
      try expect(try await store.fetch(Parcel.self, key: 2), is: changed)
    },
    Case("an update keeps the value of a column that SQL has added") { location in
      let store = try await Store(location)
      try await store.save(old)
      try await addColumns(in: store)
      try expect(try await store.decode(Errand.self, #"{"id": 1, "name": "c"}"#).priority, is: 8)
      let list = try await store.decode([Errand].self, #"[{"id": 1, "ratio": 4}, {"id": 2, "name": "d"}]"#)
      try expect(list.models.map(\.priority), is: [8, 3])
      try expect(try await ids(\.priority == 8 && \.title == "x" && \.ratio == 4, in: store), is: [1])
      try await store.save(OldErrand(id: 1, name: "e"))
      try expect(try await store.fetch(Errand.self, key: 1)?.title, is: "x")
    },
    Case("a column that SQL has added with a default value is used before the first write") { location in
      let store = try await Store(location)
      try await store.save(old)
      try await store.perform { transaction in
        _ = try transaction.execute(#"ALTER TABLE "Errand" ADD COLUMN "priority" BIGINT DEFAULT 8"#)
        try expect(try transaction.fetch(Errand.self, where: \.priority == 8).map(\.id), is: [1, 2])
      }
      try expect(try await store.fetch(Errand.self).map(\.priority), is: [8, 8])
      try await store.save(Errand(3, "c"))
      try expect(try await ids(\.priority == 8, in: store), is: [1, 2])
    },
  ]

  /// A version of the model without columns.
  struct PlainErrand: Codable, Sendable, ManagedDecodable {
    static let entityName = "Errand"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String
    var priority: Int?
  }

  /// Adds columns of a later version, with values in the row 1.
  private static func addColumns(in store: Store) async throws {
    try await store.perform { transaction in
      for column in [
        #""priority" BIGINT"#, #""title" VARCHAR(20)"#, #""isShared" BOOLEAN"#, #""ratio" DOUBLE PRECISION"#,
        #""other" TEXT"#,
      ] {
        _ = try transaction.execute(#"ALTER TABLE "Errand" ADD COLUMN \#(StoreStatement(stringLiteral: column))"#)
      }
      _ = try transaction.execute(
        #"UPDATE "Errand" SET "priority" = 8, "title" = 'x', "isShared" = FALSE, "ratio" = 1.5, "other" = 'o' WHERE "id" = 1"#
      )
    }
  }
}
