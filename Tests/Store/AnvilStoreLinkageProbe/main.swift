import AnvilBase
import AnvilJSON
import AnvilSQLite

// Uses the API of a program that only stores models. StoreLinkageTests checks its contents.

struct User: Codable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  var id: Int
  var name: String
}

let store = try await Store(.inMemory)
try await store.context.save([User(id: 1, name: "Ada"), User(id: 2, name: "Grace")])
print(try await store.context.fetch(User.self).map(\.name).sorted().joined(separator: " "))
