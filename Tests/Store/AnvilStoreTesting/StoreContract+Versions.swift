internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

/// The models of two versions of a program. Both versions use one database, one after the other and at the same time.
extension StoreContract {
  struct PlainAccount: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Account"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var login: String
  }

  /// A version of the model with more attributes.
  @JSONCodable @StoredModel
  struct RatedAccount: Equatable {
    static let entityName = "Account"
    @MatchKey var id: Int
    var login: String
    @CodableDefault(0) var stars: Int
    var color: String?
  }

  /// A version of the model in which an attribute has another name.
  struct NamedAccount: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Account"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    static let migrations: [StoreMigration] = [.rename("login", to: "name", in: "Account")]
    var id: Int
    var name: String
  }

  /// The same version with columns.
  @StoredModel
  struct RenamedAccount: Equatable {
    static let entityName = "Account"
    @MatchKey var id: Int
    var name: String
    var stars: Int = 0
  }

  /// A version of the model with an attribute whose type is unknown as long as it is `nil`.
  struct ColoredAccount: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Account"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var login: String
    var color: String?
  }

  struct TextTicket: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Ticket"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var code: String?
  }

  /// A version of the model in which an attribute has another type.
  struct NumberTicket: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Ticket"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    static let migrations: [StoreMigration] = [.retype("code", as: Int.self, in: "Ticket")]
    var id: Int
    var code: Int?
  }

  static let versionCases: [Case] = [
    Case("column added, the old program runs first: old rows have the default", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try await old.save(PlainAccount(id: 1, login: "a"))
        try expect(try await new.fetch(RatedAccount.self), is: [RatedAccount(id: 1, login: "a", stars: 0)])
        try await new.save(RatedAccount(id: 1, login: "a", stars: 2))
        try expect(try await new.fetch(RatedAccount.self, key: 1)?.stars, is: 2)
      }
    },
    Case("column added, the new program runs first: the old one keeps its values", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try await new.save(RatedAccount(id: 1, login: "a", stars: 5, color: "red"))
        try await old.save([PlainAccount(id: 1, login: "b"), PlainAccount(id: 2, login: "c")])
        let rows = [RatedAccount(id: 1, login: "b", stars: 5, color: "red"), RatedAccount(id: 2, login: "c", stars: 0)]
        try expect(try await new.fetch(RatedAccount.self), is: rows)
      }
    },
    Case("column added, both programs run at the same time", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try await old.save((0..<8).map { PlainAccount(id: $0, login: "a") })
        try await atTheSameTime {
          try await old.decode(PlainAccount.self, #"{"id": \#($0), "login": "b\#($0)"}"#)
        } and: {
          try await new.decode(RatedAccount.self, #"{"id": \#($0), "stars": \#($0)}"#)
        }
        let rows = (0..<8).map { RatedAccount(id: $0, login: "b\($0)", stars: $0) }
        try expect(try await new.fetch(RatedAccount.self), is: rows)
      }
    },
    Case("column added by another program after this one has read the table", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try expect(try await old.fetch(RatedAccount.self, key: 1), is: nil)
        try await new.save(PlainAccount(id: 1, login: "a"))
        try expect(try await old.fetch(PlainAccount.self, key: 1)?.login, is: "a")
        try await new.save(RatedAccount(id: 1, login: "a", stars: 5, color: "red"))
        let row = RatedAccount(id: 1, login: "a", stars: 5, color: "red")
        try expect(try await old.fetch(RatedAccount.self, key: 1), is: row)
        try expect(try await old.fetch(RatedAccount.self, where: \.stars == 5), is: [row])
      }
    },
    Case("attribute without a type added by another program after this one has read the table", needs: [.sharing]) {
      location in
      try await withStores(location) { old, new in
        try await new.save(PlainAccount(id: 1, login: "a"))
        try expect(try await old.fetch(ColoredAccount.self, key: 1)?.login, is: "a")
        try await old.save(PlainAccount(id: 1, login: "b"))
        try await new.save(ColoredAccount(id: 2, login: "c"))
        try await old.save(ColoredAccount(id: 1, login: "d", color: "red"))
        let rows = [ColoredAccount(id: 1, login: "d", color: "red"), ColoredAccount(id: 2, login: "c")]
        try expect(try await new.fetch(ColoredAccount.self), is: rows)
      }
    },
    Case("table dropped by SQL of another program after this one has read it", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try await new.save(PlainAccount(id: 1, login: "a"))
        try expect(try await old.fetch(PlainAccount.self, key: 1)?.login, is: "a")
        try await new.perform { transaction in _ = try transaction.execute("DROP TABLE \(identifier: "Account")") }
        try await expectError(.schemaMismatch, naming: "Account") { _ = try await old.fetch(PlainAccount.self, key: 1) }
      }
    },
    Case("column removed, the old program runs first: its values are kept", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try await old.save(RatedAccount(id: 1, login: "a", stars: 5, color: "red"))
        try await new.decode(PlainAccount.self, #"{"id": 1, "login": "b"}"#)
        try expect(try await new.fetch(PlainAccount.self), is: [PlainAccount(id: 1, login: "b")])
        let row = RatedAccount(id: 1, login: "b", stars: 5, color: "red")
        try expect(try await old.fetch(RatedAccount.self), is: [row])
      }
    },
    Case("column removed, the new program runs first: the old one adds the column", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try await new.save([PlainAccount(id: 1, login: "a"), PlainAccount(id: 2, login: "b")])
        try await old.decode(RatedAccount.self, #"{"id": 1, "color": "red"}"#)
        try await new.save(PlainAccount(id: 1, login: "c"))
        let rows = [RatedAccount(id: 1, login: "c", stars: 0, color: "red"), RatedAccount(id: 2, login: "b", stars: 0)]
        try expect(try await old.fetch(RatedAccount.self), is: rows)
      }
    },
    Case("column removed, both programs run at the same time", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try await old.save((0..<8).map { RatedAccount(id: $0, login: "a", stars: $0 + 1) })
        try await atTheSameTime {
          try await old.decode(RatedAccount.self, #"{"id": \#($0), "color": "c\#($0)"}"#)
        } and: {
          try await new.save(PlainAccount(id: $0, login: "b\($0)"))
        }
        let rows = (0..<8).map { RatedAccount(id: $0, login: "b\($0)", stars: $0 + 1, color: "c\($0)") }
        try expect(try await old.fetch(RatedAccount.self), is: rows)
      }
    },
    Case("column renamed, the old program runs first: values move to the new name", needs: [.sharing]) { location in
      try await withStores(location, migrations: NamedAccount.migrations) { old in
        try await old.save([PlainAccount(id: 1, login: "a"), PlainAccount(id: 2, login: "b")])
      } then: { _, new in
        try expect(try await new.fetch(NamedAccount.self).map(\.name), is: ["a", "b"])
        try await new.save(NamedAccount(id: 1, name: "c"))
      }
    },
    Case(
      "column renamed, the new program runs first: the old one receives an error and changes nothing", needs: [.sharing]
    ) { location in
      try await withStores(location, migrations: NamedAccount.migrations) { old, new in
        let refusal = ["Account", "login", "rename login to name"]
        try await expectError(.schemaMismatch, naming: refusal[0], refusal[1], refusal[2]) {
          try await old.save(PlainAccount(id: 2, login: "b"))
        }
        try await new.save(NamedAccount(id: 1, name: "a"))
        try await expectError(.schemaMismatch, naming: refusal[0], refusal[1], refusal[2]) {
          try await old.decode(PlainAccount.self, #"{"id": 3, "login": "c"}"#)
        }
        try await expectDecodingError { try await old.decode(PlainAccount.self, #"{"id": 1, "login": "b"}"#) }
        try await expectDecodingError { _ = try await old.fetch(PlainAccount.self) }
        try expect(try await new.fetch(NamedAccount.self), is: [NamedAccount(id: 1, name: "a")])
      }
    },
    Case("column renamed without a migration: errors state the migration", needs: [.sharing]) { location in
      let store = try await Store(location)
      try await store.save(PlainAccount(id: 1, login: "a"))
      for state in ["does not exist", "is NULL"] {
        do {
          _ = try await store.fetch(RenamedAccount.self)
          throw Violation(description: "a missing value was read as text")
        } catch let DecodingError.valueNotFound(_, context) {
          try expect(
            context.debugDescription,
            is: """
              The column \(state). If the property was named login before, add the migration .rename("login", to: "name", in: \
              "Account"); a new property needs a default.
              """)
        }
        try await store.save(RenamedAccount(id: 2, name: "b"))
      }
      await store.close()
      let sql = #"UPDATE "Account" SET "name" = coalesce("name", "login")"#
      do {
        _ = try await Store(location, migrations: NamedAccount.migrations)
        throw Violation(description: "a column with values was replaced")
      } catch let error as StoreError where error.code == .schemaMismatch {
        let advice = ##".sql(#"\##(sql)"#, in: "Account") and .drop("login", in: "Account")"##
        try expect(error.description.contains(advice), "\(error)")
      }
      let merged = try await Store(
        location, migrations: [.sql(sql, in: "Account"), .drop("login", in: "Account")])
      try expect(
        try await merged.fetch(RenamedAccount.self),
        is: [RenamedAccount(id: 1, name: "a"), RenamedAccount(id: 2, name: "b")])
      await merged.close()
    },
    Case("column renamed while the old program writes: its values are kept", needs: [.sharing]) { location in
      let old = try await Store(location)
      let ids = try await stored(PlainAccount.self, by: old) {
        PlainAccount(id: $0, login: "a\($0)")
      } while: {
        try await Store(location, migrations: NamedAccount.migrations).close()
      }
      let new = try await Store(location, migrations: NamedAccount.migrations)
      try expect(try await new.context.fetch(NamedAccount.self), is: ids.map { NamedAccount(id: $0, name: "a\($0)") })
      await old.close()
      await new.close()
    },
    Case("column converted, the old program runs first: values are converted", needs: [.sharing]) { location in
      try await withStores(location, migrations: NumberTicket.migrations) { old in
        try await old.save([TextTicket(id: 1, code: "7"), TextTicket(id: 2), TextTicket(id: 3, code: "-12")])
      } then: { _, new in
        try expect(try await new.fetch(NumberTicket.self).map(\.code), is: [7, nil, -12])
        try expect(
          try await new.fetch(NumberTicket.self, where: StoredColumn<NumberTicket, Int?>("code") < 5).map(\.id), is: [3]
        )
        try await new.save(NumberTicket(id: 2, code: 5))
        try expect(try await new.fetch(NumberTicket.self, key: 2)?.code, is: 5)
      }
    },
    Case(
      "column converted, the new program runs first: the old one receives an error and changes nothing",
      needs: [.sharing]
    ) { location in
      try await withStores(location, migrations: NumberTicket.migrations) { old, new in
        try await new.save(NumberTicket(id: 1, code: 7))
        try await expectError(.schemaMismatch, naming: "Ticket", "code", "integer", "text") {
          try await old.save(TextTicket(id: 1, code: "x"))
        }
        try await expectDecodingError { _ = try await old.fetch(TextTicket.self) }
        try expect(try await new.fetch(NumberTicket.self), is: [NumberTicket(id: 1, code: 7)])
      }
    },
    Case("column converted while the old program writes: its values are kept", needs: [.sharing]) { location in
      let old = try await Store(location)
      let ids = try await stored(TextTicket.self, by: old) {
        TextTicket(id: $0, code: "\($0 * 2)")
      } while: {
        try await Store(location, migrations: NumberTicket.migrations).close()
      }
      let new = try await Store(location, migrations: NumberTicket.migrations)
      try expect(try await new.context.fetch(NumberTicket.self), is: ids.map { NumberTicket(id: $0, code: $0 * 2) })
      await old.close()
      await new.close()
    },
  ]

  /// Runs `body` with the contexts of two stores. The second store has migrations.
  static func withStores(
    _ location: Store.Location, migrations: [StoreMigration] = [],
    before: (Store) async throws -> Void = { _ in }, then body: (Store, Store) async throws -> Void
  ) async throws {
    let old = try await Store(location)
    try await before(old.context)
    let new = try await Store(location, migrations: migrations)
    try await body(old.context, new.context)
    await old.close()
    await new.close()
  }

  /// Runs both closures with each number below 8, several times. All calls run at the same time.
  private static func atTheSameTime<First, Second>(
    _ first: @escaping @Sendable (Int) async throws -> First,
    and second: @escaping @Sendable (Int) async throws -> Second
  ) async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<24 {
        group.addTask { _ = try await first(number % 8) }
        group.addTask { _ = try await second(number % 8) }
      }
      try await group.waitForAll()
    }
  }

  /// Saves 40 models while `body` runs. Returns the numbers of the models that were stored.
  private static func stored<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, by store: Store, _ make: @escaping @Sendable (Int) -> Model,
    while body: @escaping @Sendable () async throws -> Void
  ) async throws -> [Int] where Model.Context == StoreTransaction {
    try await store.context.save(make(0))
    return try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 1..<40 {
        group.addTask {
          do {
            try await store.context.save(make(number))
            return number
          } catch let error as StoreError where error.code == .schemaMismatch {
            return nil
          }
        }
        if number == 8 {
          group.addTask {
            try await body()
            return nil
          }
        }
      }
      return try await group.reduce(into: [0]) { if let number = $1 { $0.append(number) } }.sorted()
    }
  }
}

/// Runs `body` and expects a row decoding error.
func expectDecodingError(line: UInt = #line, _ body: () async throws -> Void) async throws {
  do {
    try await body()
  } catch is DecodingError {
    return
  }
  throw StoreContract.Violation(description: "line \(line): a row was decoded")
}
