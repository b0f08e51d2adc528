internal import AnvilStore

extension StoreContract {
  private struct Size: Codable, Equatable {
    var login: String
    var members: Int
    var mean: Double?
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
    Case("query plans and the schema are returned in the format of the database") { location in
      let context = try await Store(location).context
      try await context.save(Player(id: 1, team: Team(name: "red"), homes: []))
      let (plan, dump) = try await context.read { transaction in
        (
          try transaction.explain(#"SELECT * FROM "Player" WHERE id = \#(1)"#),
          try transaction.schemaDump()
        )
      }
      try expect(plan.contains("Player"), "\(plan) does not name the table")
      try expect(try await context.count(Player.self), is: 1)
      for name in ["CREATE TABLE", "Player", "Team", "PRIMARY KEY"] {
        try expect(dump.contains(name), "\(dump) does not contain \(name)")
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
