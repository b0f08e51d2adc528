import Anvil

// Uses the API of a program that gets a model. ClientLinkageTests checks its contents.

struct User: Decodable, Sendable {
  var id: Int
}

let api = Gateway("http://127.0.0.1")
let stub = api.request("users", 1)
do {
  let user = try HTTP.Body(#"{"id": 1}"#, contentType: .applicationJSON).decode(as: User.self)
  print("\(stub.method) user \(user.id)")
} catch {
  print(error)
}
