internal import AnvilBase
internal import AnvilStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StoreContract {
  private struct Size: Codable, Equatable {
    var login: String
    var members: Int
    var mean: Double?
  }

  private struct Amount: Codable, Equatable {
    var value: Double
  }

  static let sqlCases: [Case] = [
    Case("SQL values are bound instead of inserted, and rows decode as any type") { location in
      let context = try await Store(location).context
      let name = #"Robert'); DROP TABLE "User";--"#
      try await context.save((1...4).map { User(id: $0, login: $0 < 4 ? "a" : name, age: $0 < 3 ? $0 * 10 : nil) })
      try await context.perform { transaction in
        let sizes = try transaction.fetch(
          Size.self,
          sql: """
            SELECT login, count(*) AS members, CAST(avg(age) AS DOUBLE PRECISION) AS mean FROM \(identifier: "User") \
            WHERE id < \(9) GROUP BY login ORDER BY members
            """)
        try expect(
          sizes, is: [Size(login: name, members: 1, mean: nil), Size(login: "a", members: 3, mean: 15)])
        let named: StoreStatement = "login = \(name)"
        try expect(try transaction.fetch(Int.self, sql: #"SELECT id FROM "User" WHERE \#(named)"#), is: [4])
        try expect(
          try transaction.fetch(Int?.self, sql: #"SELECT age FROM "User" WHERE id > 1 ORDER BY id"#),
          is: [20, nil, nil])
        try expect(
          try transaction.execute(#"UPDATE "User" SET age = \#(Int?.none), login = \#("b") WHERE id = \#(1)"#), is: 1)
        // The change is visible to models immediately.
        try expect(try transaction.fetch(User.self, key: 1), is: User(id: 1, login: "b"))
        try transaction.save(User(id: 5, login: "c"))
        try expect(try transaction.fetch(Int.self, sql: #"SELECT count(*) FROM "User""#), is: [5])
      }
      try expect(try await context.count(User.self), is: 5)
    },
    Case("rows of SQL decode as enumerations, and numbers as each type of numbers") { location in
      enum State: String, StoredValue { case open, done }
      enum Plain: Int, Codable { case one = 1 }
      let store = try await Store(location)
      try await store.save((1...4).map { User(id: $0, login: "open", age: $0 < 4 ? $0 : nil) })
      try await store.read { transaction in
        try expect(try transaction.fetch(State.self, sql: #"SELECT login FROM "User" WHERE id = 1"#), is: [.open])
        try expect(try transaction.fetch(State?.self, sql: "SELECT NULL"), is: [nil])
        try expect(try transaction.fetch(Plain?.self, sql: #"SELECT age FROM "User" WHERE id = 1"#), is: [.one])
        for (sql, value) in [
          (#"SELECT avg(age) AS value FROM "User""#, 2.0), (#"SELECT sum(age) AS value FROM "User""#, 6),
          (#"SELECT sum(age) / 4.0 AS value FROM "User""#, 1.5), (#"SELECT 0.1 AS value"#, 0.1),
        ] {
          let sql = StoreStatement(stringLiteral: sql)
          try expect(try transaction.fetch(Double.self, sql: sql), is: [value])
          let decimals = try transaction.fetch(Decimal?.self, sql: sql)
          try expect(decimals.map { $0.map { Double("\($0)") } }, is: [value])
          try expect(try transaction.fetch(Amount.self, sql: sql), is: [Amount(value: value)])
        }
        try expect(try transaction.fetch(Int.self, sql: #"SELECT sum(age) FROM "User""#), is: [6])
        for sql: StoreStatement in [#"SELECT login FROM "User" LIMIT 1"#, "SELECT '1.5'"] {
          do {
            _ = try transaction.fetch(Double.self, sql: sql)
            throw Violation(description: "text was read as a number")
          } catch is DecodingError {}
        }
      }
    },
    Case("SQL that fails, ends the transaction or writes in a read transaction is rejected") { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      try await expectError(.invalidStatement) { _ = try await context.perform { try $0.execute("SELECTED") } }
      try await expectError(.invalidStatement) { _ = try await context.perform { try $0.execute("COMMIT") } }
      try await expectError(.invalidStatement) {
        _ = try await context.perform { try $0.execute("-- c\nCOMMIT AND CHAIN") }
      }
      // The transaction fails even if the error is caught.
      try await expectError(.invalidStatement) {
        try await context.perform { transaction in
          _ = try? transaction.execute("/* c */ ROLLBACK")
          _ = try? transaction.save(User(id: 2, login: "b"))
        }
      }
      try await expectError(.outsideTransaction) {
        _ = try await context.read { try $0.execute(#"DELETE FROM "User""#) }
      }
      do {
        _ = try await context.read { try $0.fetch(Int.self, sql: #"DELETE FROM "User" RETURNING id"#) }
        throw Violation(description: "a row was deleted in a read transaction")
      } catch is StoreError {}
      do {
        _ = try await context.read { try $0.fetch(Int.self, sql: #"SELECT login FROM "User""#) }
        throw Violation(description: "a text was decoded as a number")
      } catch is DecodingError {}
      try expect(try await context.count(User.self), is: 1)
    },
    Case("queries in SQL can be observed, and changes by SQL are noticed", needs: [.observation]) { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      var users = context.values(of: User.self).makeAsyncIterator()
      try expect(try await users.next()?.map(\.login), is: ["a"])
      try await context.perform { try $0.execute(#"UPDATE "User" SET login = 'b'"#) }
      try expect(try await users.next()?.map(\.login), is: ["b"])
    },
    Case("a read-only transaction runs each statement that only reads") { location in
      let store = try await Store(location)
      try await store.save(User(id: 1, login: "a"))
      let isSQLite = store.description.hasPrefix("SQLite")
      let explain = isSQLite ? "EXPLAIN QUERY PLAN" : "EXPLAIN"
      struct Step: Decodable {}
      for sql in [#"\#(explain) SELECT * FROM "User""#, #"SELECT share FROM (SELECT login AS share FROM "User") AS x"#]
      {
        let rows = try await store.read { try $0.fetch(Step.self, sql: StoreStatement(stringLiteral: sql)).count }
        try expect(rows > 0, "\(sql) has no rows")
      }
      let settings = ["SET TRANSACTION READ WRITE", "SET statement_timeout = 1234", "LISTEN users"]
      let changes = [#"UPDATE "User" SET login = 'b' RETURNING login"#, #"DELETE FROM "User" RETURNING login"#]
      for sql in changes {
        let logins = try await store.read { transaction in
          do {
            _ = try transaction.fetch(String.self, sql: StoreStatement(stringLiteral: sql))
            throw Violation(description: "\(sql) was run in a read transaction")
          } catch let error as StoreError {
            try expect(error.code, is: .outsideTransaction)
          }
          // A statement that is refused before it is sent leaves the transaction as it was.
          return try transaction.fetch(String.self, sql: #"SELECT login FROM "User""#)
        }
        try expect(logins, is: ["a"])
      }
      for sql in isSQLite ? [] : settings {
        do {
          _ = try await store.read { try $0.fetch(String.self, sql: StoreStatement(stringLiteral: sql)) }
          throw Violation(description: "\(sql) was run in a read transaction")
        } catch let error as StoreError {
          // Behind a pooler, a store changes no setting of the session.
          try expect([.outsideTransaction, .unsupported].contains(error.code), "\(error)")
        }
      }
      try expect(try await store.fetch(User.self).map(\.login), is: ["a"])
    },
    Case("a transaction fails with the error that it has caught") { location in
      let store = try await Store(location)
      try await store.save(User(id: 1, login: "a"))
      let error = try await expectError(.invalidStatement) {
        try await store.perform { transaction in
          do { try transaction.execute("SELEKT") } catch {}
          try transaction.save(User(id: 2, login: "b"))
        }
      }
      try expect(error.sql, is: "SELEKT")
      try expect(try await store.count(User.self), is: 1)
    },
    Case("an integer is compared with a smaller column of SQL") { location in
      let store = try await Store(location)
      try await store.save(User(id: 1, login: "a"))
      try await store.perform { try $0.execute(#"ALTER TABLE "User" ADD COLUMN size INTEGER DEFAULT 5"#) }
      let size = StoredColumn<User, Int>("size")
      for (condition, count) in [
        (size < 3_000_000_000, 1), (size == 3_000_000_000, 0), (size > -3_000_000_000, 1), (size == 5, 1),
        (.isAmong(size, [5, 3_000_000_000]), 1),
      ] {
        try expect(try await store.count(User.self, where: condition), is: count)
      }
    },
    Case("changes by SQL are noticed by another store", needs: [.sharing, .observation]) { location in
      let (mine, theirs) = (try await Store(location), try await Store(location))
      try await theirs.context.save(User(id: 1, login: "a"))
      var users = mine.context.values(of: User.self).makeAsyncIterator()
      try expect(try await users.next()?.map(\.login), is: ["a"])
      try await theirs.context.perform { try $0.execute(#"UPDATE "User" SET login = 'b'"#) }
      try expect(try await users.next()?.map(\.login), is: ["b"])
    },
  ]
}
