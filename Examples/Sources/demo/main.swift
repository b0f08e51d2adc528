// Calls a GitHub-like API on the loopback interface, and keeps its models in a database:
//
//     demo [--store FILE]     FILE is the database; by default demo.db in the folder anvil of the user's caches
//
// Each step prints the code that it runs, and the result.
import Anvil
import AnvilSQLite
import AnvilSync

let (store, path) = await openStore()
let server = try APIServer()
let api = Gateway(baseURL: server.url).failing(as: APIError.self)
print("A GitHub-like API at \(server.url.absoluteString), and a database in \(path)")

let earlier = try await store.fetch(Repository.self, orderedBy: [.descending(\.stars)])
if !earlier.isEmpty {
  step(
    "Stored by an earlier run, and fetched before any request",
    #"let earlier = try await store.fetch(Repository.self, orderedBy: [.descending(\.stars)])"#)
  for repository in earlier { show(repository.line) }
}

step("A typed model", #"let ada = try await api.get("users/ada", as: User.self)"#)
let ada = try await api.get("users/ada", as: User.self)
show("\(ada.name), \(ada.followers) followers")

step(
  "An error of your own type, with the message of a 404",
  #"_ = try await api.get("users/nobody", as: User.self)"#, "} catch .notFound(let message) {")
do {
  _ = try await api.get("users/nobody", as: User.self)
} catch .notFound(let message) {
  show(message)
}

step(
  "A response that does not match the model",
  #"_ = try await api.get("users/drifted", as: User.self)"#, "} catch .undecodable(let failure) {")
do {
  _ = try await api.get("users/drifted", as: User.self)
} catch .undecodable(let failure) {
  show("\(failure)")
}

step("A 503, and a second attempt that succeeds", #"let flaky = try await api.get("flaky", as: [Repository].self)"#)
let requestCount = server.requestCount
let flaky = try await api.get("flaky", as: [Repository].self)
show("one call, \(server.requestCount - requestCount) requests, \(flaky.count) repositories")

step(
  "A stored response: rows are found by their keys, then inserted or updated",
  #"let own = try await api.request("users/ada/repos").store(ManagedList<Repository>.self, in: store)"#)
let own = try await api.request("users/ada/repos").store(ManagedList<Repository>.self, in: store)
show("\(own.changes)")

step(
  "A stored listing: each page is stored with the position of the next one",
  #"let listing = Pull(name, api.request("repositories"), of: Repository.self, by: .linkHeader)"#,
  "let report = try await store.run(listing)")
let name = "repositories at \(server.url.absoluteString)"
let listing = Pull(name, api.request("repositories"), of: Repository.self, by: .linkHeader)
let report = try await store.run(listing)
show("\(report)")

step(
  "An observed query: the models are delivered again after each change",
  #"for try await popular in store.values(of: Repository.self, where: \.stars > 800) {"#)
var hasSaved = false
for try await popular in store.values(of: Repository.self, where: \.stars > 800) {
  show(popular.map { "\($0.name) ★ \($0.stars)" }.joined(separator: ", "))
  guard !hasSaved, var tongs = popular.first(where: { $0.name == "ada/tongs" }) else { break }
  hasSaved = true
  tongs.stars += 1
  try await store.save(tongs)
}

await store.close()
print("\n\(server.requestCount) requests. Run the demo again: it starts with the stored models.")
