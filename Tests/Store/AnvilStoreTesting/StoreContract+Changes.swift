internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  /// A model whose `createOrUpdate` returns an existing row unchanged.
  struct Own: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String

    static func createOrUpdate(in context: StoreTransaction, from decoder: any Decoder) throws -> Own {
      let own = try decoder.singleValueContainer().decode(Own.self)
      if let known = try context.fetch(Own.self, key: own.id) { return known }
      try context.save(own)
      return own
    }
  }

  static let changeCases: [Case] = [
    Case("a list reports inserted, updated and unchanged rows") { location in
      let context = try await Store(location).context
      let first = try await context.decode(
        [User].self, #"[{"id": 1, "login": "a"}, {"id": 2, "login": "b"}, {"id": 3, "login": "c", "tags": ["x"]}]"#)
      try expect(first.changes, is: .init(inserted: 3))
      let second = try await context.decode(
        [User].self,
        #"[{"id": 3, "login": "c", "tags": ["x"]}, {"id": 2, "login": "B"}, {"id": 1}, {"id": 4, "login": "d"}]"#)
      try expect(second.changes, is: .init(inserted: 1, updated: 1, unchanged: 2))
      try expect(second.models.map(\.login), is: ["c", "B", "a", "d"])
    },
    Case("a later payload updates an earlier one with the same key") { location in
      let context = try await Store(location).context
      let input = #"[{"id": 1, "login": "a", "age": 5}, {"id": 2, "login": "b"}, {"id": 1, "login": "c"}]"#
      let list = try await context.decode([User].self, input)
      try expect(list.changes, is: .init(inserted: 2))
      try expect(list.models.map(\.login), is: ["c", "b", "c"])
      try expect(try await context.fetch(User.self, key: 1), is: User(id: 1, login: "c", age: 5))
      // The final values are equal to the stored ones.
      try expect(try await context.decode([User].self, input).changes, is: .init(unchanged: 2))
      let far = (0..<1_000).map { #"{"id": \#($0 % 500), "login": "\#($0)"}"# }.joined(separator: ",")
      try expect(try await context.decode([User].self, "[\(far)]").changes, is: .init(inserted: 498, updated: 2))
      try expect(try await context.fetch(User.self, key: 499)?.login, is: "999")
    },
    Case("of saved models with the same key, the last one is stored") { location in
      let context = try await Store(location).context
      let models = [
        User(id: 2, login: "a"), User(id: 1, login: "b"), User(id: 2, login: "c"), User(id: 3, login: "d", tags: ["x"]),
        User(id: 1, login: "e"),
      ]
      try expect(try await context.save(models), is: .init(inserted: 3))
      try expect(try await context.fetch(User.self).map(\.login), is: ["e", "c", "d"])
      try expect(try await context.save(models), is: .init(unchanged: 3))
      // A saved model is complete, so a nil attribute clears the stored value.
      try expect(try await context.save(User(id: 3, login: "d")), is: .init(updated: 1))
      try expect(try await context.fetch(User.self, key: 3), is: User(id: 3, login: "d"))
    },
    Case("an attribute that is nil in the first model of a store clears the stored value", needs: [.sharing]) {
      location in
      try await Store(location).context.save(User(id: 1, login: "a", tags: ["x"]))
      try await Store(location).context.save(Genre(1, "g", parent: 2))
      let context = try await Store(location).context
      try expect(try await context.save(User(id: 1, login: "a")), is: .init(updated: 1))
      try expect(try await context.fetch(User.self), is: [User(id: 1, login: "a")])
      try expect(try await context.save(Genre(1, "g")), is: .init(updated: 1))
      try expect(try await context.fetch(Genre.self), is: [Genre(1, "g")])
    },
    Case("the changes of single models in a transaction are counted, with unchanged rows") { location in
      let context = try await Store(location).context
      try await context.save([User(id: 1, login: "a"), User(id: 2, login: "b")])
      var changes = context.changes(of: User.self).makeAsyncIterator()
      try await context.perform { transaction in
        try transaction.save(User(id: 1, login: "a"))
        try transaction.save(User(id: 2, login: "c"))
        try transaction.save(User(id: 3, login: "d"))
      }
      try expect(await changes.next(), is: .init(inserted: 1, updated: 1, unchanged: 1))
    },
    Case("rows missing from a list are kept, or deleted within a scope") { location in
      let context = try await Store(location).context
      try await context.save((1...6).map { User(id: $0, login: $0 % 2 == 0 ? "even" : "odd") })
      func ids() async throws -> [Int] { try await context.fetch(User.self).map(\.id) }
      let input = #"[{"id": 2}, {"id": 8, "login": "even"}]"#
      try expect(try await context.decode([User].self, input).changes, is: .init(inserted: 1, unchanged: 1))
      try expect(try await ids(), is: [1, 2, 3, 4, 5, 6, 8])
      let scoped = try await context.decode(
        [User].self, input, missing: .deleted(User.self, where: User.Columns.login == "even"))
      try expect(scoped.changes, is: .init(unchanged: 2, deleted: 2))
      try expect(try await ids(), is: [1, 2, 3, 5, 8])
      try expect(
        try await context.decode([User].self, input, missing: .deleted).changes, is: .init(unchanged: 2, deleted: 3))
      try expect(try await ids(), is: [2, 8])
      try expect(try await context.decode([User].self, "[]", missing: .deleted).changes, is: .init(deleted: 2))
    },
    Case("rows of models with custom creation are counted and are not missing") { location in
      let context = try await Store(location).context
      try await context.save([Own(id: 1, text: "kept"), Own(id: 9, text: "gone")])
      let list = try await context.decode(
        [Own].self, #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#, missing: .deleted)
      try expect(list.changes, is: .init(inserted: 1, deleted: 1))
      try expect(
        try await context.fetch(Own.self), is: [Own(id: 1, text: "kept"), Own(id: 2, text: "b")])
    },
    Case("a list that fails stores nothing and reports the failed element") { location in
      let context = try await Store(location).context
      try await context.save(User(id: 1, login: "a"))
      let inputs = (0..<700).map { #"{"id": \#($0), "login": \#($0 == 600 ? "5" : "\"x\"")}"# }
      do {
        _ = try await context.decode([User].self, "[\(inputs.joined(separator: ","))]", missing: .deleted)
        throw Violation(description: "no error was thrown")
      } catch let DecodingError.typeMismatch(_, context) {
        try expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }, is: ["600", "login"])
      }
      try expect(try await context.fetch(User.self), is: [User(id: 1, login: "a")])
    },
    Case("observers receive the changes of each transaction after its commit") { location in
      let store = try await Store(location)
      let context = store.context
      var users = context.changes(of: User.self).makeAsyncIterator()
      var notes = context.changes(of: Note.self).makeAsyncIterator()
      try await context.save(User(id: 1, login: "a"))
      try await context.save(User(id: 1, login: "a"))
      try? await context.perform { context in
        try context.save(User(id: 2, login: "b"))
        throw CancellationError()
      }
      try await context.perform { context in
        try context.save([User(id: 1, login: "c"), User(id: 3, login: "d")])
        try context.save(Note(text: "n"))
        try context.delete(User(id: 3, login: "d"))
      }
      try expect(await users.next(), is: .init(inserted: 1))
      try expect(await users.next(), is: .init(inserted: 1, updated: 1, deleted: 1))
      try expect(await notes.next(), is: .init(inserted: 1))
      try await context.delete(User.self, where: User.Columns.login == "c")
      try await context.save(User(id: 4, login: "e"))
      try expect(await users.next(), is: .init(deleted: 1))
      try expect(await users.next(), is: .init(inserted: 1))
      await store.close()
      try expect(await users.next(), is: nil)
      var late = context.changes(of: User.self).makeAsyncIterator()
      try expect(await late.next(), is: nil)
    },
  ]
}
