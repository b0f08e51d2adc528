import AnvilJSON
import AnvilModel
import AnvilSQLite
import Foundation
import Testing

@Suite struct FirstStoreTests {
  struct Team: Codable, Sendable, ManagedDecodable, Equatable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    var name: String
    var motto: String?
  }
  struct User: Codable, Sendable, ManagedDecodable, Equatable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id, attribute: "identifier")]
    var id: Int
    var login: String
    var age: Int?
    var team: Team?
    var friends: [Friend]
    var tags: [String]?
  }
  struct Friend: Codable, Sendable, ManagedDecodable, Equatable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.first), .key(CodingKeys.last)]
    var first: String
    var last: String
    var since: Date?
  }

  @Test func storesAndFetches() async throws {
    let store = try await Store(.inMemory)
    let context = store.context
    let text =
      #"[{"id":1,"login":"ada","team":{"name":"red"},"friends":[{"first":"a","last":"b"}]},{"id":2,"login":"bob","age":7,"friends":[]},{"id":1,"login":"eve","age":null,"team":{"name":"red","motto":"x"},"friends":[{"first":"a","last":"b"}],"tags":["q"]}]"#
    let list = try await context.perform { context in
      try context.createOrUpdate([User].self, from: JSON.Decoder().decoder(for: Data(text.utf8)))
    }
    print(list.changes, list.models)
    let users = try await context.fetch(User.self)
    print(users)
    #expect(users.map(\.login) == ["eve", "bob"])
    #expect(users[0].team == Team(name: "red", motto: "x"))
    let again = try await context.perform { context in
      try context.createOrUpdate([User].self, from: JSON.Decoder().decoder(for: Data(text.utf8)))
    }
    print(again.changes)
    let one = try await context.fetch(User.self, key: 2)
    #expect(one?.age == 7)
    let few = try await context.fetch(
      User.self, where: StoreAttribute("age") != nil && StoreAttribute("login").hasPrefix("b"))
    #expect(few.count == 1)
    try await print(
      context.perform { try $0.save([User(id: 1, login: "z", friends: []), User(id: 3, login: "y", friends: [])]) })
    try await print(
      context.fetch(User.self), context.count(User.self), context.fetch(Team.self), context.fetch(Friend.self))
  }
}
