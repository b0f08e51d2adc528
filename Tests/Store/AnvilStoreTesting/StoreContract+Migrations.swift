internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  struct Tally: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var total: Int
  }

  struct TextTally: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Tally"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: String
    var total: Int
  }

  struct House: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    var name: String
    var floors: Int?
  }

  struct Tenant: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var home: House?
  }

  struct TitledHouse: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "House"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.title)]
    var title: String
    var floors: Int?
  }

  struct HousedTenant: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Tenant"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var house: TitledHouse?
  }

  private struct NoNumber: Error, CustomStringConvertible {
    let description = "the text is not a number"
  }

  static let migrationCases: [Case] = [
    Case(
      "each migration runs once and in order, even if many stores are opened at once", needs: [.sharing]
    ) { location in
      try await withStores(location) { old, _ in try await old.save(Tally(id: 1, total: 1)) }
      let migrations: [StoreMigration] = [
        .sql(#"UPDATE "Tally" SET "total" = "total" + 1"#), .sql(#"UPDATE "Tally" SET "total" = "total" * 10"#),
      ]
      let stores = try await withThrowingTaskGroup(of: Store.self) { group in
        for _ in 0..<6 { group.addTask { try await Store(location, migrations: migrations) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try expect(try await stores[0].context.fetch(Tally.self), is: [Tally(id: 1, total: 20)])
      for store in stores { await store.close() }
      let next = try await Store(
        location, migrations: migrations + [.sql(#"UPDATE "Tally" SET "total" = "total" + 1"#)])
      try expect(try await next.context.fetch(Tally.self), is: [Tally(id: 1, total: 21)])
      await next.close()
    },
    Case("several migrations of a table with references run in one transaction", needs: [.sharing]) { location in
      struct Numbers: Codable, Sendable, Equatable, ManagedDecodable {
        static let entityName = "Lease"
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id: Int
        var home: House
        var rent: Int
        var rooms: Int
        var note: String?
      }
      struct Texts: Codable, Sendable, Equatable, ManagedDecodable {
        static let entityName = "Lease"
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id: Int
        var home: House
        var rent: String
        var rooms: String
      }
      let old = try await Store(location)
      try await old.context.save((1...3).map { Numbers(id: $0, home: House(name: "a"), rent: $0, rooms: $0 * 2) })
      try await old.context.save(House(name: "b"))
      await old.close()
      let new = try await Store(
        location,
        migrations: [
          .sql(#"UPDATE "Lease" SET "home" = 'b'"#), .retype("rent", as: String.self, in: "Lease"),
          .retype("rooms", as: String.self, in: "Lease"), .drop("note", in: "Lease"),
          .sql(#"DELETE FROM "House" WHERE "name" = 'a'"#), .rename("floors", to: "levels", in: "House"),
        ])
      try expect(
        try await new.context.fetch(Texts.self),
        is: (1...3).map { Texts(id: $0, home: House(name: "b"), rent: "\($0)", rooms: "\($0 * 2)") })
      await new.close()
    },
    Case("a changed, moved or removed migration is an error that names it", needs: [.sharing]) { location in
      let migrations: [StoreMigration] = [.rename("a", to: "b", in: "Tally"), .drop("c", in: "Tally")]
      try await Store(location, migrations: migrations).close()
      for others in [[migrations[1], migrations[0]], [migrations[1]], [migrations[0], .drop("d", in: "Tally")]] {
        try await expectError(.schemaMismatch, naming: "drop c in Tally") {
          _ = try await Store(location, migrations: others)
        }
      }
      let older = try await Store(location, migrations: [migrations[0]])
      try await older.context.save(Tally(id: 1, total: 1))
      await older.close()
    },
    Case("either all migrations are applied or none", needs: [.sharing]) { location in
      try await withStores(location) { old, _ in
        try await old.save([TextTicket(id: 1, code: "7"), TextTicket(id: 2, code: "x")])
      }
      let failing: [StoreMigration] = [
        .rename("code", to: "number", in: "Ticket"), .retype("number", as: Int.self, in: "Ticket"),
      ]
      try await expectError(.invalidValue, naming: "number", "id 2", "integer") {
        _ = try await Store(location, migrations: failing)
      }
      let refusing = StoreMigration.retype("code", in: "Ticket") { (text: String) throws -> Int in
        guard let number = Int(text) else { throw NoNumber() }
        return number
      }
      try await expectError(.invalidValue, naming: "code", "id 2", "the text is not a number") {
        _ = try await Store(location, migrations: [refusing])
      }
      try await withStores(location) { old, _ in
        try expect(try await old.fetch(TextTicket.self).map(\.code), is: ["7", "x"])
        try await old.save(TextTicket(id: 3, code: "y"))
      }
      let converting = StoreMigration.retype("code", in: "Ticket") { (text: String) in Int(text) ?? -1 }
      let store = try await Store(location, migrations: [converting])
      try expect(try await store.context.fetch(NumberTicket.self).map(\.code), is: [7, -1, -1])
      await store.close()
    },
    Case("text that only begins with a number is not retyped", needs: [.sharing]) { location in
      try await withStores(location) { old, _ in
        try await old.save([TextTicket(id: 1, code: "1.5"), TextTicket(id: 2, code: "7 Main Street")])
      }
      let types: [StoreMigration] = [
        .retype("code", as: Decimal.self, in: "Ticket"), .retype("code", as: Double.self, in: "Ticket"),
      ]
      for migration in types {
        try await expectError(.invalidValue, naming: "code", "id 2") {
          _ = try await Store(location, migrations: [migration])
        }
      }
      try await withStores(location) { old, _ in
        try await old.save(TextTicket(id: 2, code: "0x10"))
      }
      for migration in types {
        try await expectError(.invalidValue, naming: "code", "id 2") {
          _ = try await Store(location, migrations: [migration])
        }
      }
      try await withStores(location) { old, _ in
        try expect(try await old.fetch(TextTicket.self).map(\.code), is: ["1.5", "0x10"])
      }
    },
    Case(
      "a dropped column is removed, and only programs with the migration can add it again", needs: [.sharing]
    ) { location in
      let drop = StoreMigration.drop("color", in: "Account")
      try await withStores(location) { old, _ in
        try await old.save(RatedAccount(id: 1, login: "a", stars: 1, color: "red"))
      }
      try await withStores(location, migrations: [drop]) { old, new in
        try expect(try await new.fetch(PlainAccount.self), is: [PlainAccount(id: 1, login: "a")])
        try await expectError(.schemaMismatch, naming: "color", "drop color in Account") {
          try await old.save(RatedAccount(id: 1, login: "b", stars: 1, color: "red"))
        }
        try expect(try await new.fetch(PlainAccount.self), is: [PlainAccount(id: 1, login: "a")])
        try await new.save(RatedAccount(id: 1, login: "b", stars: 1, color: "blue"))
        try expect(try await old.fetch(RatedAccount.self).map(\.color), is: ["blue"])
      }
      try await expectError(.schemaMismatch, naming: "id", "Account", "match key") {
        _ = try await Store(location, migrations: [drop, .drop("id", in: "Account")])
      }
    },
    Case("renamed keys and references keep their meaning", needs: [.sharing]) { location in
      let house = House(name: "a", floors: 2)
      try await withStores(location) { old, _ in try await old.save([Tenant(id: 1, home: house), Tenant(id: 2)]) }
      let migrations: [StoreMigration] = [
        .sql(#"CREATE INDEX "others" ON "Tenant" ("home")"#), .rename("name", to: "title", in: "House"),
        .rename("home", to: "house", in: "Tenant"), .drop("floors", in: "House"),
      ]
      let store = try await Store(location, migrations: migrations)
      let context = store.context
      let tenant = HousedTenant(id: 1, house: TitledHouse(title: "a"))
      try expect(try await context.fetch(HousedTenant.self), is: [tenant, HousedTenant(id: 2)])
      try expect(try await context.save(tenant), is: .init(unchanged: 1))
      try await expectError(.constraint(.foreignKey)) { try await context.delete(TitledHouse(title: "a")) }
      try await context.save(HousedTenant(id: 2, house: TitledHouse(title: "b", floors: 3)))
      try expect(
        try await context.fetch(TitledHouse.self), is: [TitledHouse(title: "a"), TitledHouse(title: "b", floors: 3)])
      await store.close()
      let last = try await Store(
        location, migrations: migrations + [.sql(#"DROP INDEX "others""#), .drop("house", in: "Tenant")])
      try expect(try await last.context.fetch(HousedTenant.self), is: [HousedTenant(id: 1), HousedTenant(id: 2)])
      try await last.context.delete(TitledHouse(title: "a"))
      await last.close()
    },
    Case(
      "a converted column keeps its indices, and columns of other programs are kept", needs: [.sharing]
    ) { location in
      try await withStores(location) { old, _ in try await old.save([TextTicket(id: 1, code: "7"), TextTicket(id: 2)]) }
      let store = try await Store(
        location,
        migrations: [
          .sql(#"CREATE UNIQUE INDEX "codes" ON "Ticket" ("code")"#),
          .sql(#"ALTER TABLE "Ticket" ADD COLUMN "note" VARCHAR(20) DEFAULT 'n' NOT NULL"#),
          .sql(#"UPDATE "Ticket" SET "note" = 'm' WHERE "id" = 2"#), .retype("code", as: Int.self, in: "Ticket"),
          .sql(#"UPDATE "Ticket" SET "code" = 9 WHERE "note" = 'm'"#),
        ])
      try expect(try await store.context.fetch(NumberTicket.self).map(\.code), is: [7, 9])
      try await expectError(.constraint(.unique)) { try await store.context.save(NumberTicket(id: 3, code: 9)) }
      try await store.context.save(NumberTicket(id: 3, code: 10))
      await store.close()
    },
    Case("a match key can be converted unless other rows refer to it", needs: [.sharing]) { location in
      try await withStores(location) { old, _ in
        try await old.save([Tally(id: 1, total: 1), Tally(id: 12, total: 2)])
        try await old.save(Tenant(id: 1, home: House(name: "a")))
      }
      let retype = StoreMigration.retype("id", as: String.self, in: "Tally")
      try await expectError(.schemaMismatch, naming: "House", "Tenant") {
        let refused = StoreMigration.retype("name", in: "House") { (name: String) in name.count }
        _ = try await Store(location, migrations: [retype, refused])
      }
      let store = try await Store(location, migrations: [retype])
      try expect(try await store.context.save(TextTally(id: "12", total: 3)), is: .init(updated: 1))
      try expect(try await store.context.fetch(TextTally.self).map(\.id), is: ["1", "12"])
      await store.close()
    },
    Case(
      "an unknown column that requires a value is an error that names it, unless it has a default", needs: [.sharing]
    ) {
      location in
      try await withStores(location) { old, _ in try await old.save(PlainAccount(id: 1, login: "a")) }
      func replacement(_ note: String) -> [StoreMigration] {
        [
          .sql(#"CREATE TABLE "others" ("id" INTEGER NOT NULL PRIMARY KEY, "login" TEXT, "note" VARCHAR(9) \#(note))"#),
          .sql(#"INSERT INTO "others" SELECT "id", "login", 'n' FROM "Account""#), .sql(#"DROP TABLE "Account""#),
          .sql(#"ALTER TABLE "others" RENAME TO "Account""#),
        ]
      }
      try await withStores(location, migrations: replacement("NOT NULL DEFAULT 'm'")) { old, new in
        try await old.save([PlainAccount(id: 1, login: "b"), PlainAccount(id: 2, login: "c")])
        try expect(try await new.fetch(PlainAccount.self).map(\.login), is: ["b", "c"])
      }
      let migrations = replacement("NOT NULL DEFAULT 'm'") + replacement("NOT NULL")
      try await withStores(location, migrations: migrations) { old, new in
        try await expectError(.schemaMismatch, naming: "note", "Account") {
          try await old.save(PlainAccount(id: 3, login: "d"))
        }
        try expect(try await new.fetch(PlainAccount.self).map(\.login), is: ["b", "c"])
      }
    },
    Case("columns are swapped by migrations that run together", needs: [.sharing]) { location in
      let store = try await Store(location)
      try await store.save(Labelled(title: "a", name: "b", second: 2, first: 1))
      await store.close()
      let migrated = try await Store(
        location,
        migrations: [("first", "other"), ("second", "first"), ("other", "second")].map {
          .rename($0, to: $1, in: "Relabelled")
        })
      try expect(try await migrated.fetch(Labelled.self), is: [Labelled(title: "a", name: "b", second: 1, first: 2)])
      try await migrated.save(Labelled(title: "a", name: "c", second: 3, first: 4))
      try expect(try await migrated.count(Labelled.self, where: \.second > 2), is: 1)
    },
    Case("a column cannot be renamed to a column that contains values", needs: [.sharing]) { location in
      try await withStores(location) { old, new in
        try await old.save(TextTicket(id: 1, code: "7"))
        try await new.save(PlainTally(id: 1, number: 3))
      }
      let rename = StoreMigration.rename("code", to: "number", in: "Ticket")
      try await expectError(.schemaMismatch, naming: "code", "number", "Ticket") {
        _ = try await Store(location, migrations: [rename])
      }
      try await withStores(location) { old, new in
        try expect(try await old.fetch(TextTicket.self), is: [TextTicket(id: 1, code: "7")])
        try await new.save(PlainTally(id: 1))
      }
      let store = try await Store(location, migrations: [rename])
      try expect(
        try await store.context.count(TextTicket.self, where: StoredColumn<TextTicket, String>("number") == "7"), is: 1)
      await store.close()
    },
    Case("migrations of tables that do not exist are recorded without effect", needs: [.sharing]) { location in
      try await withStores(location, migrations: NamedAccount.migrations) { old, new in
        try await expectError(.schemaMismatch, naming: "login") { try await old.save(PlainAccount(id: 1, login: "a")) }
        try await new.save(NamedAccount(id: 1, name: "a"))
        try expect(try await new.fetch(NamedAccount.self).count, is: 1)
      }
    },
    Case("SQL in a table runs only if the table exists", needs: [.sharing]) { location in
      let statement = #"DELETE FROM "Account" WHERE "login" = 'a'"#
      let migrations: [StoreMigration] = [
        .sql(statement, in: "Account"), .sql(#"CREATE TABLE "search" ("login" TEXT)"#),
        .sql(#"INSERT INTO "search" SELECT "login" FROM "Account""#, in: "Account"),
        .sql(#"INSERT INTO "search" VALUES ('made')"#, in: "search"),
      ]
      let fresh = try await Store(location, migrations: migrations)
      let texts = try await fresh.read { try $0.fetch(String.self, sql: #"SELECT "login" FROM "search""#) }
      try expect(texts, is: ["made"])
      try await fresh.save([PlainAccount(id: 1, login: "a"), PlainAccount(id: 2, login: "b")])
      await fresh.close()
      let next = try await Store(
        location, migrations: migrations + [.sql(statement, in: "Account")])
      try expect(try await next.fetch(PlainAccount.self).map(\.login), is: ["b"])
      await next.close()
      // The table can be added to a migration that was applied without it.
      let named: [StoreMigration] = [.sql(statement)] + migrations.dropFirst()
      await (try await Store(location, migrations: named)).close()
    },
    Case("a property whose name differs from an SQL column only in case is an error that names both") { location in
      let store = try await Store(location)
      try await store.save(TextTicket(id: 1, code: "7"))
      try await store.perform { transaction in
        _ = try transaction.execute(#"ALTER TABLE "Ticket" ADD COLUMN "Number" BIGINT"#)
      }
      do {
        // A database that distinguishes the names stores both.
        try await store.save(PlainTally(id: 1, number: 3))
        try expect(try await store.fetch(PlainTally.self).map(\.number), is: [3])
      } catch let error as StoreError {
        try expect(error.code, is: .schemaMismatch)
        try expect("\(error)".contains("columns Number and number of Ticket"), "\(error)")
      }
    },
  ]

  struct PlainTally: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Ticket"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var number: Int?
  }
}
