// How callers use managed objects, to be type-checked only.
import AnvilBase
import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilStore
import AnvilSync
import CoreData

final class User: NSManagedObject, ManagedObjectDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id, attribute: "identifier")]

  var identifier: Int64 = 0
  var login: String?

  enum CodingKeys: String, CodingKey { case id, login }

  func update(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    identifier = try container.decode(Int64.self, forKey: .id)
    login = try container.decodeIfPresent(String.self, forKey: .login) ?? login
  }
}

func use(
  _ response: Promise<HTTP.Response>, _ request: Promise<HTTP.Request>, _ body: HTTP.Body,
  _ context: NSManagedObjectContext
) async throws {
  let handle = try await response.decode(managed: User.self, in: context).value
  let handles = try await response.decode(managed: [User].self, in: context).value
  _ = try await request.decode(managed: User.self, in: context).value
  let login = try await handle.perform { user in user.login }
  print(login ?? "", handles.count)
  try await context.perform {
    let user = try body.decode(using: ManagedDecodingFactory<User>(context: context))
    print(user.login ?? "")
  }
}
