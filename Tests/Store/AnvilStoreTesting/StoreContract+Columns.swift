internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  static func types(_ id: Int, hasAll: Bool) throws -> AllTypes {
    AllTypes(
      id: id, flag: id.isMultiple(of: 2), text: "Ünïcode \(id) \u{1F600}", small: -128, large: UInt64(Int64.max),
      float: 0.1,
      double: .pi * Double(id), date: Date(timeIntervalSinceReferenceDate: 0.1 + Double(id)), data: Data([0, 255, 7]),
      uuid: try require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")),
      url: try require(URL(string: "https://example.com/a?b=c")),
      decimal: try require(Decimal(string: "12345678901234567890.5")),
      kind: .large, level: .high, tags: hasAll ? ["a", "b\"c"] : [], point: .init(x: 1.5, y: -2),
      textIfAny: hasAll ? "t" : nil, dateIfAny: hasAll ? Date(timeIntervalSinceReferenceDate: 7) : nil,
      kindIfAny: hasAll ? .small : nil, pointIfAny: hasAll ? .init(x: 0, y: 1e300) : nil)
  }

  private static let repositories = [
    Repository(1, "anvil", stars: 120, language: "Swift", size: 7), Repository(2, "hammer", stars: 80, language: "C"),
    Repository(3, "tongs", stars: 120), Repository(4, "bellows", stars: 3, language: "Swift", size: 9),
  ]

  /// A model with one of the columns of its table, and all of them with values of its type.
  private struct Added<Value: Codable & Sendable & Equatable>: Codable, Sendable, ManagedDecodable {
    static var entityName: String { "Added" }
    static var matchKeys: [MatchKey]? { [.key(StoreKey("id"))] }

    var id: Int
    var column: String
    var values: [String: Value]

    init(id: Int, column: String, value: Value?) {
      self.id = id
      self.column = column
      values = [:]
      values[column] = value
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: StoreKey.self)
      self.init(id: try container.decode(Int.self, forKey: StoreKey("id")), column: "", value: nil)
      for key in container.allKeys where key.stringValue.hasSuffix(" \(Value.self)") {
        values[key.stringValue] = try container.decodeIfPresent(Value.self, forKey: key)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: StoreKey.self)
      try container.encode(id, forKey: StoreKey("id"))
      try container.encodeIfPresent(values[column], forKey: StoreKey(column))
    }
  }

  static let columnCases: [Case] = [
    Case("columns may have the names of other attributes") { location in
      let store = try await Store(location)
      let rows = [Relabelled("b", id: "a", 1, 2), Relabelled("z", id: "b", 3, 4)]
      try expect(try await store.save(rows), is: .init(inserted: 2))
      try expect(try await store.fetch(Relabelled.self), is: rows)
      try expect(try await store.save(rows), is: .init(unchanged: 2))
      try expect(try await store.fetch(Relabelled.self, where: \.name == "b").map(\.id), is: ["a"])
      try expect(try await store.fetch(Relabelled.self, where: \.first == 3).map(\.id), is: ["b"])
      let changed = try await store.decode(Relabelled.self, #"{"name": "c", "id": "a", "first": 5}"#)
      try expect(changed, is: Relabelled("c", id: "a", 5, 2))
      let list = try await store.decode([Relabelled].self, #"[{"name": "c", "id": "a"}, {"name": "y", "id": "b"}]"#)
      try expect(list.changes, is: .init(updated: 1, unchanged: 1))
      let rules: [ConflictRule] = [.keep(StoreKey("first")), .newest(StoreKey("second"), by: StoreKey("name"))]
      try await store.save([Relabelled("b", id: "a", 7, 8)], rules: rules)
      try expect(try await store.fetch(Relabelled.self, key: "a"), is: Relabelled("c", id: "a", 5, 2))
      // Within one transaction, models of the other names read the row that was written.
      let plain = try await store.perform { transaction in
        _ = try transaction.createOrUpdate([Relabelled].self, from: decoder(#"[{"name": "d", "id": "a"}]"#))
        return try transaction.createOrUpdate([Labelled].self, from: decoder(#"[{"name": "a"}]"#)).models
      }
      try expect(plain, is: [Labelled(title: "d", name: "a", second: 5, first: 2)])
      try expect(try await store.delete(Relabelled("b", id: "a", 0, 0)), is: true)
      try expect(try await store.fetch(Relabelled.self).map(\.id), is: ["b"])
    },
    Case("a column that does not exist yet is not read from a column with the name of its attribute") { location in
      let store = try await Store(location)
      try await store.save(Unlabelled(name: "a", second: 1))
      try expect(try await store.fetch(Relabelled.self, where: \.first == 1).map(\.second), is: [nil])
    },
    Case("a column that SQL has added returns what a model has written, or the model is refused") { location in
      let store = try await Store(location)
      let declarations = [
        "TEXT", "VARCHAR(60)", "CHAR(12)", "NUMERIC(8,2)", "NUMERIC", "INTEGER", "REAL", "DOUBLE PRECISION", "BOOLEAN",
        "DATE",
        "TIME", "TIMESTAMP", "TIMESTAMP(3)", "JSON", "JSONB", "UUID",
      ]
      try await store.save([Added<Int>(id: 0, column: "none", value: nil)])
      var kept: Set<String> = []
      func check<Value: StoredOperand & Codable & Equatable>(_ values: Value..., in declaration: String) async throws
      where Value._Scalar == Value {
        let column = "\(declaration) \(Value.self)"
        _ = try await store.perform {
          try $0.execute(
            #"ALTER TABLE "Added" ADD COLUMN \#(identifier: column) \#(StoreStatement(stringLiteral: declaration))"#)
        }
        for (id, value) in zip(1..., values) {
          let model = Added(id: id, column: column, value: value)
          try await store.delete(Added<Value>.self, where: StoredColumn("id") == id)
          do {
            try await store.save([model])
          } catch is StoreError {
            try expect(try await store.fetch(Added<Value>.self, key: id) == nil, "\(column) \(value)")
            continue
          }
          kept.insert("\(column) \(value)")
          let found = try await store.fetch(Added<Value>.self, key: id)?.values[column]
          try expect(found == value, "\(column) returns \(String(describing: found)) for \(value)")
          try expect(try await store.save([model]), is: .init(unchanged: 1))
          let stored = StoredColumn<Added<Value>, Value>(column)
          let many = Array(repeating: value, count: declaration == "REAL" ? 2 : 300)
          for condition in [stored == value, .isAmong(stored, many)] {
            try expect(try await store.fetch(Added<Value>.self, where: condition).map(\.id).contains(id), column)
          }
        }
      }
      for declaration in declarations {
        try await check(1.5, 0.1, 0.30000000000000004, 1e20, .infinity, in: declaration)
        try await check(7, 9_007_199_254_740_993, 16_777_217, in: declaration)
        try await check(true, in: declaration)
        try await check(
          "12", "2026-01-01", "2026-1-2", "20260101", "ab", "ab ", #"{"a":1}"#, "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
          in: declaration)
        try await check(
          try require(Decimal(string: "1.25")), try require(Decimal(string: "0.1")),
          try require(Decimal(string: "0.12345678901234567")), 9_007_199_254_740_993,
          try require(Decimal(string: "12345678901234567890.5")), in: declaration)
        // A time is rounded to the precision of its column.
        try await check(
          Date(timeIntervalSinceReferenceDate: 86_400),
          Date(timeIntervalSinceReferenceDate: declaration == "TIMESTAMP(3)" ? 0.25 : 0.000_25), in: declaration)
      }
      for value in [
        "NUMERIC(8,2) Double 1.5", "NUMERIC(8,2) Int 7", "TEXT String ab ", "BOOLEAN Bool true", "REAL Double 0.1",
        "DATE String 2026-01-01", "NUMERIC Decimal 0.1",
        "VARCHAR(60) String 12", "CHAR(12) String ab",
        "TIMESTAMP Date \(Date(timeIntervalSinceReferenceDate: 86_400))",
      ] {
        try expect(kept.contains(value), "\(value) is refused")
      }
      for column in ["TEXT Double", "VARCHAR(60) Int", "TEXT Bool", "INTEGER String"] {
        try expect(!kept.contains { $0.hasPrefix("\(column) ") }, "\(column) is accepted")
      }
    },
    Case("a decimal number with more digits than a property has is an error") { location in
      let store = try await Store(location)
      try await store.save(Club(name: "red", budget: 5))
      for (digits, isRead) in [
        ("0.00000000000000000000000000000000000000125", true), ("\(String(repeating: "12345", count: 9)).5", false),
      ] {
        try await store.perform {
          _ = try $0.execute(
            "UPDATE \(identifier: "Club") SET budget = \(StoreStatement(stringLiteral: "'\(digits)'"))")
        }
        do {
          try expect(try await store.fetch(Club.self).first?.budget, is: Decimal(string: digits))
          try expect(isRead, digits)
        } catch let DecodingError.typeMismatch(_, context) {
          try expect(context.codingPath.map(\.stringValue), is: isRead ? [] : ["budget"])
        }
      }
    },
    Case("a view is not taken for a table that does not exist") { location in
      let store = try await Store(location)
      try await store.save([Added<Int>(id: 0, column: "none", value: nil)])
      try await store.perform { _ = try $0.execute(#"CREATE VIEW "Relabelled" AS SELECT * FROM "Added""#) }
      try await expectError(.schemaMismatch, naming: "Relabelled") { _ = try await store.fetch(Relabelled.self) }
      try await expectError(.schemaMismatch, naming: "Relabelled") {
        try await store.save([Relabelled("b", id: "a", 1, 2)])
      }
    },
    Case("columns may have names that need quotation") { location in
      let context = try await Store(location).context
      try await context.save([RawNamed(`1st`: 1, self: "a", `in progress`: nil)])
      try await context.decode(RawNamed.self, #"{"1st": 1, "in progress": 2}"#)
      try expect(
        try await context.fetch(RawNamed.self, where: \.`in progress` == 2),
        is: [RawNamed(`1st`: 1, self: "a", `in progress`: 2)])
    },
    Case("a model with columns stores values of every type and null") { location in
      let context = try await Store(location).context
      let models = try [types(1, hasAll: false), types(2, hasAll: true), types(3, hasAll: false)]
      try expect(try await context.save(models).inserted, is: 3)
      try expect(try await context.fetch(AllTypes.self), is: models)
      try expect(try await context.fetch(AllTypes.self, key: 2), is: models[1])
      try expect(try await context.save(models).unchanged, is: 3)
    },
    Case("models with columns and Codable models produce the same rows") { location in
      let context = try await Store(location).context
      let models = try (1...20).map { try types($0, hasAll: $0.isMultiple(of: 3)) }
      try await context.save(models)
      let plain = try await context.fetch(PlainTypes.self)
      try expect(plain.map(\.text), is: models.map(\.text))
      try expect(try await context.save(plain).unchanged, is: 20)
      try await context.delete(PlainTypes.self, where: .all)
      try await context.save(plain)
      try expect(try await context.fetch(AllTypes.self), is: models)
      try expect(try await context.save(models).unchanged, is: 20)
    },
    Case("models of one entity see each other's rows within a transaction") { location in
      let context = try await Store(location).context
      let model = try types(1, hasAll: true)
      let texts = try await context.perform { transaction in
        try transaction.save(model)
        let plain = try transaction.createOrUpdate([PlainTypes].self, from: decoder(#"[{"id": 1, "text": "a"}]"#))
        let stored = try transaction.createOrUpdate(
          [AllTypes].self, from: decoder(#"[{"id": 1}, {"id": 1, "small": 3}]"#))
        return plain.models.map(\.text) + stored.models.map(\.text)
      }
      try expect(texts, is: ["a", "a", "a"])
      try expect(try await context.fetch(AllTypes.self).map(\.small), is: [3])
    },
    Case("the names of columns and of payload keys are independent") { location in
      let context = try await Store(location).context
      let made = try await context.decode(
        Repository.self,
        #"{"id": 1, "full_name": "anvil", "counts": {"stars": 5}, "lang": "Swift", "pushed_at": 60, "size": 1}"#)
      try expect(made.pushedAt, is: Date(timeIntervalSince1970: 60))
      // Through the row: absent values are kept, null clears them.
      let updated = try await context.decode(
        Repository.self, #"{"id": 1, "counts": {"stars": 6, "forks": 2}, "size": null}"#)
      var expected = Repository(1, "anvil", stars: 6, language: "Swift")
      (expected.pushedAt, expected.forks) = (Date(timeIntervalSince1970: 60), 2)
      try expect(updated, is: expected)
      try expect(try await context.fetch(Repository.self), is: [expected])
      let names = ["repository", "title", "counts_stars", "copies", "main_language", "pushed_at", "topics", "kind"]
      try expect(Repository._storedAttributes.map(\.column).prefix(8), is: names[...])
      // A date, regardless of the format in payloads.
      try expect(try await context.count(Repository.self, where: \.pushedAt < Date(timeIntervalSince1970: 61)), is: 1)
      try expect(try await context.count(Repository.self, where: \.kind == "repository"), is: 1)
    },
    Case("conditions and sort orders can use key paths") { location in
      let context = try await Store(location).context
      try await context.save(repositories)
      func ids(_ condition: StoreCondition<Repository>) async throws -> [Int] {
        try await context.fetch(Repository.self, where: condition).map(\.id)
      }
      try expect(try await ids(\.stars > 100), is: [1, 3])
      try expect(try await ids(\.stars >= 80 && \.mainLanguage == nil), is: [3])
      try expect(try await ids(\.mainLanguage == "Swift" || \.stars == 80), is: [1, 2, 4])
      try expect(try await ids(\.mainLanguage != "Swift"), is: [2, 3])
      try expect(try await ids(!(\.mainLanguage == "Swift") && \.mainLanguage != nil), is: [2])
      try expect(try await ids(\.size < 8), is: [1])
      try expect(try await ids(\.size <= 9 && \.id < 4), is: [1])
      try expect(try await ids(.isAmong(\.id, [2, 4, 9])), is: [2, 4])
      try expect(try await ids(.isAmong(\.mainLanguage, ["C", "D"])), is: [2])
      try expect(try await ids(.contains(\.fullName, "on") || .hasPrefix(\.fullName, "an")), is: [1, 3])
      try expect(try await ids(StoredColumn("full_name") == "anvil" && \.stars > 1), is: [1])
      try expect(try await ids(StoredColumn("title") == "anvil"), is: [1])
      let sorted = try await context.fetch(
        Repository.self, where: \.stars > 3, orderedBy: [.descending(\.stars), .descending(\.fullName)], limit: 2)
      try expect(sorted.map(\.id), is: [3, 1])
      try expect(
        try await context.fetch(Repository.self, orderedBy: [.ascending(\.mainLanguage)]).map(\.id), is: [3, 2, 1, 4])
      var streamed: [Int] = []
      for try await repository in context.stream(
        Repository.self, where: \.id != 2, orderedBy: [.descending(\.stars)], pageSize: 1)
      {
        streamed.append(repository.id)
      }
      try expect(streamed, is: [1, 3, 4])
      let counted = try await context.perform { transaction in
        let found = try transaction.fetch(Repository.self, where: \.stars == 3).map(\.id)
        try expect(found, is: [4])
        return try transaction.count(Repository.self, where: \.size == nil)
          + transaction.delete(Repository.self, where: \.stars < 4)
      }
      try expect(counted, is: 3)
      let popular = \Repository.Columns.stars > 100
      try expect(try await context.delete(Repository.self, where: popular), is: 2)
      try expect(try await context.fetch(Repository.self).map(\.id), is: [2])
    },
    Case("enumerations are compared by their stored values") { location in
      let context = try await Store(location).context
      try await context.save([types(1, hasAll: false), types(2, hasAll: true)])
      try expect(try await context.count(AllTypes.self, where: \.kind == .large && \.level > .low), is: 2)
      try expect(try await context.fetch(AllTypes.self, where: \.kindIfAny == .small).map(\.id), is: [2])
      try expect(try await context.count(AllTypes.self, where: .isAmong(\.level, [.low])), is: 0)
    },
    Case("rows missing from a list are deleted within a scope of key paths") { location in
      let context = try await Store(location).context
      try await context.save(repositories)
      let list = try await context.decode(
        [Repository].self, #"[{"id": 1}]"#, missing: .deleted(Repository.self, where: \.mainLanguage == "Swift"))
      try expect(list.changes.deleted, is: 1)
      try expect(try await context.fetch(Repository.self).map(\.id), is: [1, 2, 3])
    },
    Case("columns can refer to other rows") { location in
      let context = try await Store(location).context
      let (red, blue) = (Club(name: "red", budget: 5), Club(name: "blue"))
      let players = [
        Athlete(country: "at", number: 7, team: red, formerTeams: [blue], goals: 3),
        Athlete(country: "de", number: 7, team: nil, formerTeams: [], goals: 0),
        Athlete(country: "de", number: 9, team: blue, formerTeams: [blue, red], goals: 12),
      ]
      try await context.save(players)
      try expect(try await context.fetch(Athlete.self), is: players)
      try expect(try await context.fetch(Club.self).map(\.name), is: ["blue", "red"])
      try await context.decode(
        Athlete.self, #"{"country": "at", "number": 7, "team": {"name": "red", "budget": null}, "goals": 4}"#)
      try expect(try await context.fetch(Athlete.self, key: "at", 7)?.team, is: Club(name: "red"))
      let left = try await context.fetch(Athlete.self, where: \.goals > 3)
      try expect(left.map(\.team), is: [Club(name: "red"), blue])
      try expect(left.map(\.formerTeams), is: [[blue], [blue, Club(name: "red")]])
    },
    Case("a model with columns and without match keys is inserted each time") { location in
      let context = try await Store(location).context
      for _ in 1...2 { try await context.save([Entry(text: "b"), Entry(text: "a", count: 1)]) }
      try expect(try await context.fetch(Entry.self).map(\.text), is: ["b", "a", "b", "a"])
      try await context.decode(Entry.self, #"{"text": "c"}"#)
      try expect(try await context.fetch(Entry.self, where: \.count == nil).map(\.text), is: ["b", "b", "c"])
    },
    Case("a value that cannot be stored is an error that names the attribute, and nothing is stored") { location in
      let context = try await Store(location).context
      var tooLarge = try types(1, hasAll: true)
      tooLarge.large = .max
      var undefined = try types(2, hasAll: true)
      undefined.double = .nan
      for (model, name) in [(tooLarge, "large"), (undefined, "double")] {
        do {
          try await context.save([types(3, hasAll: true), model])
          throw Violation(description: "\(name) was stored")
        } catch let EncodingError.invalidValue(_, context) {
          try expect(context.codingPath.map(\.stringValue), is: [name])
        }
      }
      try expect(try await context.count(AllTypes.self), is: 0)
    },
    Case("a row with a missing or invalid value is an error that names the attribute") { location in
      struct Plain: Codable, Sendable, ManagedDecodable {
        static let entityName = "Club"
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
        var name: String
      }
      struct Wrong: Codable, Sendable, ManagedDecodable {
        static let entityName = "Entry"
        static let matchKeys: [MatchKey]? = nil
        var text: Int?
        var count: Int?
      }
      let context = try await Store(location).context
      // The table does not have this column yet.
      try await context.save(Plain(name: "red"))
      try expect(try await context.fetch(Club.self), is: [Club(name: "red")])
      try await context.save(Wrong(text: 7))
      do {
        _ = try await context.fetch(Entry.self)
        throw Violation(description: "a number was read as text")
      } catch let DecodingError.typeMismatch(_, context) {
        try expect(context.codingPath.map(\.stringValue), is: ["text"])
      }
      try await context.delete(Entry.self, where: .all)
      try await context.save(Wrong(text: nil, count: 1))
      do {
        _ = try await context.fetch(Entry.self)
        throw Violation(description: "null was read as text")
      } catch let DecodingError.valueNotFound(_, context) {
        try expect(context.codingPath.map(\.stringValue), is: ["text"])
      }
    },
  ]
}

private func require<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw StoreContract.Violation(description: "a value of the test is invalid") }
  return value
}
