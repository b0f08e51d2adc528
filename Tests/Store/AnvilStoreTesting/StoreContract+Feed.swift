internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

extension StoreContract {
  /// The position up to which a reader has processed the changes.
  struct Progress: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.reader)]
    var reader: String
    var position: String
    var count: Int
  }

  private static func user(_ id: Int, _ login: String, age: Int? = nil) -> User { User(id: id, login: login, age: age) }

  /// Returns the available changes after a position.
  private static func changes<Model: ManagedDecodable & Codable & Sendable>(
    of type: Model.Type, after position: StorePosition, in context: Store
  ) async throws -> [StoreChange<Model>] where Model.Context == StoreTransaction {
    try await context.read { transaction in try transaction.changes(of: type, after: position, limit: 100_000) }
  }

  static let feedCases: [Case] = [
    Case("the feed contains each change with the old and the new row, and can be read from any change on") { location in
      let context = try await Store(location).context
      try await context.save(user(1, "before"))
      let start = try await context.recordChanges(of: User.self)
      try await context.save([user(1, "a"), user(2, "b")])
      _ = try await context.decode([User].self, #"[{"id": 1, "age": 5}, {"id": 2}, {"id": 3, "login": "c"}]"#)
      try? await context.perform { transaction in
        try transaction.save(user(9, "rolled back"))
        throw CancellationError()
      }
      try await context.perform { transaction in
        try transaction.save(user(4, "d"))
        try? transaction.perform { nested in
          try nested.save(user(5, "undone"))
          throw CancellationError()
        }
        try transaction.delete(user(4, "d"))
      }
      try await context.delete(User.self, where: User.Columns.login == "c")
      let expected: [StoreChange<User>.Kind] = [
        .updated(from: user(1, "before"), to: user(1, "a")), .inserted(user(2, "b")),
        .updated(from: user(1, "a"), to: user(1, "a", age: 5)), .inserted(user(3, "c")), .inserted(user(4, "d")),
        .deleted(user(4, "d")), .deleted(user(3, "c")),
      ]
      let all = try await changes(of: User.self, after: start, in: context)
      try expect(all.map(\.kind), is: expected)
      for (index, change) in all.enumerated() {
        let rest = try await changes(of: User.self, after: change.position, in: context)
        try expect(rest.map(\.kind), is: Array(expected[(index + 1)...]))
        let next = try await context.read { transaction in
          try transaction.changes(of: User.self, after: change.position, limit: 2)
        }
        try expect(next.map(\.kind), is: Array(expected[(index + 1)...].prefix(2)))
        if let last = next.last {
          let others = try await changes(of: User.self, after: last.position, in: context)
          try expect(others.map(\.kind), is: Array(expected.dropFirst(index + 1 + next.count)))
        }
      }
      // Recording continues at the same position.
      let now = try await context.recordChanges(of: User.self)
      try expect(try await changes(of: User.self, after: now, in: context), is: [])
      try expect(try await changes(of: User.self, after: start, in: context).count, is: 7)
    },
    Case("rows in the feed have the stored values of every type") { location in
      let context = try await Store(location).context
      let start = try await context.recordChanges(of: AllTypes.self)
      let models = try [types(1, hasAll: false), types(2, hasAll: true), types(3, hasAll: false)]
      try await context.save(models)
      try expect(
        try await changes(of: AllTypes.self, after: start, in: context).map(\.kind), is: models.map { .inserted($0) })
      try await context.delete(AllTypes.self, where: .all)
      let plain = try await changes(of: PlainTypes.self, after: start, in: context)
      try expect(plain.count, is: 6)
      try expect(try await changes(of: AllTypes.self, after: start, in: context).suffix(3).count, is: 3)
      let repository = Repository(1, "it's \"quoted\"\n{}\r\n\\n\\", stars: 2, size: nil)
      let other = try await context.recordChanges(of: Repository.self)
      try await context.save(repository)
      try expect(
        try await changes(of: Repository.self, after: other, in: context).map(\.kind), is: [.inserted(repository)])
    },
    Case("rows in the feed keep NUL characters in text", needs: [.nulInText]) { location in
      let context = try await Store(location).context
      let start = try await context.recordChanges(of: User.self)
      try await context.save(user(1, "a\u{0}b\n"))
      try expect(
        try await changes(of: User.self, after: start, in: context).map(\.kind), is: [.inserted(user(1, "a\u{0}b\n"))])
    },
    Case("the feed contains changes made by SQL, except those that leave the row unchanged") { location in
      let context = try await Store(location).context
      try await context.save([user(1, "a"), user(2, "b")])
      let start = try await context.recordChanges(of: User.self)
      try await context.perform { transaction in
        try transaction.execute("UPDATE \(identifier: "User") SET login = \("a") WHERE id = 1")
        try transaction.execute("UPDATE \(identifier: "User") SET age = 7 WHERE id = 2")
        try transaction.execute("DELETE FROM \(identifier: "User")")
      }
      try await context.save(user(3, "c"))
      try await context.save(user(3, "c"))
      let found = try await changes(of: User.self, after: start, in: context).map(\.kind)
      try expect(found.first, is: .updated(from: user(2, "b"), to: user(2, "b", age: 7)))
      try expect(found.count, is: 4)
      try expect(found.last, is: .inserted(user(3, "c")))
    },
    Case("the feed has columns that were added later") { location in
      let context = try await Store(location).context
      let start = try await context.recordChanges(of: RatedAccount.self)
      try await context.save(PlainAccount(id: 1, login: "a"))
      let rated = RatedAccount(id: 1, login: "a", stars: 3, color: "red")
      try await context.save(rated)
      try expect(
        try await changes(of: RatedAccount.self, after: start, in: context).map(\.kind),
        is: [
          .inserted(RatedAccount(id: 1, login: "a", stars: 0)),
          .updated(from: RatedAccount(id: 1, login: "a", stars: 0), to: rated),
        ])
    },
    Case("a feed whose triggers SQL has dropped is not recorded, until the recording starts again") { location in
      let context = try await Store(location).context
      let table: StoreStatement = "\(identifier: "Account")"
      func account(_ id: Int, _ login: String) -> PlainAccount { PlainAccount(id: id, login: login) }
      try await context.save(account(1, "a"))
      let start = try await context.recordChanges(of: PlainAccount.self)
      for round in 0..<2 {
        try await context.save(account(1, "b\(round)"))
        try await context.perform { transaction in
          try transaction.execute("CREATE TABLE copy (id BIGINT NOT NULL PRIMARY KEY, login TEXT)")
          try transaction.execute("INSERT INTO copy SELECT id, login FROM \(table)")
          // Renamed, the table keeps its triggers, under their names.
          try transaction.execute(round == 0 ? "DROP TABLE \(table)" : "ALTER TABLE \(table) RENAME TO former")
          try transaction.execute("ALTER TABLE copy RENAME TO \(table)")
        }
        try await context.save(account(1, "c"))
        try await expectError(.invalidStatement, naming: "Account") {
          _ = try await changes(of: PlainAccount.self, after: start, in: context)
        }
        let now = try await context.recordChanges(of: PlainAccount.self)
        try await expectError(.changesExpired, naming: "Account") {
          _ = try await changes(of: PlainAccount.self, after: start, in: context)
        }
        try await context.save(account(2, "d\(round)"))
        let again = try await context.recordChanges(of: PlainAccount.self)
        try await context.save(account(1, "e"))
        try expect(try await changes(of: PlainAccount.self, after: now, in: context).count, is: 2)
        try expect(
          try await changes(of: PlainAccount.self, after: again, in: context).map(\.kind),
          is: [.updated(from: account(1, "c"), to: account(1, "e"))])
      }
      // The library adds a column while the triggers are missing.
      let last = try await context.recordChanges(of: PlainAccount.self)
      try await context.perform { transaction in
        try transaction.execute("CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY, login TEXT)")
        try transaction.execute("DROP TABLE \(table)")
        try transaction.execute("ALTER TABLE other RENAME TO \(table)")
      }
      try await context.save(RatedAccount(id: 1, login: "a", stars: 1, color: "red"))
      do {
        let found = try await changes(of: RatedAccount.self, after: last, in: context)
        throw Violation(description: "\(found) without the deletions")
      } catch let error as StoreError {
        try expect([.changesExpired, .invalidStatement].contains(error.code), "\(error)")
      }
      let now = try await context.recordChanges(of: RatedAccount.self)
      try await context.delete(RatedAccount.self, where: .all)
      try expect(
        try await changes(of: RatedAccount.self, after: now, in: context).map(\.kind),
        is: [.deleted(RatedAccount(id: 1, login: "a", stars: 1, color: "red"))])
    },
    Case("the feed has columns that SQL has added", needs: [.sharing]) { location in
      let old = try await Store(location)
      try await old.context.save([PlainAccount(id: 1, login: "a"), PlainAccount(id: 2, login: "b")])
      // The recording starts before the column is added, or after it.
      let first = try await old.context.recordChanges(of: PlainAccount.self)
      for stopsBefore in [false, true] {
        let column = stopsBefore ? "color" : "stars"
        let start = stopsBefore ? try await old.context.recordChanges(of: PlainAccount.self) : first
        try await old.context.perform { transaction in
          let type: StoreStatement = stopsBefore ? "TEXT" : "BIGINT NOT NULL DEFAULT 0"
          try transaction.execute(
            "ALTER TABLE \(identifier: "Account") ADD COLUMN \(identifier: column) \(type)")
        }
        if stopsBefore { try await old.context.stopRecordingChanges(of: PlainAccount.self) }
        let new = try await Store(location)
        let again = try await new.context.recordChanges(of: RatedAccount.self)
        try await new.context.perform { transaction in
          let value: StoreStatement = stopsBefore ? "'red'" : "7"
          try transaction.execute(
            "UPDATE \(identifier: "Account") SET \(identifier: column) = \(value) WHERE id = 1")
        }
        let found = try await changes(of: RatedAccount.self, after: stopsBefore ? again : start, in: new.context)
        var (from, to) = (RatedAccount(id: 1, login: "a", stars: 0), RatedAccount(id: 1, login: "a", stars: 7))
        if stopsBefore { (from, to) = (to, RatedAccount(id: 1, login: "a", stars: 7, color: "red")) }
        try expect(found.map(\.kind), is: [.updated(from: from, to: to)])
        await new.close()
      }
      await old.close()
    },
    Case("readers receive earlier changes and wait for later ones", needs: [.observation]) { location in
      let store = try await Store(location)
      let context = store.context
      let start = try await context.recordChanges(of: User.self)
      try await context.save((0..<1_200).map { user($0, "u") })
      var reader = context.changes(of: User.self, after: start).makeAsyncIterator()
      for id in 0..<1_200 { try expect(try await reader.next()?.kind, is: .inserted(user(id, "u"))) }
      try await context.save(Note(text: "n"))
      try await context.save(user(7, "v"))
      let change = try await reader.next()
      try expect(change?.kind, is: .updated(from: user(7, "u"), to: user(7, "v")))
      try await context.delete(user(7, "v"))
      try expect(try await reader.next()?.kind, is: .deleted(user(7, "v")))
      var resumed = context.changes(of: User.self, after: change?.position ?? start).makeAsyncIterator()
      try expect(try await resumed.next()?.kind, is: .deleted(user(7, "v")))
      await store.close()
      try expect(try await reader.next() == nil, "changes continue after the store was closed")
    },
    Case("readers receive the changes of other stores", needs: [.sharing, .observation]) { location in
      let (mine, theirs) = (try await Store(location), try await Store(location))
      let start = try await mine.context.recordChanges(of: User.self)
      var reader = mine.context.changes(of: User.self, after: start).makeAsyncIterator()
      for number in 0..<3 {
        try await theirs.context.save(user(number, "theirs"))
        try expect(try await reader.next()?.kind, is: .inserted(user(number, "theirs")))
      }
    },
    Case("changes are removed after their retention time, and a reader that needs them receives an error") { location in
      let context = try await Store(location).context
      let start = try await context.recordChanges(of: User.self, keepingFor: .seconds(3_600))
      func save(_ login: String) async throws { try await context.save((0..<1_000).map { user($0, login) }) }
      try await save("a")
      let middle = try await context.recordChanges(of: User.self, keepingFor: .seconds(3_600))
      try await save("b")
      try expect(try await changes(of: User.self, after: start, in: context).count, is: 2_000)
      try await context.perform { transaction in
        try transaction.execute("UPDATE anvil_changes SET made = made - 7200 WHERE kind = 'insert'")
      }
      try await save("c")
      // Changes may be kept for longer, but there are no gaps.
      do {
        try expect(try await changes(of: User.self, after: start, in: context).count, is: 3_000)
      } catch let error as StoreError {
        try expect(error.code, is: .changesExpired)
      }
      try expect(try await changes(of: User.self, after: middle, in: context).count, is: 2_000)
    },
    Case("reading a feed that is not recorded or no longer recorded is an error") { location in
      let context = try await Store(location).context
      try await context.save(user(1, "a"))
      let start = try await context.recordChanges(of: User.self)
      try await expectError(.invalidStatement, naming: "Note") {
        _ = try await changes(of: Note.self, after: start, in: context)
      }
      try await expectError(.invalidValue, naming: "nonsense") {
        _ = try await changes(of: User.self, after: StorePosition(rawValue: "nonsense"), in: context)
      }
      try await context.stopRecordingChanges(of: User.self)
      try await context.save(user(2, "b"))
      try await expectError(.invalidStatement, naming: "User") {
        _ = try await changes(of: User.self, after: start, in: context)
      }
      let again = try await context.recordChanges(of: User.self)
      try await context.save(user(3, "c"))
      try expect(try await changes(of: User.self, after: again, in: context).map(\.kind), is: [.inserted(user(3, "c"))])
      try await expectError(.changesExpired, naming: "User") {
        _ = try await changes(of: User.self, after: start, in: context)
      }
    },
    Case("recording continues after a migration, and earlier changes are reported as expired", needs: [.sharing]) {
      location in
      let old = try await Store(location)
      let start = try await old.context.recordChanges(of: PlainAccount.self)
      try await old.context.save(RatedAccount(id: 1, login: "a", stars: 1, color: "red"))
      await old.close()
      let migrations: [StoreMigration] = NamedAccount.migrations + [.drop("color", in: "Account")]
      let context = try await Store(location, migrations: migrations).context
      try await expectError(.changesExpired, naming: "Account") {
        _ = try await changes(of: NamedAccount.self, after: start, in: context)
      }
      let now = try await context.recordChanges(of: NamedAccount.self)
      try await context.save(NamedAccount(id: 1, name: "b"))
      try expect(
        try await changes(of: NamedAccount.self, after: now, in: context).map(\.kind),
        is: [.updated(from: NamedAccount(id: 1, name: "a"), to: NamedAccount(id: 1, name: "b"))])
    },
    Case(
      "with many writers, a reader that restarts repeatedly receives every change once and in order",
      needs: [.observation]
    ) {
      location in
      let store = try await Store(location)
      let context = store.context
      // A row that does not exist cannot be locked: two writers that both insert it would lose a step.
      let first = (0..<5).map { user($0, "first", age: 0) }
      try await context.save(first)
      let start = try await context.recordChanges(of: User.self)
      let writers = Task {
        try await withThrowingTaskGroup { group in
          for writer in 0..<4 {
            group.addTask {
              for step in 0..<25 {
                try await context.perform { transaction in
                  let id = (step * 3 + writer) % 5
                  let age = try transaction.fetch(User.self, key: id)?.age ?? 0
                  try transaction.save(user(id, "w\(writer)", age: age + 1))
                  try transaction.save(user(100 + writer * 100 + step, "own"))
                }
              }
            }
          }
          try await group.waitForAll()
        }
      }
      var rows = Dictionary(uniqueKeysWithValues: first.map { ($0.id, $0) })
      var (position, count) = (start, 0)
      while count < 200 {
        let limit = Int.random(in: 1...17)
        for try await change in context.changes(of: User.self, after: position).prefix(limit) {
          switch change.kind {
          case .inserted(let user):
            try expect(rows.updateValue(user, forKey: user.id), is: nil)
          case .updated(let old, let new):
            try expect(rows.updateValue(new, forKey: new.id), is: old)
          case .deleted(let user): throw Violation(description: "\(user) was deleted")
          }
          (position, count) = (change.position, count + 1)
          if count == 200 { break }
        }
      }
      try await writers.value
      try expect(try await changes(of: User.self, after: position, in: context), is: [])
      try expect(rows.values.sorted { $0.id < $1.id }, is: try await context.fetch(User.self))
      try expect((0..<5).compactMap { rows[$0]?.age }.reduce(0, +), is: 100)
    },
    Case("a reader that stores its position with its work processes each change once") { location in
      let context = try await Store(location).context
      let start = try await context.recordChanges(of: User.self)
      try await context.save((0..<50).map { user($0, "u") })
      var attempts = 0
      while attempts < 40 {
        attempts += 1
        let isLost = attempts.isMultiple(of: 3)
        try? await context.perform { transaction in
          let last = try transaction.fetch(Progress.self, key: "r")
          let changes = try transaction.changes(
            of: User.self, after: last.map { StorePosition(rawValue: $0.position) } ?? start, limit: 4)
          guard let position = changes.last?.position.rawValue else { return }
          try transaction.save(
            Progress(reader: "r", position: position, count: (last?.count ?? 0) + changes.count))
          if isLost { throw CancellationError() }
        }
      }
      try expect(try await context.fetch(Progress.self).map(\.count), is: [50])
    },
  ]
}
