internal import AnvilBase
internal import AnvilCodable
internal import AnvilStore

/// A model that refers to models of the same type.
@StoredModel
struct Genre: Equatable, Identifiable {
  @MatchKey var id: Int
  var name: String
  @Column("parent_id") var parent: Reference<Genre>?
  var related: [Reference<Genre>]

  init(_ id: Int, _ name: String, parent: Int? = nil, related: [Int] = []) {
    (self.id, self.name, self.parent) = (id, name, parent.map { Reference(id: $0) })
    self.related = related.map { Reference(id: $0) }
  }
}

/// A model whose references have the key names of an API.
@JSONCodable @StoredModel @CodableNaming(.snakeCase)
struct StockItem: Equatable, Identifiable {
  @MatchKey var id: Int
  var genreID: Reference<Genre>?
  @CodableDefault([]) var relatedItems: [Reference<StockItem>]
}

/// A model with the names of the columns that SQLite's function for the elements of an array returns.
@StoredModel
struct Crumb: Equatable, Identifiable {
  @MatchKey var id: Int
  var path: [Reference<Genre>]
  var value: [Reference<Genre>]

  init(_ id: Int, _ path: [Int]) {
    self.id = id
    self.path = path.map { Reference(id: $0) }
    value = self.path
  }
}

@StoredModel
private struct Coin: Equatable, Identifiable {
  @MatchKey var id: Decimal
  var name: String
}

@StoredModel
private struct Eve: Equatable, Identifiable {
  @MatchKey var id: Date
  var name: String
}

@StoredModel
private struct Purse: Equatable, Identifiable {
  @MatchKey var id: Int
  var coins: [Reference<Coin>]
  var eves: [Reference<Eve>]
}

extension StoreContract {
  /// A model that is stored with `Codable` and has references with other types of ids.
  struct Book: Codable, Sendable, Equatable, Identifiable, ReferencedModel {
    static let matchKey = MatchKey.key(CodingKeys.id, attribute: "isbn")
    var id: String
    var genre: Reference<Genre>?
    var sequel: Reference<Book>?
    var reviews: [Reference<Review>]?

    enum CodingKeys: String, CodingKey {
      case id, sequel, reviews
      case genre = "genre_id"
    }
  }

  struct Review: Codable, Sendable, Equatable, Identifiable, ReferencedModel {
    static let matchKey = MatchKey.key(CodingKeys.id)
    var id: UUID
    var books: [Reference<Book>]
  }

  private static func books(_ condition: StoreCondition<Book>, in context: Store) async throws -> [String] {
    try await context.fetch(Book.self, where: condition).map(\.id)
  }

  static let referenceByIDCases: [Case] = [
    Case(
      "a column of references has an index, which migrations keep or drop with the column", needs: [.sharing]
    ) { location in
      func indices(_ store: Store) async throws -> [Substring] {
        let dump = try await store.context.schemaDump()
        return dump.split(separator: "\n").filter {
          $0.contains("INDEX") && $0.contains("Genre") && $0.contains("parent")
        }
      }
      let store = try await Store(location)
      try await store.context.save(Genre(1, "root"))
      try expect(try await indices(store).count, is: 0)
      try await store.context.save(Genre(2, "leaf", parent: 1, related: [1]))
      try expect(try await indices(store).count, is: 1)
      let rename = StoreMigration.rename("parent_id", to: "parent", in: "Genre")
      let renamed = try await Store(location, migrations: [rename])
      try expect(try await indices(renamed).count, is: 1)
      let dropped = try await Store(location, migrations: [rename, .drop("parent", in: "Genre")])
      try expect(try await indices(dropped).count, is: 0)
    },
    Case("references are found by decimals of any length and by dates of any year") { location in
      let store = try await Store(location)
      let coins = try ["12345678901234567.25", "12345678901234567.26", "0.00001", "1e30", "-1.5", "7"].map { text in
        guard let id = Decimal(string: text) else { throw Violation(description: text) }
        return Coin(id: id, name: text)
      }
      // The year 0 has no number in some calendars.
      let seconds = [-63_114_076_800.0, -63_114_249_600.25, -63_140_000_000, 0, 800_000_000.25, 80_000_000_000]
      let eves = seconds.map { Eve(id: Date(timeIntervalSinceReferenceDate: $0), name: "\($0)") }
      try await store.save(coins)
      try await store.save(eves)
      let purses = zip(coins, eves).enumerated().map { index, ids in
        Purse(id: index, coins: [Reference(id: ids.0.id)], eves: [Reference(id: ids.1.id)])
      }
      try await store.save(purses)
      for (index, (coin, eve)) in zip(coins, eves).enumerated() {
        let conditions: [StoreCondition<Purse>] = [
          .contains(\.coins, coin.id), .any(\.coins, where: \.name == coin.name),
          .count(\.coins, where: \.id == coin.id) == 1, .contains(\.eves, eve.id),
          .any(\.eves, where: \.name == eve.name), .count(\.eves, where: \.id == eve.id) == 1,
        ]
        for (number, condition) in conditions.enumerated() {
          let found = try await store.fetch(Purse.self, where: condition).map(\.id)
          try expect(found == [index], "condition \(number) of row \(index): \(found)")
        }
      }
      let related = try await store.fetch(Purse.self, with: \.coins, \.eves)
      try expect(related.map(\.1), is: coins.map { [$0] })
      try expect(related.map(\.2), is: eves.map { [$0] })
    },
    Case("a row referenced by ID need not exist, and is found after it is stored") { location in
      let context = try await Store(location).context
      let book = try await context.decode(
        Book.self, #"{"id": "a", "genre_id": 5, "sequel": "b", "reviews": []}"#)
      try expect(book.genre, is: Reference(id: 5))
      try expect(try await context.fetch(Book.self), is: [book])
      let (genre, sequel) = (
        StoredColumn<Book, Reference<Genre>?>(Book.CodingKeys.genre), StoredColumn<Book, Reference<Book>?>("sequel")
      )
      let related = { try await context.fetch(Book.self, with: genre, sequel, limit: 1).first }
      try expect(try await related()?.1, is: nil)
      try expect(try await related()?.2, is: nil)
      try await context.save(Genre(5, "essay"))
      try await context.decode(Book.self, #"{"id": "b"}"#)
      try expect(try await related()?.1?.name, is: "essay")
      try expect(try await related()?.2, is: Book(id: "b"))
      // Absent values are kept, null clears them, and equal values are not written.
      let list = try await context.decode([Book].self, #"[{"id": "a", "genre_id": 5}, {"id": "b"}]"#)
      try expect(list.changes, is: .init(unchanged: 2))
      try expect(try await context.decode(Book.self, #"{"id": "a", "genre_id": null}"#).genre, is: nil)
      // A row can be deleted although others refer to it.
      try expect(try await context.delete(Genre.self, where: .all), is: 1)
      try expect(try await context.fetch(Book.self, key: "a")?.sequel, is: Reference(id: "b"))
    },
    Case("rows that refer to a row can be found with conditions") { location in
      let context = try await Store(location).context
      let genres = [
        Genre(1, "prose"), Genre(2, "novel", parent: 1), Genre(3, "essay", parent: 1), Genre(4, "x", parent: 9),
      ]
      try await context.save(genres)
      try expect(try await context.fetch(Genre.self), is: genres)
      try expect(
        try await context.fetch(Genre.self, where: \.parent.id == genres[0].id).map(\.id), is: [2, 3])
      try expect(try await context.fetch(Genre.self, where: \.parent == nil).map(\.id), is: [1])
      try expect(
        try await context.count(Genre.self, where: .isAmong(\.parent.id, [9, 2])), is: 1)
      let genre = StoredColumn<Book, Reference<Genre>?>(Book.CodingKeys.genre)
      try await context.save([("a", 2), ("b", 3), ("c", 2)].map { Book(id: $0, genre: Reference(id: $1)) })
      try expect(try await books(genre.id == 2, in: context), is: ["a", "c"])
      try expect(try await books(StoredColumn<Book, Int?>("genre_id") == 3, in: context), is: ["b"])
    },
    Case("references support coding keys and default values") { location in
      let context = try await Store(location).context
      let list = try await context.decode(
        [StockItem].self, #"[{"id": 1, "genre_id": 5}, {"id": 2, "related_items": [1, 3], "genre_id": null}]"#)
      let items = [
        StockItem(id: 1, genreID: Reference(id: 5), relatedItems: []),
        StockItem(id: 2, genreID: nil, relatedItems: [Reference(id: 1), Reference(id: 3)]),
      ]
      try expect(list.models, is: items)
      try expect(try await context.fetch(StockItem.self), is: items)
      try expect(
        try await context.fetch(StockItem.self, with: \.relatedItems, where: \.id == 2).first?.1, is: [items[0]])
      let found = try await context.fetch(
        StockItem.self, where: .contains(\.relatedItems, items[0].id))
      try expect(found, is: [items[1]])
    },
    Case("references by ID may form cycles") { location in
      let context = try await Store(location).context
      let genres = [Genre(1, "a", parent: 2, related: [1, 3]), Genre(2, "b", parent: 1), Genre(3, "c", parent: 3)]
      try await context.save(genres)
      try await context.decode(Genre.self, #"{"id": 3, "parent": 3, "related": [1, 3]}"#)
      let around = try await context.read { transaction in
        var names: [String] = []
        var genre = try transaction.fetch(Genre.self, key: 1)
        while let current = genre, let parent = current.parent, names.count < 5 {
          names.append(current.name)
          genre = try transaction.fetch(Genre.self, key: parent.id)
        }
        return names
      }
      try expect(around, is: ["a", "b", "a", "b", "a"])
      try expect(try await context.fetch(Genre.self, key: 3)?.related, is: [Reference(id: 1), Reference(id: 3)])
    },
    Case("missing rows are found by rows that are deleted, too") { location in
      let context = try await Store(location).context
      try await context.save((1...600).map { Genre($0, "\($0 / 600)", parent: max(1, $0 - 300)) })
      let list = try await context.decode(
        [Genre].self, "[]", missing: .deleted(Genre.self, where: \.parent.name == "0"))
      try expect(list.changes.deleted, is: 600)
    },
    Case("many-to-many references are found from both sides") { location in
      let context = try await Store(location).context
      let ids = (0..<3).map { _ in UUID() }
      func references(_ indices: Int...) -> [Reference<Review>] { indices.map { Reference(id: ids[$0]) } }
      let stored = [
        Book(id: "a", reviews: references(0, 1)), Book(id: "b"), Book(id: "c", reviews: references(1)),
        Book(id: "d", reviews: []),
      ]
      try await context.save(stored)
      try await context.save(
        [
          Review(id: ids[1], books: ["c", "quote \"", "a", "c", "é"].map { Reference(id: $0) }),
          Review(id: ids[2], books: []),
        ])
      try expect(try await context.fetch(Book.self), is: stored)
      let reviews = StoredColumn<Book, [Reference<Review>]?>("reviews")
      try expect(
        try await books(.contains(reviews, ids[1]), in: context), is: ["a", "c"])
      try expect(
        try await books(!.contains(reviews, ids[1]), in: context),
        is: ["b", "d"])
      try expect(
        try await books(.contains(reviews, ids[2]), in: context), is: [])
      for id in ["quote \"", "é"] {
        let found = try await context.count(
          Review.self, where: .contains(StoredColumn<Review, [Reference<Book>]>("books"), id))
        try expect(found, is: 1)
      }
      // In the order of the ids, including duplicates, without ids that have no row.
      let found = try await context.fetch(Review.self, with: StoredColumn<Review, [Reference<Book>]>("books"))
      try expect(found.first { $0.0.id == ids[1] }?.1.map(\.id), is: ["c", "a", "c"])
      try await context.save([
        Genre(1, "a", related: [2, 3]), Genre(2, "b", related: [1]), Genre(3, "c", related: [12]),
      ])
      try expect(
        try await context.fetch(Genre.self, where: .contains(\.related, 2) && \.id > 0).map(\.id),
        is: [1])
      let many = try await context.perform { transaction in
        try transaction.save((1_000..<2_000).map { Genre($0, "g\($0)") })
        try transaction.save(Genre(500, "all", related: (500..<1_500).reversed()))
        return try transaction.fetch(Genre.self, with: \.related, where: \.id == 500).first?.1.map(\.id)
      }
      try expect(many, is: (1_000..<1_500).reversed() + [500])
    },
    Case("references follow conflict rules and appear in the feed") { location in
      let context = try await Store(location).context
      let start = try await context.recordChanges(of: Genre.self)
      try await context.save(Genre(1, "a", parent: 2, related: [2, 3]))
      try await context.save(
        [Genre(1, "a", related: [3, 4])], rules: [.merge(StoreKey("related")), .keep(StoreKey("parent"))])
      let merged = Genre(1, "a", parent: 2, related: [2, 3, 4])
      try expect(try await context.fetch(Genre.self), is: [merged])
      let changes = try await context.read { transaction in
        try transaction.changes(of: Genre.self, after: start, limit: 9)
      }
      try expect(
        changes.map(\.kind),
        is: [
          .inserted(Genre(1, "a", parent: 2, related: [2, 3])),
          .updated(from: Genre(1, "a", parent: 2, related: [2, 3]), to: merged),
        ])
    },
    Case("a column of references may have any name") { location in
      let store = try await Store(location)
      try await store.save([Crumb(1, [1, 2]), Crumb(2, [2, 3]), Crumb(3, [])])
      func ids(_ condition: StoreCondition<Crumb>) async throws -> [Int] {
        try await store.fetch(Crumb.self, where: condition).map(\.id)
      }
      for column in [StoredColumn<Crumb, [Reference<Genre>]>("path"), StoredColumn("value")] {
        try expect(try await ids(.contains(column, 1)), is: [1])
        try expect(try await ids(!.contains(column, 1)), is: [2, 3])
        try expect(try await ids(.contains(column, 1) || .contains(column, 3)), is: [1, 2])
        try expect(try await ids(.count(column) == 2), is: [1, 2])
        let counted = StoredColumn.count(column)
        try expect(
          try await store.fetch(Crumb.self, orderedBy: [.ascending(counted), .descending(\.id)]).map(\.id),
          is: [3, 2, 1])
      }
      try expect(try await store.count(Crumb.self, where: !.contains(\.path, 2)), is: 1)
      try expect(try await store.delete(Crumb.self, where: !.contains(\.path, 2)), is: 1)
      try expect(try await ids(.all), is: [1, 2])
    },
    Case("an element of a column without an array is an error") { location in
      struct Seat: Codable, Sendable, Equatable, Identifiable, ManagedDecodable {
        static let matchKeys: [MatchKey]? = [.key(CodingKeys.id), .key(CodingKeys.row)]
        var id: Int
        var row: Int
      }
      let context = try await Store(location).context
      try await context.save(Seat(id: 1, row: 1))
      try await expectError(.invalidValue, naming: "Seat.row") {
        _ = try await context.count(Seat.self, where: .contains(StoredColumn<Seat, [Reference<Genre>]>("row"), 1))
      }
    },
  ]
}
