internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  private struct Refusal: Error {}

  static let transactionCases: [Case] = [
    Case("a transaction that throws is rolled back") { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      do {
        try await context.perform { context in
          try context.save(User(id: 1, login: "b"))
          try context.save(User(id: 2, login: "c"))
          try context.save(Note(text: "in a new table"))
          throw Refusal()
        }
        throw Violation(description: "no error was thrown")
      } catch is Refusal {}
      try expect(try await context.fetch(User.self), is: [User(id: 1, login: "a")])
      try expect(try await context.fetch(Note.self), is: [])
      try await context.save(Note(text: "made anew"))
      try expect(try await context.count(Note.self), is: 1)
    },
    Case("a nested transaction with new columns is undone after rows with other models") { location in
      struct Team: Codable, Sendable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
        var name: String
      }
      struct Owner: Codable, Sendable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
        var id: Int
        var team: Team?
        var other: Team?
      }
      struct Undo: Error {}
      let store = try await Store(location)
      let owners = try await store.perform { transaction in
        do {
          try transaction.perform { nested in
            try nested.save(Owner(id: 1, team: Team(name: "a")))
            try nested.save(Owner(id: 2, other: Team(name: "b")))
            throw Undo()
          }
        } catch is Undo {}
        try transaction.save(Owner(id: 3))
        return try transaction.fetch(Owner.self).map(\.id)
      }
      try expect(owners, is: [3])
    },
    Case("a nested transaction is rolled back without the enclosing one") { location in
      let context = try await Store(location).context
      try await context.perform { context in
        try context.save(User(id: 1, login: "a"))
        do {
          try context.perform { context in
            try context.save(User(id: 1, login: "b"))
            try context.perform { try $0.save(Note(text: "deep")) }
            throw Refusal()
          }
        } catch is Refusal {}
        try context.perform { try $0.save(User(id: 2, login: "c")) }
        try expect(try context.fetch(User.self).map(\.login), is: ["a", "c"])
      }
      try expect(try await context.fetch(User.self).map(\.login), is: ["a", "c"])
      try expect(try await context.count(Note.self), is: 0)
    },
    Case("a caught statement error fails only the innermost transaction") { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      // The value does not fit its table, so that a statement fails.
      func fail(_ transaction: StoreTransaction) throws { try transaction.save(Unfit.value(id: 1)) }
      try await expectError(.schemaMismatch) {
        try await context.perform { context in
          try context.save(User(id: 2, login: "b"))
          try fail(context)
        }
      }
      try expect(try await context.count(User.self), is: 1)
      try await context.perform { context in
        try context.save(User(id: 3, login: "c"))
        do { try context.perform { try fail($0) } } catch is StoreError {}
      }
      try expect(try await context.fetch(User.self).map(\.id), is: [1, 3])
    },
    Case("writes are visible within the transaction, and to others after its commit") { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      let inside = try await context.perform { context in
        try User.createOrUpdate(in: context, from: decoder(#"{"id": 1, "login": "b"}"#))
        let list = try context.createOrUpdate([User].self, from: decoder(#"[{"id": 2, "login": "c"}]"#))
        try expect(list.changes, is: .init(inserted: 1))
        return try context.fetch(User.self).map(\.login)
      }
      try expect(inside, is: ["b", "c"])
      try expect(try await context.fetch(User.self).map(\.login), is: ["b", "c"])
    },
    Case("a read transaction sees a single snapshot", needs: [.sharing]) { location in
      let context = try await Store(location).context
      let other = try await Store(location)
      try await context.save(User(id: 1, login: "a"))
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let (written, write) = AsyncStream.makeStream(of: Void.self)
      let gate = Gate()
      async let counts = context.read { context in
        let before = try context.count(User.self)
        start.finish()
        gate.wait()
        return [before, try context.count(User.self)]
      }
      for await _ in started {}
      try await other.context.save(User(id: 2, login: "b"))
      write.finish()
      for await _ in written {}
      gate.open()
      try expect(try await counts, is: [1, 1])
      try expect(try await context.count(User.self), is: 2)
      await other.close()
    },
    Case("a task that is cancelled before the commit stores nothing") { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      let gate = Gate()
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        try await context.perform { context in
          try context.save(User(id: 2, login: "b"))
          start.finish()
          gate.wait()
          // Nothing can be interrupted between statements, so the next statement checks for cancellation.
          try context.save(User(id: 3, login: "c"))
        }
      }
      for await _ in started {}
      task.cancel()
      gate.open()
      do {
        try await task.value
        throw Violation(description: "a cancelled task committed")
      } catch is CancellationError {}
      try expect(try await context.fetch(User.self).map(\.id), is: [1])
      try await context.save(User(id: 4, login: "d"))
      try expect(try await context.count(User.self), is: 2)
    },
    Case("a cancelled task stops waiting for its transaction") { location in
      let context = try await Store(location).context
      let gate = Gate()
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      // The maximum number of tasks that can write at the same time.
      let holderCount = location.backend.writerCount
      let holders = (0..<holderCount).map { _ in
        Task {
          try await context.perform { _ in
            start.yield()
            gate.wait()
          }
        }
      }
      var startedCount = 0
      for await _ in started {
        startedCount += 1
        if startedCount == holderCount { break }
      }
      let waiting = Task { try await context.perform { _ in } }
      waiting.cancel()
      do {
        try await waiting.value
        throw Violation(description: "a cancelled task ran its transaction")
      } catch is CancellationError {}
      gate.open()
      for holder in holders { try await holder.value }
      try await context.save(User(id: 1, login: "a"))
    },
    Case("a closed store rejects later calls") { location in
      let store = try await Store(location)
      try await store.context.save(User(id: 1, login: "a"))
      async let running: Void = store.context.perform { try $0.save(User(id: 2, login: "b")) }
      try await running
      await store.close()
      try await expectError(.closed) { try await store.context.save(User(id: 3, login: "c")) }
      try await expectError(.closed) { _ = try await store.context.count(User.self) }
      await store.close()
    },
    Case("stored rows exist after the database is opened again", needs: [.sharing]) { location in
      let first = try await Store(location)
      try await first.context.save([User(id: 1, login: "a", age: 3), User(id: 2, login: "b", tags: ["t"])])
      await first.close()
      let second = try await Store(location)
      try expect(
        try await second.context.fetch(User.self),
        is: [User(id: 1, login: "a", age: 3), User(id: 2, login: "b", tags: ["t"])])
      try expect(try await second.context.decode(User.self, #"{"id": 1}"#).age, is: 3)
      await second.close()
    },
  ]

  /// A model with the entity name `User` that has other attributes than the model `User`.
  struct Unfit: Codable, Sendable, ManagedDecodable {
    static let entityName = "User"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var login: Double

    static func value(id: Int) -> Unfit { Unfit(id: id, login: 0.5) }
  }
}
