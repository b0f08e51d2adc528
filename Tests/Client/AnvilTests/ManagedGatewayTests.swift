import Anvil
import AnvilSQLite
import AnvilSync
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Responses of a server into a store, as a user would write it.
@Suite(.timeLimit(.minutes(15))) struct ManagedGatewayTests {
  struct Team: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.name)]
    var name: String
  }

  struct User: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var login: String
    var bio: String?
    var team: Team?
    var seenAt: Date?
  }

  private let server: LoopbackServer
  private let store: Store
  private let gateway: ManagedGateway

  init() async throws {
    server = try LoopbackServer()
    store = try await Store(.inMemory)
    gateway = ManagedGateway(Gateway(baseURL: server.url("/v1")), context: store.context)
  }

  private func serve(_ json: String, status: HTTP.Status = 200, at path: String = "/v1/users") {
    server.on(.get, path) { _ in .json(json, status: status) }
  }

  @Test func aResponseBecomesAStoredModelAndUpdatesIt() async throws {
    serve(#"{"id": 1, "login": "ada", "bio": "counts", "team": {"name": "red"}}"#, at: "/v1/users/1")
    serve(#"{"id": 1, "login": "countess"}"#, at: "/v1/users/1/short")
    let user = try await gateway.request("users", 1).execute().decode(managed: User.self).value
    #expect(user == User(id: 1, login: "ada", bio: "counts", team: Team(name: "red")))
    let updated = try await gateway.request("users", 1, "short").execute().decode(managed: User.self).value
    #expect(updated == User(id: 1, login: "countess", bio: "counts", team: Team(name: "red")))
    #expect(try await store.context.fetch(User.self) == [updated])
    #expect(try await store.context.fetch(Team.self) == [Team(name: "red")])
  }

  @Test func pathsCanBeInterpolated() async throws {
    serve(#"{"id": 1, "login": "ada"}"#, at: "/v1/users/1")
    let user = try await gateway.request("users/\(1)").execute().decode(managed: User.self).value
    #expect(try await store.context.fetch(User.self) == [user])
    let name = "a/b"
    for request in [gateway.request("users/\(name)"), gateway.request("users", name)] {
      #expect(try request.request.makeHTTPRequest().url.absoluteString.hasSuffix("/v1/users/a%2Fb"))
    }
  }

  @Test func aListIsStoredInOneTransactionWithAReport() async throws {
    serve(#"[{"id": 1, "login": "a"}, {"id": 2, "login": "b"}]"#)
    let users = try await gateway.request("users").execute().decode(managed: [User].self).value
    #expect(users.map(\.login) == ["a", "b"])
    serve(#"[{"id": 2, "login": "B"}, {"id": 3, "login": "c"}]"#, at: "/v1/others")
    let list = try await gateway.request("others").execute().decode(managedList: [User].self, missing: .deleted).value
    #expect(list.changes == .init(inserted: 1, updated: 1, deleted: 1))
    #expect(try await store.context.fetch(User.self).map(\.login) == ["B", "c"])
    serve(#"[{"id": 4, "login": "d"}, {"id": 5}]"#, at: "/v1/broken")
    await #expect(throws: DecodingFailure.self) {
      try await gateway.request("broken").execute().decode(managed: [User].self).value
    }
    #expect(try await store.context.count(User.self) == 2)
  }

  @Test func callersCanPassFormatsAndFactories() async throws {
    serve(#"{"id": 1, "login": "a", "seen_at": "2026-01-02T03:04:05Z"}"#)
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    var request = gateway.request("users")
    request.request.decodingFormat = decoder
    let user = try await request.execute().decode(managed: User.self).value
    #expect(user.seenAt == Date(timeIntervalSince1970: 1_767_323_045))
    #expect(try await store.context.fetch(User.self) == [user])
    let plain = gateway.gateway.request("users")
    let factory = ManagedDecodingFactory<User>(context: store.context)
    #expect(try await plain.execute().decode(using: factory).value.seenAt == user.seenAt)
    #expect(try await plain.execute().decode(using: ManagedDecodingFactory<User>(context: store)).value.login == "a")
  }

  @Test func managedPromisesAlsoDecodeWithoutStoring() async throws {
    struct Label: DecodingFactory {
      func create(from decoder: any Decoder) throws -> String {
        try decoder.singleValueContainer().decode(User.self).login
      }
    }
    struct Envelope: DecodableContainer {
      var user: User
      var element: User { user }
    }
    let ada = User(id: 1, login: "ada")
    let list = try PropertyListEncoder().encode(ada)
    server.on(.get, "/v1/list") { _ in .status(200, body: list) }
    serve(#"{"id": 1, "login": "ada"}"#)
    serve(#"{"user": {"id": 1, "login": "ada"}}"#, at: "/v1/wrapped")
    let (json, plist) = (gateway.request("users").execute(), gateway.request("list").execute())
    #expect(try await json.decode(as: User.self).value == ada)
    #expect(try await plist.decode(as: User.self, with: PropertyListDecoder()).value == ada)
    #expect(try await json.decode(using: Label()).value == "ada")
    #expect(try await plist.decode(using: Label(), with: PropertyListDecoder()).value == "ada")
    #expect(try await plist.update(User(id: 2, login: "b"), with: PropertyListDecoder()).value == ada)
    let wrapped = gateway.request("wrapped").execute()
    #expect(try await wrapped.decode(as: User.self, container: Envelope.self).value == ada)
    let failure = await #expect(throws: DecodingFailure.self) { try await plist.decode(as: User.self).value }
    #expect(failure?.response.code == 200)
    #expect(try await store.context.count(User.self) == 0)
    #expect(try await plist.decode(managed: User.self, with: PropertyListDecoder()).value == ada)
    #expect(try await store.context.fetch(User.self) == [ada])
  }

  @Test func storeFactoriesStartTheirOwnTransactions() async throws {
    serve(#"{"id": 1, "login": "ada"}"#)
    serve(#"[{"id": 1, "login": "countess"}, {"id": 2, "login": "bo"}]"#, at: "/v1/others")
    let factory = ManagedDecodingFactory<User>(context: store.context)
    let one = try await gateway.request("users").execute().decode(using: factory).value
    #expect(try await store.context.fetch(User.self) == [one])
    let body = try await gateway.request("others").execute().value.body
    let many = try await body.decode(using: factory.array)
    #expect(many.map(\.login) == ["countess", "bo"])
    #expect(try await store.context.fetch(User.self) == many)
    let list = try HTTP.Body(PropertyListEncoder().encode(User(id: 3, login: "cy")))
    #expect(try await list.decode(using: factory, with: PropertyListDecoder()).login == "cy")
    let message = HTTP.Request(method: .put, url: server.url, body: HTTP.Body(#"{"id": 3, "login": "cyrus"}"#))
    let request = Promise<HTTP.Request>(result: .success(message))
    #expect(try await request.decode(using: factory).value.login == "cyrus")
    #expect(try await store.context.fetch(User.self, key: 3)?.login == "cyrus")
    #expect(try await request.decode(using: ManagedDecodingFactory<User>(context: store)).value.id == 3)
  }

  @Test func aFailedDecodeDoesNotChangeTheStore() async throws {
    let factory = ManagedDecodingFactory<User>(context: store.context)
    let broken = HTTP.Body(#"[{"id": 1, "login": "ada"}, {"id": 2}]"#)
    await #expect(throws: DecodingError.self) { try await broken.decode(using: factory.array) }
    let message = HTTP.Request(method: .put, url: server.url, body: broken)
    let request = Promise<HTTP.Request>(result: .success(message))
    await #expect(throws: DecodingError.self) { try await request.decode(using: factory.array).value }
    let file = HTTP.Body.file(URL(filePath: "/dev/null"))
    await #expect(throws: HTTP.BodyError.notCollected) { try await file.decode(using: factory) }
    #expect(try await store.context.count(User.self) == 0)
  }

  @Test func aFactoryFitsTheWayItIsUsed() async throws {
    let body = HTTP.Body(#"{"id": 1, "login": "ada"}"#)
    let context = store.context
    let user = try await context.perform { transaction in
      try body.decode(using: ManagedDecodingFactory<User>(context: transaction))
    }
    #expect(user.login == "ada")
    // Without `await` there is no transaction to wait for.
    func decodeAtOnce() throws -> User { try body.decode(using: ManagedDecodingFactory(context: context)) }
    let synchronous = #expect(throws: StoreError.self) { try decodeAtOnce() }
    #expect(synchronous?.code == .outsideTransaction)
    let response = Promise(
      result: .success(HTTP.Response(request: HTTP.Request(url: server.url), status: 200, body: body)))
    let promise = try await context.perform { transaction in
      response.decode(using: ManagedDecodingFactory<User>(context: transaction))
    }
    let asynchronous = await #expect(throws: StoreError.self) { try await promise.value }
    #expect(asynchronous?.code == .outsideTransaction)
  }

  @Test func failuresAreTheSameAsForOtherPromises() async throws {
    serve(#"{"message": "no"}"#, status: 404)
    await #expect(throws: TransportFailure.self) {
      try await gateway.request("users").execute().decode(managed: User.self).value
    }
    serve(#"{"id": "x", "login": "a"}"#, at: "/v1/bad")
    let failure = await #expect(throws: DecodingFailure.self) {
      try await gateway.request("bad").execute().decode(managed: User.self).value
    }
    #expect("\(try #require(failure))".contains("id"))
    // The store's error does not count as an error of the response.
    await store.close()
    serve(#"{"id": 1, "login": "a"}"#, at: "/v1/good")
    let error = await #expect(throws: StoreError.self) {
      try await gateway.request("good").execute().decode(managed: User.self).value
    }
    #expect(error?.code == .closed)
  }

  @Test func aStreamedListIsStoredInBatches() async throws {
    let elements = (0..<2_500).map { #"{"id": \#($0 % 2_000), "login": "u\#($0)"}"# }.joined(separator: ",\n")
    serve("[\(elements)]")
    var transactions = store.context.changes(of: User.self).makeAsyncIterator()
    let response = try await gateway.request("users").request.stream()
    let changes = try await response.body.storeElements(of: User.self, in: store, batchSize: 1_000)
    #expect(changes == .init(inserted: 2_000, updated: 500))
    #expect(await transactions.next() == .init(inserted: 1_000))
    #expect(await transactions.next() == .init(inserted: 1_000))
    #expect(await transactions.next() == .init(updated: 500))
    #expect(try await store.context.fetch(User.self, key: 3)?.login == "u2003")
  }

  @Test func aBrokenStreamKeepsEarlierBatches() async throws {
    let elements = (0..<25).map { $0 == 17 ? #"{"id": 17, "login": null}"# : #"{"id": \#($0), "login": "u"}"# }
    serve("[\(elements.joined(separator: ","))]")
    let response = try await gateway.request("users").request.stream()
    let error = await #expect(throws: DecodingError.self) {
      try await response.body.storeElements(of: User.self, in: store, batchSize: 10)
    }
    guard case .valueNotFound(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["Index 17", "login"])
    #expect(try await store.context.count(User.self) == 10)
    serve(#"[{"id": 30, "login": "u"}, {"id": 31, "lo"#, at: "/v1/cut")
    let cut = try await gateway.request("cut").request.stream()
    await #expect(throws: DecodingError.self) { try await cut.body.storeElements(of: User.self, in: store) }
    #expect(try await store.context.fetch(User.self, key: 30) != nil)
  }

  @Test func aStreamDeletesMissingRowsOnlyAtItsEnd() async throws {
    try await store.context.save((0..<50).map { User(id: $0, login: $0 < 40 ? "in scope" : "other") })
    let scope = MissingRows.deleted(User.self, where: StoredColumn<User, String>("login") == "in scope")
    let cut = (0..<25).map { #"{"id": \#($0), "login": "in scope"}"# }.joined(separator: ",")
    serve("[\(cut), ")
    let partial = try await gateway.request("users").request.stream()
    await #expect(throws: DecodingError.self) {
      try await partial.body.storeElements(of: User.self, in: store, batchSize: 10, missing: scope)
    }
    #expect(try await store.context.count(User.self) == 50)
    serve("[\(cut)]", at: "/v1/whole")
    let response = try await gateway.request("whole").request.stream()
    let changes = try await response.body.storeElements(
      of: User.self, in: store, batchSize: 10, missing: scope)
    #expect(changes == .init(unchanged: 25, deleted: 15))
    #expect(try await store.context.count(User.self) == 35)
    let marks = try await store.context.read { transaction in
      try transaction.fetch(
        Int.self, sql: "SELECT (SELECT count(*) FROM anvil_row_keys) + (SELECT count(*) FROM anvil_row_listings)")
    }
    #expect(marks == [0])
  }

  @Test func elementsWithoutKeysAreAllInsertedAndCounted() async throws {
    struct Line: Codable, Sendable, Equatable, ManagedDecodable {
      static let matchKeys: [MatchKey]? = nil
      var text: String
    }
    serve(#"[{"text": "a"}, {"text": "a"}, {"text": "b"}]"#)
    let response = try await gateway.request("users").request.stream()
    #expect(try await response.body.storeElements(of: Line.self, in: store) == .init(inserted: 3))
    #expect(try await store.context.count(Line.self) == 3)
  }

  @Test func invalidJSONIsReportedWithTheElementsIndex() async throws {
    serve(#"[{"id": 1, "login": "u"}, {"id": 01, "login": "u"}, {"id": 3, "login": "u"}]"#)
    let response = try await gateway.request("users").request.stream()
    let error = await #expect(throws: DecodingError.self) {
      try await response.body.storeElements(of: User.self, in: store)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.first?.stringValue == "Index 1")
  }

  #if os(Linux) || os(macOS)
  @Test(.enabled(if: Compiler.isAvailable, "there is no swiftc in the search path"))
  func aVariableAsAPathIsACompilerErrorWithAHint() async throws {
    let program = """
      import AnvilClient
      import AnvilSync
      func use(_ gateway: ManagedGateway, _ text: String) {
        _ = gateway.request("users", text)
        _ = gateway.request(text)
        _ = gateway.request(text, "repos", method: .put)
      }
      """
    let errors = try await Compiler.diagnostics(in: program, phase: "-typecheck")
    #expect(errors.count == 2 && errors.allSatisfy { $0.contains("HTTP.Path(syntax: text)") }, "\(errors)")
  }
  #endif
}
