import AnvilBase
import AnvilJSON
import AnvilSQLite
import AnvilStore
import Foundation
import Synchronization
import Testing

/// The decoders that a model is created from, and the encoders that it passes its values to, in order.
private final class CoderLog: Sendable {
  private let names = Mutex<[String]>([])

  func note(_ coder: Any) { names.withLock { $0.append("\(type(of: coder))") } }

  /// Returns the names since the last call.
  func take() -> [String] {
    names.withLock { names in
      defer { names = [] }
      return names
    }
  }

  @TaskLocal static var current: CoderLog?
}

private struct Traced: Codable, Equatable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]

  enum CodingKeys: CodingKey { case id, name, nickname, tags }

  var id: Int
  var name: String
  var nickname: String?
  var tags: [String]

  init(from decoder: any Decoder) throws {
    CoderLog.current?.note(decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    nickname = try container.decodeIfPresent(String.self, forKey: .nickname)
    tags = try container.decode([String].self, forKey: .tags)
  }

  func encode(to encoder: any Encoder) throws {
    CoderLog.current?.note(encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(nickname, forKey: .nickname)
    try container.encode(tags, forKey: .tags)
  }
}

private struct Address: Codable, Equatable, Sendable, DecoderUpdatable {
  var street: String
  var city: String
}

private struct Resident: Codable, Equatable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]

  var id: Int
  var address: Address
}

private struct Counted: Codable, Equatable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]

  var id: Int
  var name: String
  var updates: Int

  mutating func update(from decoder: any Decoder) throws {
    let former = updates
    try updateByDefault(from: decoder)
    updates = former + 1
  }
}

@StoredModel
private struct Profile: Equatable {
  @MatchKey var id: Int
  var name: String
  var nickname: String?
}

/// Payloads of models that are stored already.
@Suite(.timeLimit(.minutes(2))) struct UpdatingTests {
  @discardableResult
  private func store<Model: ManagedDecodable & Codable & Sendable>(
    _ type: Model.Type, _ payload: String, in store: Store
  ) async throws -> Model where Model.Context == StoreTransaction {
    try await store.perform { try type.createOrUpdate(in: $0, from: JSON.Decoder().decoder(for: Data(payload.utf8))) }
  }

  @Test func aPayloadWithAllAttributesPassesTwoCoders() async throws {
    let (database, log) = (try await Store(.inMemory), CoderLog())
    try await CoderLog.$current.withValue(log) {
      for number in 1...3 {
        _ = log.take()
        let payload = #"{"id": 1, "name": "Ada \#(number)", "nickname": null, "tags": ["a"]}"#
        try await store(Traced.self, payload, in: database)
      }
      #expect(log.take().count == 2)
      #expect(try await database.fetch(Traced.self, key: 1)?.name == "Ada 3")
    }
  }

  @Test func aPayloadWithSomeAttributesPassesTheRowAndTheOldModel() async throws {
    let (database, log) = (try await Store(.inMemory), CoderLog())
    try await CoderLog.$current.withValue(log) {
      try await store(Traced.self, #"{"id": 1, "name": "Ada", "nickname": "A", "tags": ["a"]}"#, in: database)
      for number in 1...3 {
        _ = log.take()
        let model = try await store(Traced.self, #"{"id": 1, "name": "Ada \#(number)"}"#, in: database)
        #expect(model.nickname == "A" && model.tags == ["a"])
      }
      // The row is decoded, the old model is recorded, the new one decoded from both and encoded.
      #expect(log.take().count == 4)
    }
  }

  @Test func anAttributeThatThePayloadLacksIsKeptAfterCompletePayloads() async throws {
    let database = try await Store(.inMemory)
    for number in 1...3 {
      let payload = #"{"id": 1, "name": "\#(number)", "nickname": "A", "tags": ["a"]}"#
      try await store(Traced.self, payload, in: database)
    }
    try await store(Traced.self, #"{"id": 1, "name": "4", "tags": []}"#, in: database)
    let kept = try await database.fetch(Traced.self, key: 1)
    #expect(kept?.nickname == "A" && kept?.tags == [])
    try await store(Traced.self, #"{"id": 1, "name": "5", "nickname": null, "tags": []}"#, in: database)
    let cleared = try #require(try await database.fetch(Traced.self, key: 1))
    #expect(cleared.nickname == nil)
  }

  @Test func aModelInTheModelIsUpdatedInPlaceByAPayloadWithAllAttributes() async throws {
    let database = try await Store(.inMemory)
    try await store(Resident.self, #"{"id": 1, "address": {"street": "A", "city": "X"}}"#, in: database)
    for street in ["B", "C", "D"] {
      let model = try await store(Resident.self, #"{"id": 1, "address": {"street": "\#(street)"}}"#, in: database)
      #expect(model.address == Address(street: street, city: "X"))
    }
  }

  @Test func theUpdateOfAModelIsCalledForEachPayload() async throws {
    let database = try await Store(.inMemory)
    for number in 0...3 {
      let model = try await store(Counted.self, #"{"id": 1, "name": "a", "updates": 0}"#, in: database)
      #expect(model.updates == number)
    }
  }

  @Test func modelsWithColumnsAreUpdatedByPayloadsOfBothKinds() async throws {
    let database = try await Store(.inMemory)
    for name in ["a", "b", "c"] {
      let whole = try await store(Profile.self, #"{"id": 1, "name": "\#(name)", "nickname": "n"}"#, in: database)
      #expect(whole == Profile(id: 1, name: name, nickname: "n"))
      let part = try await store(Profile.self, #"{"id": 1, "nickname": null}"#, in: database)
      #expect(part == Profile(id: 1, name: name, nickname: nil))
    }
  }

  @Test func aCompletePayloadThatChangesNothingWritesNothing() async throws {
    let database = try await Store(.inMemory)
    let payload =
      #"[{"id": 1, "name": "a", "nickname": "n", "tags": ["a"]}, {"id": 2, "name": "b", "nickname": null, "tags": []}]"#
    for expected in [StoreChanges.Counts(inserted: 2), .init(unchanged: 2), .init(unchanged: 2)] {
      let list = try await database.perform {
        try $0.createOrUpdate([Traced].self, from: JSON.Decoder().decoder(for: Data(payload.utf8)))
      }
      #expect(list.changes == expected)
    }
  }
}
