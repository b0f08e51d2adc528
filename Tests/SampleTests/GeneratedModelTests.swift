import Anvil
import AnvilSQLite
import AnvilStore
import AnvilTestSupport
import Foundation
import Testing

// `Generated/Twitter.swift` is what `anvil model twitter.json --name Twitter` writes, as `GeneratedSourceTests` checks. These declarations are all that is written by hand.

extension Twitter.SearchMetadata: DecoderUpdatable {}

extension Twitter.Status.User: ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
}

@JSONCodable
private struct LenientTwitter: Equatable {
  @LossyArray var statuses: [Twitter.Status]
}

private let document = Corpora.folder.flatMap { try? Data(contentsOf: $0.appending(path: "bench/twitter.json")) }

/// Uses of a generated model: everything that takes a model.
@Suite(
  .timeLimit(.minutes(15)),
  .enabled(if: document != nil, "there is no twitter.json: set ANVIL_CORPORA to the folder of corpora"))
struct GeneratedModelTests {
  private let data: Data
  private let text: String
  private let twitter: Twitter

  init() throws {
    data = try #require(document)
    text = String(decoding: data, as: UTF8.self)
    twitter = try JSON.Decoder().decode(Twitter.self, from: data)
  }

  @Test func eachWayOfDecodingHasTheSameResult() throws {
    #expect(twitter.statuses.count == 100)
    #expect(try JSON.read(Twitter.self, from: data) == twitter)
    #expect(try JSONDecoder().decode(Twitter.self, from: data) == twitter)
    #expect(try Twitter.decode(JSON(parsing: data)) == twitter)
    #expect(try JSON.read(Twitter.self, from: JSON.Encoder().encode(twitter)) == twitter)
  }

  @Test func modelsArePropertyLists() throws {
    // A property list has no null: the members of type JSON are left out.
    let list = try PropertyListEncoder().encode(twitter.searchMetadata)
    #expect(try PropertyListDecoder().decode(Twitter.SearchMetadata.self, from: list) == twitter.searchMetadata)
    let users = twitter.statuses.map(\.user)
    #expect(
      try PropertyListDecoder().decode([Twitter.Status.User].self, from: PropertyListEncoder().encode(users)) == users)
  }

  @Test func modelsAreUpdatedInPlace() throws {
    let old = twitter.searchMetadata
    let new = try JSON.Decoder().update(old, from: Data(#"{"query":"new","count":7}"#.utf8))
    #expect(new.query == "new" && new.count == 7 && new.maxID == old.maxID && new != old)
  }

  @Test func invalidElementsAreSkipped() throws {
    let broken = Data(text.replacing("\"favorited\": false", with: "\"favorited\": \"no\"", maxReplacements: 1).utf8)
    #expect(throws: DecodingError.self) { try JSON.Decoder().decode(Twitter.self, from: broken) }
    let lenient = try JSON.Decoder().decode(LenientTwitter.self, from: broken)
    #expect(lenient.statuses.count + lenient.$statuses.skippedCount == 100)
    #expect(lenient.$statuses.skippedCount == 1)
  }

  @Test func modelsAreStored() async throws {
    let users = twitter.statuses.map(\.user)
    let store = try await Store(.inMemory)
    try await store.save(users)
    let followers = StoredColumn<Twitter.Status.User, Int>("followers_count")
    let stored = try await store.fetch(Twitter.Status.User.self, where: followers > 1_000)
    #expect(Set(stored.map(\.id)) == Set(users.filter { $0.followersCount > 1_000 }.map(\.id)))
    let first = try #require(users.last)
    #expect(try await store.fetch(Twitter.Status.User.self, key: first.id) == first)
    await store.close()
  }

  @Test func errorsAreExplained() throws {
    let broken = Data(text.replacing("\"verified\": false", with: "\"verified\": \"no\"", maxReplacements: 1).utf8)
    let diagnosis = try #require(throws: JSON.Diagnosis.self) {
      try JSON.Decoder().decodeAll(Twitter.self, from: broken)
    }
    let problem = try #require(diagnosis.problems.first)
    #expect(diagnosis.problems.count == 1)
    #expect(problem.code == .typeMismatch)
    #expect("\(problem.path)" == "statuses[0].user.verified")
    #expect(problem.model?.hasSuffix("User") == true && problem.property == "verified")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[problem.location.line - 1].contains("\"verified\": false"))
  }
}
