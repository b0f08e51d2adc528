internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  private static let listing = StoreListing("users")
  private static let even = MissingRows.deleted(User.self, where: User.Columns.login == "even")

  private static func page(_ ids: some Sequence<Int>) -> String {
    "[\(ids.map { #"{"id": \#($0), "login": "\#($0 % 2 == 0 ? "even" : "odd")"}"# }.joined(separator: ","))]"
  }

  private static func list(_ ids: some Sequence<Int>, in context: Store) async throws -> StoreChanges.Counts {
    let json = page(ids)
    return try await context.perform { transaction in
      try transaction.createOrUpdate([User].self, from: decoder(json), in: listing).changes
    }
  }

  static let listingCases: [Case] = [
    Case("rows missing from all pages of a listing are deleted at its end, within its scope") { location in
      let context = try await Store(location).context
      try await context.save((0..<2_000).map { User(id: $0, login: $0 % 2 == 0 ? "even" : "odd") })
      try await context.perform { try $0.begin(listing, of: User.self) }
      try expect(try await list(0..<300, in: context), is: .init(unchanged: 300))
      try expect(try await list(200..<1_000, in: context), is: .init(unchanged: 800))
      try expect(try await list([2_000], in: context), is: .init(inserted: 1))
      try expect(try await context.count(User.self), is: 2_001)
      var changes = context.changes(of: User.self).makeAsyncIterator()
      let deleted = try await context.perform { try $0.end(listing, of: User.self, missing: even) }
      try expect(deleted, is: 500)
      try expect(await changes.next(), is: .init(deleted: 500))
      try expect(try await context.count(User.self), is: 1_501)
      try expect(try await context.count(User.self, where: User.Columns.login == "even"), is: 501)
    },
    Case("a listing continues after the store was closed, and forgets earlier rows when it is restarted") { location in
      let context = try await Store(location).context
      try await context.save((0..<9).map { User(id: $0, login: "u") })
      try await context.perform { try $0.begin(listing, of: User.self) }
      _ = try await list([1], in: context)
      try await context.perform { try $0.begin(listing, of: User.self) }
      _ = try await list([2], in: context)
      // A page that is rolled back is not recorded.
      try? await context.perform { transaction in
        try transaction.createOrUpdate([User].self, from: decoder(page([3])), in: listing)
        throw CancellationError()
      }
      // Another listing of the same entity is independent.
      let other = StoreListing("others")
      try await context.perform { try $0.begin(other, of: User.self) }
      _ = try await list([4], in: context)
      try expect(try await context.perform { try $0.end(listing, of: User.self) }, is: 7)
      try expect(try await context.fetch(User.self).map(\.id), is: [2, 4])
      try expect(try await context.perform { try $0.end(other, of: User.self, missing: .kept) }, is: 0)
    },
    Case("another store can continue an open listing", needs: [.sharing]) { location in
      let first = try await Store(location)
      try await first.context.save((0..<9).map { User(id: $0, login: "u") })
      try await first.context.perform { try $0.begin(listing, of: User.self) }
      _ = try await list([1], in: first.context)
      await first.close()
      let context = try await Store(location).context
      _ = try await list([2], in: context)
      try await context.perform { try $0.end(listing, of: User.self) }
      try expect(try await context.fetch(User.self).map(\.id), is: [1, 2])
    },
    Case("listings support rows with several match keys") { location in
      let context = try await Store(location).context
      let places = (1...6).map { Place(country: $0 < 4 ? "a" : "b", number: $0) }
      try await context.save(places)
      try await context.perform { transaction in
        try transaction.begin(listing, of: Place.self)
        let json = #"[{"country": "a", "number": 1}, {"country": "b", "number": 5, "name": "x"}]"#
        let changes = try transaction.createOrUpdate([Place].self, from: decoder(json), in: listing).changes
        try expect(changes, is: .init(updated: 1, unchanged: 1))
        try expect(try transaction.end(listing, of: Place.self), is: 4)
      }
      try expect(try await context.fetch(Place.self).map(\.number), is: [1, 5])
    },
    Case("a listing that was not started, or whose rows have no match keys, is an error") { location in
      let context = try await Store(location).context
      try await expectError(.invalidStatement, naming: "users", "User") { _ = try await list([1], in: context) }
      try await expectError(.invalidStatement, naming: "users") {
        _ = try await context.perform { try $0.end(listing, of: User.self) }
      }
      try await expectError(.invalidStatement, naming: "Note") {
        try await context.perform { try $0.begin(listing, of: Note.self) }
      }
      try await context.perform { try $0.begin(listing, of: User.self) }
      try await context.perform { try $0.end(listing, of: User.self) }
      try await expectError(.invalidStatement, naming: "users") { _ = try await list([1], in: context) }
      try expect(try await context.count(User.self), is: 0)
    },
    Case("a row that the end of a listing deleted can be stored again in the same transaction") { location in
      let context = try await Store(location).context
      try await context.perform { transaction in
        _ = try transaction.createOrUpdate([User].self, from: decoder(page([1])))
        try transaction.begin(listing, of: User.self)
        _ = try transaction.createOrUpdate([User].self, from: decoder(page([2])), in: listing)
        try expect(try transaction.end(listing, of: User.self), is: 1)
        let changes = try transaction.createOrUpdate([User].self, from: decoder(page([1, 2]))).changes
        try expect(changes, is: .init(inserted: 1, unchanged: 1))
      }
      try expect(try await context.count(User.self), is: 2)
    },
    Case("an empty list of an entity without rows deletes none") { location in
      let context = try await Store(location).context
      try expect(try await context.decode([User].self, "[]", missing: .deleted).changes, is: .init())
      try await context.perform { try $0.begin(listing, of: User.self) }
      try expect(try await context.perform { try $0.end(listing, of: User.self) }, is: 0)
    },
  ]
}
