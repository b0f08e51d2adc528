import AnvilBase
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

  @Test func ofSeveralModelsWithTheSameKeyTheLastIsStored() async throws {
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

  private struct Cases: Codable, Sendable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String?
    var NAME: String?
  }

  private struct Lower: Codable, Sendable, ManagedDecodable {
    static let entityName = "Cases"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var Name: String
  }

  @Test func columnsThatDifferOnlyByCaseAreRefused() async throws {
    let context = try await Store(.inMemory).context
    for model in [Cases(id: 1), Cases(id: 1, name: "a"), Cases(id: 1, NAME: "b"), Cases(id: 1, name: "a", NAME: "b")] {
      let error = await #expect(throws: StoreError.self) { try await context.save(model) }
      #expect(
        error?.description == """
          the model does not match the existing table: the database does not distinguish the columns NAME and name of Cases: \
          give one of them another name
          """)
    }
    #expect(try await context.count(Cases.self) == 0)
    // The column of another model of the same table.
    try await context.save(Lower(id: 1, Name: "a"))
    let error = await #expect(throws: StoreError.self) { try await context.save(Cases(id: 1, name: "b")) }
    #expect(error?.code == .schemaMismatch)
    #expect(try await context.fetch(Lower.self).map(\.Name) == ["a"])
  }

  /// Has an attribute of every type.
  struct Open: Codable, Sendable, ManagedDecodable, Equatable {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    static let matchKeys: [MatchKey]? = [.key(Key(stringValue: "id"))]
    var values: [String: Int]

    init(_ values: [String: Int]) { self.values = values }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      values = try Dictionary(
        uniqueKeysWithValues: container.allKeys.map { ($0.stringValue, try container.decode(Int.self, forKey: $0)) })
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        try container.encode(value, forKey: Key(stringValue: name))
      }
    }
  }

  /// Of the same rows.
  struct Closed: Codable, Sendable, ManagedDecodable, Equatable {
    static let entityName = "Open"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id, a, b: Int
  }

  /// A column that such a model does not encode is not an unknown column.
  @Test func modelsThatReadAllKeysReceiveEveryColumn() async throws {
    let context = try await Store(.inMemory).context
    try await context.save(Closed(id: 1, a: 2, b: 3))
    try await context.save(Open(["id": 2, "a": 4]))
    #expect(try await context.fetch(Open.self) == [Open(["id": 1, "a": 2, "b": 3]), Open(["id": 2, "a": 4])])
  }
}
