import Anvil
import AnvilPostgres
import AnvilSQLite
import AnvilSync
import AnvilTesting
import Foundation
import Testing

// sample: member
@StoredModel
struct Member {
  @MatchKey var id: Int
  var login: String
  var age: Int?
  var team: Team?  // has match keys, so it is stored in another table
}

@StoredModel
struct Team {
  @MatchKey var name: String
  var motto: String?
}
// end sample

struct Visitor: Codable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]

  var id: Int
  var age: Int
}

@StoredModel
struct Project {
  @MatchKey var id: Int
  @Column("title") var name: String
  var stars: Int
  var language: String?
}

@Suite(.timeLimit(.minutes(15))) struct StoreSamples {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/members/1") { _ in .json(#"{"id": 1, "login": "ada", "age": 36, "team": {"name": "red"}}"#) }
    server.on(.get, "/members") { _ in .json(#"[{"id": 1, "login": "countess"}, {"id": 2, "login": "tomoko"}]"#) }
    server.on(.get, "/teams/red/members") { _ in .json("[]") }
  }

  private func withPath(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-samples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: "members.db").path())
  }

  @Test func responsesAreStored() async throws {
    try await withPath { path in
      let baseURL = server.url
      // sample: store
      let store = try await Store(.sqlite(path: path))
      let api = Gateway(baseURL: baseURL)

      let ada = try await api.request("members", 1).store(Member.self, in: store)
      let members = try await api.request("members").store([Member].self, in: store)
      // end sample
      #expect(ada.login == "ada" && ada.team?.name == "red")
      #expect(members.map(\.login) == ["countess", "tomoko"])
      #expect(try await store.fetch(Member.self, key: 1)?.age == 36)

      // sample: report
      let list = try await api.request("teams", "red", "members").store(
        ManagedList<Member>.self, in: store, missing: .deleted(Member.self, where: \.team.name == "red"))
      print(list.changes)  // 0 inserted, 0 updated, 0 unchanged, 1 deleted
      // end sample
      #expect("\(list.changes)" == "0 inserted, 0 updated, 0 unchanged, 1 deleted")
      #expect(try await store.fetch(Member.self).map(\.id) == [2])

      let changes = try await api.request("members").storeElements(of: Member.self, in: store, batchSize: 1_000)
      #expect("\(changes)" == "1 inserted, 0 updated, 1 unchanged, 0 deleted")
      await store.close()
    }
  }

  @Test func factoriesStoreModels() async throws {
    let store = try await Store(.inMemory)
    let plain = Gateway(baseURL: server.url)
    let body = HTTP.Body(#"{"id": 1, "login": "ada"}"#)
    let managed = ManagedGateway(plain, context: store)
    let first = try await managed.request("members", 1).execute().decode(managed: Member.self).value
    #expect(first.team?.name == "red")
    let factory = ManagedDecodingFactory<Member>(context: store)
    let one = try await body.decode(using: factory)
    let many = try await plain.request("members").execute().decode(using: factory.array).value
    #expect(one.login == "ada" && many.map(\.login) == ["countess", "tomoko"])
    try await store.perform { transaction in
      let member = try body.decode(using: ManagedDecodingFactory<Member>(context: transaction))
      print(member.login)
    }
    #expect(try await store.fetch(Member.self).map(\.login) == ["ada", "tomoko"])
  }

  @Test func storesAreQueriedAndChanged() async throws {
    let store = try await Store(.inMemory)
    // sample: perform
    try await store.perform { transaction in
      try transaction.save(Member(id: 1, login: "ada", age: 36, team: Team(name: "red")))
      let input = #"{"id": 1, "age": null}"#
      let decoder = JSON.Decoder().decoder(for: Data(input.utf8))
      let member = try Member.createOrUpdate(in: transaction, from: decoder)  // keeps the login, clears the age
      print(member.login, try transaction.count(Member.self))
    }
    // end sample
    try await store.save((2...9).map { Member(id: $0, login: "user \($0)", age: $0 * 10) })

    // sample: fetch
    let one = try await store.fetch(Member.self, key: 1)
    let adults = try await store.fetch(
      Member.self, where: \.age >= 18 && .hasPrefix(\.login, "user"), orderedBy: [.descending(\.age)], limit: 5)
    let withoutTeam = try await store.count(Member.self, where: \.team == nil)
    for try await member in store.stream(Member.self) { print(member.login) }
    // end sample
    #expect(one?.age == nil && one?.login == "ada")
    #expect(adults.map(\.id) == [9, 8, 7, 6, 5])
    #expect(withoutTeam == 8)

    // sample: values
    for try await adults in store.values(of: Member.self, where: \.age >= 18) {
      print(adults.map(\.login))
      break
    }
    // end sample
    let changes = store.changes(of: Member.self)
    try await store.save(Member(id: 10, login: "eve"))
    for await counts in changes {
      print(counts)  // 1 inserted, 0 updated, 0 unchanged, 0 deleted
      break
    }

    // sample: sql
    struct TeamSize: Decodable { var team: String?; var members: Int }
    let age = 30
    let (changed, sizes) = try await store.perform { transaction in
      let changed = try transaction.execute("UPDATE \(identifier: "Member") SET age = age + 1 WHERE age < \(age)")
      let sizes = try transaction.fetch(
        TeamSize.self,
        sql: "SELECT team, count(*) AS members FROM \(identifier: "Member") GROUP BY team ORDER BY members")
      return (changed, sizes.map { "\($0.team ?? "no team"): \($0.members)" })
    }
    print(changed, sizes)
    // end sample
    #expect(changed == 1 && sizes.last == "no team: 9")
    // sample: delete
    try await store.delete(Member(id: 10, login: "eve"))
    let count = try await store.delete(Member.self, where: \.age > 60)
    // end sample
    #expect(count == 3)
  }

  @Test func columnsAreNamedByKeyPaths() async throws {
    let store = try await Store(.inMemory)
    try await store.save([
      Project(id: 1, name: "anvil", stars: 120, language: "Swift"), Project(id: 2, name: "tongs", stars: 300),
    ])
    let popular = try await store.fetch(
      Project.self, where: \.stars > 100 && \.language != nil, orderedBy: [.descending(\.stars)])
    let found = try await store.count(Project.self, where: .hasPrefix(\.name, "an") || .isAmong(\.id, [1, 2]))
    #expect(popular.map(\.name) == ["anvil"] && found == 2)
    try await store.save([Visitor(id: 1, age: 17), Visitor(id: 2, age: 18)])
    let adults = try await store.fetch(Visitor.self, where: StoredColumn<Visitor, Int>("age") >= 18)
    #expect(adults.map(\.id) == [2])
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["ANVIL_POSTGRES_URL"] != nil, "there is no PostgreSQL server"))
  func storeWorksWithPostgreSQL() async throws {
    let text = try #require(ProcessInfo.processInfo.environment["ANVIL_POSTGRES_URL"])
    let url = try #require(URL(string: text))
    // sample: postgres
    let store = try await Store(.postgres(url, connections: 8))
    // end sample
    #expect(try await store.count(Unstored.self) == 0)
    await store.close()
    let pooled = try await Store(.postgres(url, poolMode: .transaction))
    #expect(try await pooled.count(Unstored.self) == 0)
    await pooled.close()
  }

  private struct Unstored: Codable, Sendable, ManagedDecodable {
    static let entityName = "no_such_table_of_samples"
    static let matchKeys: [MatchKey]? = nil
    var id: Int
  }
}
