import AnvilModel
import AnvilSQLite
import AnvilStore
import Foundation
import Testing

/// Many models at once.
@Suite struct SavingTests {
  struct Numbered: Codable, Sendable, ManagedDecodable, Equatable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var text: String
  }
  struct Named: Codable, Sendable, ManagedDecodable, Equatable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: String
    var number: Int?
  }

  @Test(arguments: [1, 255, 256, 257, 1_000]) func savingAgainChangesNothing(count: Int) async throws {
    let context = try await Store(.inMemory).context
    let models = (0..<count).map { Numbered(id: $0, text: "text number \($0)") }
    #expect(try await context.save(models) == StoreChanges.Counts(inserted: count))
    #expect(try await context.save(models) == StoreChanges.Counts(unchanged: count))
    #expect(try await context.save(models.reversed()) == StoreChanges.Counts(unchanged: count))
    #expect(try await context.fetch(Numbered.self) == models)
  }

  @Test func ofSeveralWithOneKeyTheLastIsStored() async throws {
    let context = try await Store(.inMemory).context
    let models = (0..<1_000).map { Numbered(id: $0 % 300, text: "text number \($0)") }
    #expect(try await context.save(models) == StoreChanges.Counts(inserted: 300))
    #expect(try await context.save(models) == StoreChanges.Counts(unchanged: 300))
    let texts = try await context.fetch(Numbered.self).map(\.text)
    #expect(texts == (0..<300).map { "text number \($0 < 100 ? $0 + 900 : $0 + 600)" })
  }

  @Test func keysAreComparedByTheirBytes() async throws {
    let context = try await Store(.inMemory).context
    let models = [Named(id: "\u{E9}", number: 1), Named(id: "e\u{301}", number: nil), Named(id: "a", number: 3)]
    #expect(try await context.save(models) == StoreChanges.Counts(inserted: 3))
    #expect(try await context.count(Named.self) == 3)
  }
}
