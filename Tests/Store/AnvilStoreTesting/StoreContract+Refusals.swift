internal import AnvilBase
internal import AnvilStore

extension StoreContract {
  /// The model of one program.
  struct ScoredThing: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Thing"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var score: Int
    var box: PlainBox?
  }

  /// The model of another program. One of its attributes has another type.
  struct WordedThing: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Thing"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var score: String
    var box: LabeledBox?
  }

  struct PlainBox: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Box"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
  }

  struct LabeledBox: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Box"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var label: String
  }

  /// The models of two programs, each of which requires an attribute that the other does not have.
  struct NamedThing: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Thing"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String
    var score: Int
  }

  struct RenamedThing: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Thing"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String
    var points: Int
  }

  static let refusalCases: [Case] = [
    Case(
      "a program with another required attribute does not affect the program whose attribute it lacks",
      needs: [.sharing]
    ) { location in
      let (first, second) = (try await Store(location), try await Store(location))
      try await first.context.save(NamedThing(id: 1, name: "a", score: 1))
      try await second.context.save(RenamedThing(id: 2, name: "b", points: 2))
      try await first.context.save(NamedThing(id: 3, name: "c", score: 3))
      await first.close()
      let third = try await Store(location)
      try await third.context.save(NamedThing(id: 4, name: "d", score: 4))
      for (id, name) in [(1, "a"), (3, "c"), (4, "d")] {
        let expected = NamedThing(id: id, name: name, score: id)
        try expect(try await third.context.fetch(NamedThing.self, key: id), is: expected)
      }
      try expect(
        try await second.context.fetch(RenamedThing.self, key: 2), is: RenamedThing(id: 2, name: "b", points: 2))
      // A row of the other program has no value for the attribute.
      do {
        _ = try await third.context.fetch(NamedThing.self, key: 2)
        throw Violation(description: "a row without a score was decoded")
      } catch let error as DecodingError {
        try expect("\(error)".contains("score"), "\(error) does not name score")
      }
      await second.close()
      await third.close()
    },
    Case("a rejected write leaves the table unchanged") { location in
      let context = try await Store(location).context
      try await context.save(ScoredThing(id: 1, score: 1))
      try await expectError(.schemaMismatch, naming: "score", "Thing") {
        try await context.save(WordedThing(id: 2, score: "b"))
      }
      try await context.save(ScoredThing(id: 3, score: 3))
      try expect(try await context.fetch(ScoredThing.self).map(\.id), is: [1, 3])
    },
    Case("a rejected write leaves the referenced tables unchanged") { location in
      let context = try await Store(location).context
      try await context.save(ScoredThing(id: 1, score: 1, box: PlainBox(id: 1)))
      try await expectError(.schemaMismatch, naming: "score", "Thing") {
        try await context.save(WordedThing(id: 2, score: "b", box: LabeledBox(id: 2, label: "a")))
      }
      let next = ScoredThing(id: 3, score: 3, box: PlainBox(id: 3))
      try await context.save(next)
      try expect(try await context.fetch(ScoredThing.self, key: 3), is: next)
      try expect(try await context.fetch(PlainBox.self).map(\.id), is: [1, 3])
    },
    Case("a transaction with a rejected write creates no table") { location in
      let context = try await Store(location).context
      try await context.save(ScoredThing(id: 1, score: 1))
      try await expectError(.schemaMismatch, naming: "score") {
        try await context.perform { context in
          try context.save(LabeledBox(id: 1, label: "a"))
          try context.save(WordedThing(id: 2, score: "b"))
        }
      }
      try await context.save(PlainBox(id: 1))
      try expect(try await context.fetch(PlainBox.self), is: [PlainBox(id: 1)])
    },
    Case("a rejected write whose error is caught fails only the innermost transaction") { location in
      let context = try await Store(location).context
      try await context.save(ScoredThing(id: 1, score: 1))
      try await expectError(.schemaMismatch, naming: "score") {
        try await context.perform { context in
          do {
            try context.save(WordedThing(id: 2, score: "b", box: LabeledBox(id: 2, label: "a")))
          } catch is StoreError {
          }
        }
      }
      try await context.perform { context in
        do {
          try context.perform { try $0.save(WordedThing(id: 2, score: "b", box: LabeledBox(id: 2, label: "a"))) }
        } catch is StoreError {}
        try context.save(ScoredThing(id: 3, score: 3, box: PlainBox(id: 3)))
      }
      try expect(try await context.fetch(ScoredThing.self).map(\.id), is: [1, 3])
      try expect(try await context.fetch(PlainBox.self).map(\.id), is: [3])
    },
    Case(
      "if two programs create a table at the same time, one continues and the other gets an error", needs: [.sharing]
    ) {
      location in
      let (first, second) = (try await Store(location), try await Store(location))
      let stored = try await withThrowingTaskGroup(of: (isScored: Bool, isStored: Bool).self) { group in
        for id in 0..<8 {
          group.addTask { (true, try await isStored(ScoredThing(id: id, score: id), in: first.context)) }
          group.addTask { (false, try await isStored(WordedThing(id: 100 + id, score: "\(id)"), in: second.context)) }
        }
        return try await group.reduce(into: (scored: 0, worded: 0)) { counts, one in
          if one.isStored, one.isScored { counts.scored += 1 }
          if one.isStored, !one.isScored { counts.worded += 1 }
        }
      }
      try expect(Set([stored.scored, stored.worded]), is: [0, 8])
      if stored.scored > 0 {
        try expect(try await first.context.fetch(ScoredThing.self).map(\.id), is: Array(0..<8))
      } else {
        try expect(try await second.context.fetch(WordedThing.self).map(\.id), is: Array(100..<108))
      }
      await first.close()
      await second.close()
    },
  ]

  /// Returns `true` if the store accepts the model. The store may reject the model because of existing rows.
  private static func isStored<Model: ManagedDecodable & Codable & Sendable>(
    _ model: Model, in context: Store
  ) async throws -> Bool where Model.Context == StoreTransaction {
    do {
      try await context.save(model)
      return true
    } catch let error as StoreError where error.code == .schemaMismatch {
      return false
    }
  }
}
