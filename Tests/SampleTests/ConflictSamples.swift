import Anvil
import AnvilSQLite
import AnvilSync
import AnvilTesting
import Foundation
import Testing

// sample: rules
struct Incident: Codable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  static let conflictRules: [ConflictRule] = [
    .keep(CodingKeys.firstSeen), .merge(CodingKeys.labels), .newest(by: CodingKeys.updatedAt),
  ]

  var id: Int
  var title: String
  var labels: [String]
  var firstSeen: String?
  var updatedAt: Date
}
// end sample

@Suite(.timeLimit(.minutes(15))) struct ConflictSamples {
  private func incident(_ title: String, at day: Double, labels: [String] = [], seen: String? = nil) -> Incident {
    Incident(
      id: 1, title: title, labels: labels, firstSeen: seen, updatedAt: Date(timeIntervalSince1970: day * 86_400))
  }

  @Test func rulesDecideWhatIsStored() async throws {
    let store = try await Store(.inMemory)
    try await store.save(incident("new", at: 2, labels: ["a"], seen: "2026-01-01"))
    let incidents = [incident("old", at: 1, labels: ["b"], seen: "2026-01-31")]
    try await store.save(incidents)
    let stored = try #require(try await store.fetch(Incident.self).first)
    #expect(stored.title == "new" && stored.labels == ["a", "b"] && stored.firstSeen == "2026-01-01")
    enum Keys: CodingKey { case title, updatedAt }
    try await store.save(incidents, rules: [.replace(Keys.title, Keys.updatedAt)])
    #expect(try await store.fetch(Incident.self).first?.title == "old")
  }

  @Test func aStreamedListingDeletesMissingRows() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/members") { _ in .json(#"[{"id": 1, "login": "ada"}, {"id": 2, "login": "tomoko"}]"#) }
    let store = try await Store(.inMemory)
    try await store.save([1, 3, 4].map { Member(id: $0, login: "x", team: Team(name: $0 == 4 ? "blue" : "red")) })
    let gateway = Gateway(baseURL: server.url)
    let changes = try await gateway.request("members").storeElements(
      of: Member.self, in: store, missing: .deleted(Member.self, where: \.team.name == "red"))
    #expect("\(changes)" == "1 inserted, 1 updated, 0 unchanged, 1 deleted")
    #expect(try await store.fetch(Member.self).map(\.id) == [1, 2, 4])
  }
}
