internal import AnvilStore

extension StoreContract {
  static let observationCases: [Case] = [
    Case("observed values are the current ones, and then those after each relevant change", needs: [.observation]) {
      location in
      let store = try await Store(location)
      let context = store.context
      try await context.save([User(id: 1, login: "a", age: 20), User(id: 2, login: "b", age: 5)])
      var adults = context.values(
        of: User.self, where: User.Columns.age >= 18, orderedBy: [.descending(User.Columns.age)], limit: 2
      ).makeAsyncIterator()
      try expect(try await adults.next()?.map(\.id), is: [1])
      try await context.save(Note(text: "n"))
      try await context.save(User(id: 3, login: "c", age: 30))
      try expect(try await adults.next()?.map(\.id), is: [3, 1])
      try await context.delete(User.self, where: User.Columns.id == 3)
      try expect(try await adults.next()?.map(\.id), is: [1])
      // Changes that were rolled back are not observed.
      try? await context.perform { transaction in
        try transaction.save(User(id: 4, login: "d", age: 40))
        throw CancellationError()
      }
      try await context.save(User(id: 5, login: "e", age: 50))
      try expect(try await adults.next()?.map(\.id), is: [5, 1])
      await store.close()
      try expect(try await adults.next() == nil, "values continue after the store was closed")
    },
    Case("changes of other entities deliver no values", needs: [.observation]) { location in
      let store = try await Store(location)
      let context = store.context
      let (counts, note) = AsyncStream.makeStream(of: Int.self)
      let observing = Task {
        for try await users in context.values(of: User.self) { note.yield(users.count) }
      }
      var observed = counts.makeAsyncIterator()
      try expect(await observed.next(), is: 0)
      for number in 1...5 { try await context.save(Note(text: "\(number)")) }
      try await context.save(User(id: 1, login: "a"))
      try expect(await observed.next(), is: 1)
      await store.close()
      try await observing.value
    },
    Case("several quick changes may be delivered as one element", needs: [.observation]) { location in
      let context = try await Store(location).context
      var users = context.values(of: User.self).makeAsyncIterator()
      try expect(try await users.next(), is: [])
      for id in 1...20 { try await context.save(User(id: id, login: "u")) }
      try expect(try await users.next()?.count, is: 20)
      try await context.delete(User.self, where: .all)
      try expect(try await users.next(), is: [])
    },
    Case("observed values include changes of referenced rows", needs: [.observation]) { location in
      let context = try await Store(location).context
      let player = Player(id: 1, team: Team(name: "red", motto: "a"), homes: [])
      try await context.save(player)
      var players = context.values(of: Player.self).makeAsyncIterator()
      try expect(try await players.next()?.first?.team.motto, is: "a")
      try await context.save(Team(name: "red", motto: "b"))
      try expect(try await players.next()?.first?.team.motto, is: "b")
    },
    Case("values can be observed with conditions on key paths", needs: [.observation]) { location in
      let context = try await Store(location).context
      var entries = context.values(of: Entry.self, where: \.count > 1).makeAsyncIterator()
      try expect(try await entries.next(), is: [])
      try await context.save([Entry(text: "a", count: 1), Entry(text: "b", count: 2)])
      try expect(try await entries.next(), is: [Entry(text: "b", count: 2)])
    },
    Case("a cancelled task stops waiting for values", needs: [.observation]) { location in
      let context = try await Store(location).context
      let task = Task {
        var count = 0
        for try await _ in context.values(of: User.self) { count += 1 }
        return count
      }
      try await context.save(User(id: 1, login: "a"))
      task.cancel()
      // The task was cancelled before, during or after its read.
      let count = try? await task.value
      try expect(count ?? 0 <= 3, "\(String(describing: count)) values were delivered for one change")
    },
    Case("the first element does not wait for a running transaction", needs: [.sharing, .observation]) { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      let start = try await context.recordChanges(of: User.self)
      try await context.save(User(id: 1, login: "b"))
      let gate = Gate()
      let (started, markStart) = AsyncStream.makeStream(of: Void.self)
      let writer = Task {
        try await context.perform { context in
          try context.save(User(id: 2, login: "c"))
          markStart.finish()
          gate.wait()
        }
      }
      for await _ in started {}
      var users = context.values(of: User.self).makeAsyncIterator()
      try expect(try await users.next()?.map(\.login), is: ["b"])
      var reader = context.changes(of: User.self, after: start).makeAsyncIterator()
      try expect(
        try await reader.next()?.kind, is: .updated(from: User(id: 1, login: "a"), to: User(id: 1, login: "b")))
      gate.open()
      try await writer.value
      var logins: [String]? = []
      while logins != ["b", "c"] { logins = try await users.next()?.map(\.login) }
      try expect(try await reader.next()?.kind, is: .inserted(User(id: 2, login: "c")))
      // Changes by another store are detected although the writer was busy when the observation began.
      let other = try await Store(location)
      try await other.context.save(User(id: 3, login: "d"))
      while logins?.count != 3 { logins = try await users.next()?.map(\.login) }
      await other.close()
    },
    Case("observed values include the commits of another store", needs: [.sharing, .observation]) { location in
      let (mine, theirs) = (try await Store(location), try await Store(location))
      try await theirs.context.save(User(id: 1, login: "a"))
      var users = mine.context.values(of: User.self).makeAsyncIterator()
      try expect(try await users.next()?.map(\.login), is: ["a"])
      try await theirs.context.save(User(id: 1, login: "b"))
      try expect(try await users.next()?.map(\.login), is: ["b"])
      try await theirs.context.delete(User(id: 1, login: "b"))
      try expect(try await users.next()?.map(\.login), is: [])
      // Both changes are made at once: the last element contains both.
      try await mine.context.save(User(id: 2, login: "mine"))
      try await theirs.context.save(User(id: 3, login: "theirs"))
      var ids: [Int]? = []
      while ids != [2, 3] { ids = try await users.next()?.map(\.id) }
    },
  ]
}
