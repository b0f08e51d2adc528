import Anvil
import AnvilSQLite
import AnvilSync
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Responses that a request stores, for gateways with a caller's failure type.
@Suite(.timeLimit(.minutes(15))) struct StoredResponseTests {
  enum APIError: DecodingFailureRepresentable {
    case notFound, undecodable(DecodingFailure), network(TransportFailure)

    init(transportFailure failure: TransportFailure) {
      self = failure.error.code == .clientError(.notFound) ? .notFound : .network(failure)
    }

    init(decodingFailure failure: DecodingFailure) { self = .undecodable(failure) }

    /// The failed exchange of `network`.
    var failed: TransportFailure? {
      if case .network(let failure) = self { failure } else { nil }
    }
  }

  /// A type for calls that decode nothing.
  enum ExchangeError: TransportFailureRepresentable {
    case failed(TransportFailure)

    init(transportFailure failure: TransportFailure) { self = .failed(failure) }
  }

  struct User: Codable, Sendable, Equatable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var login: String
    var bio: String?

    enum CodingKeys: CodingKey { case id, login, bio }
  }

  /// A model whose decoding, which is part of the transaction, calls a closure.
  struct CancellingUser: Codable, Sendable, ManagedDecodable {
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    static let onDecode = Mutex<@Sendable () -> Void>({})

    var id: Int

    private enum CodingKeys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
      id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
      Self.onDecode.withLock { $0 }()
    }
  }

  private let server: LoopbackServer
  private let store: Store
  private let api: TypedGateway<APIError>

  init() async throws {
    server = try LoopbackServer()
    store = try await Store(.inMemory)
    api = Gateway(baseURL: server.url("/v1")).failing(as: APIError.self)
  }

  private func serve(_ json: String, status: HTTP.Status = 200, at path: String = "/v1/users") {
    server.on(.get, path) { _ in .json(json, status: status) }
  }

  private var storedUsers: [User] {
    get async throws { try await store.context.fetch(User.self) }
  }

  @Test func aModelIsStoredAndUpdated() async throws {
    serve(#"{"id": 1, "login": "ada", "bio": "counts"}"#, at: "/v1/users/1")
    serve(#"{"id": 1, "login": "countess"}"#, at: "/v1/users/1/short")
    let user = try await api.request("users", 1).store(User.self, in: store)
    #expect(user == User(id: 1, login: "ada", bio: "counts"))
    let updated = try await api.request("users", 1, "short").store(User.self, in: store)
    #expect(updated == User(id: 1, login: "countess", bio: "counts"))
    #expect(try await storedUsers == [updated])
  }

  @Test func aListIsStoredInOneTransaction() async throws {
    serve(#"[{"id": 1, "login": "a"}, {"id": 2, "login": "b"}]"#)
    var transactions = store.context.changes(of: User.self).makeAsyncIterator()
    try await api.request("users").store([User].self, in: store)
    #expect(await transactions.next() == .init(inserted: 2))
    serve(#"[{"id": 2, "login": "B"}, {"id": 3, "login": "c"}]"#, at: "/v1/others")
    let list = try await api.request("others").store(ManagedList<User>.self, in: store, missing: .deleted)
    #expect(list.changes == .init(inserted: 1, updated: 1, deleted: 1))
    #expect(list.models == (try await storedUsers))
    serve("[]", at: "/v1/none")
    #expect(try await api.request("none").store([User].self, in: store).isEmpty)
    #expect(try await storedUsers == list.models)
    #expect(try await api.request("none").store([User].self, in: store, missing: .deleted).isEmpty)
    #expect(try await storedUsers.isEmpty)
  }

  @Test func aListWithAnInvalidElementStoresNothing() async throws {
    serve(#"[{"id": 1, "login": "a"}, {"id": 2}]"#)
    let error = await #expect(throws: APIError.self) { try await api.request("users").store([User].self, in: store) }
    guard case .undecodable(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.response.code == 200)
    #expect("\(failure)".contains("login"))
    #expect(try await storedUsers.isEmpty)
  }

  @Test func aFailedExchangeIsTheCallersFailure() async throws {
    serve("{}", status: 404)
    serve("{}", status: 403, at: "/v1/secret")
    let missing = await #expect(throws: APIError.self) { try await api.request("users").store([User].self, in: store) }
    #expect(missing.map { if case .notFound = $0 { true } else { false } } == true)
    let refused = await #expect(throws: APIError.self) { try await api.request("secret").store(User.self, in: store) }
    #expect(refused?.failed?.response?.code == 403)
    let invalid = await #expect(throws: APIError.self) { try await api.request("..").store(User.self, in: store) }
    #expect(invalid?.failed?.error.code == .invalidRequest)
    let any = await #expect(throws: AnyError.self) {
      try await Gateway(baseURL: server.url("/v1")).request("users").store([User].self, in: store)
    }
    #expect(any?.transportError?.code == .clientError(.notFound))
  }

  @Test(arguments: [204, 200]) func aResponseWithoutABodyIsAFailure(status: Int) async throws {
    server.on(.get, "/v1/users") { _ in .status(HTTP.Status(code: status)) }
    for isList in [false, true] {
      let error = await #expect(throws: APIError.self) {
        if isList {
          try await api.request("users").store([User].self, in: store)
        } else {
          try await api.request("users").store(User.self, in: store)
        }
      }
      #expect(error?.failed?.error.code == .noData)
    }
    #expect(try await storedUsers.isEmpty)
  }

  @Test func aFailureTypeThatDecodesNothingIsEnough() async throws {
    let plain = api.failing(as: ExchangeError.self)
    serve(#"{"id": 1, "login": "ada"}"#)
    serve(#"{"id": 1}"#, at: "/v1/bad")
    #expect(try await plain.request("users").store(User.self, in: store).login == "ada")
    await #expect(throws: ExchangeError.self) { try await plain.request("missing").store(User.self, in: store) }
    let failure = await #expect(throws: DecodingFailure.self) {
      try await plain.request("bad").store([User].self, in: store)
    }
    #expect(failure?.response.url.path() == "/v1/bad")
  }

  @Test func anErrorOfTheStoreIsThrownUnchanged() async throws {
    serve(#"{"id": 1, "login": "ada"}"#)
    await store.close()
    let error = await #expect(throws: StoreError.self) { try await api.request("users").store(User.self, in: store) }
    #expect(error?.code == .closed)
  }

  @Test func cancellationIsACancellationError() async throws {
    let url = server.url("/v1/users")
    let session = StubSession()
    session.on(.get, url, .never)
    let api = Gateway(baseURL: server.url("/v1"), session: session).failing(as: APIError.self)
    let task = Task { [store] in try await api.request("users").store([User].self, in: store) }
    await waitUntil { !session.requests.isEmpty }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func cancellationBeforeTheCommitStoresNothing() async throws {
    serve(#"{"id": 1}"#)
    let (ready, makeReady) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [api, store] in
      for await _ in ready {}
      try await api.request("users").store(CancellingUser.self, in: store)
    }
    CancellingUser.onDecode.withLock { $0 = { task.cancel() } }
    makeReady.finish()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.context.count(CancellingUser.self) == 0)
  }

  @Test func observersReceiveTheOutcome() async throws {
    serve(#"{"id": 1, "login": "ada"}"#)
    serve(#"{"id": 9}"#, at: "/v1/bad")
    let outcomes = Mutex<[String]>([])
    let observer = ExchangeObserver { event in
      switch event.kind {
      case .accepted: outcomes.withLock { $0.append("accepted") }
      case .undecodable(let failure): outcomes.withLock { $0.append("undecodable \(failure.response.url.path())") }
      default: break
      }
    }
    let api = api.configured { $0.observers = [observer] }
    let managed = TypedManagedGateway(api, context: store.context)
    try await api.request("users").store(User.self, in: store)
    _ = try? await api.request("bad").store(User.self, in: store)
    _ = try await managed.request("users").execute().decode(managed: User.self).value
    _ = try? await managed.request("bad").execute().decode(managed: [User].self).value
    #expect(
      outcomes.withLock { $0 } == ["accepted", "undecodable /v1/bad", "accepted", "undecodable /v1/bad"])
  }

  private static let keepsLogin: [ConflictRule] = [.keep(User.CodingKeys.login)]

  @Test func rulesApplyToAModelAListAndAStream() async throws {
    let url = "/v1/users"
    let kept = User(id: 1, login: "ada", bio: "new")
    func reset(_ json: String) async throws {
      try await store.save(User(id: 1, login: "ada", bio: "old"))
      serve(json, at: url)
    }
    let (one, list) = (#"{"id": 1, "login": "x", "bio": "new"}"#, #"[{"id": 1, "login": "x", "bio": "new"}]"#)
    let managed = TypedManagedGateway(api, context: store)
    let factory = ManagedDecodingFactory<User>(context: store, rules: Self.keepsLogin)

    try await reset(one)
    #expect(try await api.request("users").store(User.self, in: store, rules: Self.keepsLogin) == kept)
    try await reset(one)
    #expect(
      try await managed.request("users").execute().decode(managed: User.self, rules: Self.keepsLogin).value == kept)
    try await reset(one)
    #expect(try await api.request("users").execute().decode(using: factory).value == kept)
    try await reset(one)
    #expect(try await HTTP.Body(one).decode(using: factory) == kept)
    try await reset(one)
    let inTransaction = try await store.perform { transaction in
      try HTTP.Body(one).decode(using: ManagedDecodingFactory<User>(context: transaction, rules: Self.keepsLogin))
    }
    #expect(inTransaction == kept)
    #expect(try await storedUsers == [kept])

    try await reset(list)
    #expect(try await api.request("users").store([User].self, in: store, rules: Self.keepsLogin) == [kept])
    try await reset(list)
    #expect(
      try await api.request("users").store(ManagedList<User>.self, in: store, rules: Self.keepsLogin).changes
        == .init(updated: 1))
    try await reset(list)
    #expect(
      try await managed.request("users").execute().decode(managed: [User].self, rules: Self.keepsLogin).value == [kept])
    try await reset(list)
    #expect(try await api.request("users").execute().decode(using: factory.array).value == [kept])
    try await reset(list)
    #expect(
      try await api.request("users").storeElements(of: User.self, in: store, rules: Self.keepsLogin)
        == .init(updated: 1))
    #expect(try await storedUsers == [kept])
  }

  @Test func factoriesOfListsDeleteMissingRows() async throws {
    let list = #"[{"id": 2, "login": "b"}]"#
    let factory = ManagedDecodingFactory<User>(context: store).array(missing: .deleted)
    serve(list)
    for index in 0..<3 {
      try await store.save([User(id: 1, login: "a"), User(id: 3, login: "c")])
      let users: [User]
      switch index {
      case 0: users = try await api.request("users").execute().decode(using: factory).value
      case 1: users = try await HTTP.Body(list).decode(using: factory)
      default:
        users = try await store.perform { transaction in
          try HTTP.Body(list).decode(
            using: ManagedDecodingFactory<User>(context: transaction).array(missing: .deleted))
        }
      }
      #expect(users == [User(id: 2, login: "b")])
      #expect(try await storedUsers == users)
    }
  }

  @Test func aListIsStoredAsItArrives() async throws {
    serve("[" + (0..<25).map { #"{"id": \#($0), "login": "u"}"# }.joined(separator: ",") + "]")
    try await store.save(User(id: 99, login: "old"))
    let changes = try await api.request("users").storeElements(
      of: User.self, in: store, batchSize: 10, missing: .deleted)
    #expect(changes == .init(inserted: 25, deleted: 1))
    #expect(try await store.count(User.self) == 25)
  }

  @Test func errorsOfAListThatIsStoredAsItArrivesAreTheCallersFailure() async throws {
    serve(#"[{"id": 1, "login": "a"}, {"id": 2}]"#)
    serve(#"[{"id": 1, "login": "a"}, {"id": 2, "lo"#, at: "/v1/cut")
    serve(#"{"id": 1}"#, at: "/v1/object")
    server.on(.get, "/v1/page") { _ in
      .status(200, headers: [.contentType: "text/html"], body: Data(#"[{"id": 5, "login": "page"}]"#.utf8))
    }
    for (path, text) in [("users", "login"), ("cut", "User"), ("object", "User"), ("page", "text/html")] {
      let error = await #expect(throws: APIError.self) {
        try await api.request("\(path)").storeElements(of: User.self, in: store)
      }
      guard case .undecodable(let failure) = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
      #expect(failure.response.url.path() == "/v1/\(path)")
      #expect("\(failure)".contains(text))
    }
    let missing = await #expect(throws: APIError.self) {
      try await api.request("missing").storeElements(of: User.self, in: store)
    }
    #expect(missing.map { if case .notFound = $0 { true } else { false } } == true)
    server.on(.get, "/v1/none") { _ in .status(204) }
    let empty = await #expect(throws: APIError.self) {
      try await api.request("none").storeElements(of: User.self, in: store)
    }
    #expect(empty?.failed?.error.code == .noData)
    let large = await #expect(throws: APIError.self) {
      try await api.request("users").storeElements(of: User.self, in: store, sizeLimit: 5)
    }
    #expect(large.map { if case .undecodable = $0 { true } else { false } } == true)
    let plain = await #expect(throws: DecodingFailure.self) {
      try await api.failing(as: ExchangeError.self).request("users").storeElements(of: User.self, in: store)
    }
    #expect(plain?.response.code == 200)
    await store.close()
    let closed = await #expect(throws: StoreError.self) {
      try await api.request("users").storeElements(of: User.self, in: store)
    }
    #expect(closed?.code == .closed)
  }

  @Test func aCancelledStreamIsACancellationError() async throws {
    let url = server.url("/v1/users")
    let session = StubSession()
    session.on(.get, url, .never)
    let api = Gateway(baseURL: server.url("/v1"), session: session).failing(as: APIError.self)
    let task = Task { [store] in try await api.request("users").storeElements(of: User.self, in: store) }
    await waitUntil { !session.requests.isEmpty }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func theFormatIsThatOfTheSettings() async throws {
    let ada = User(id: 1, login: "ada")
    let list = try PropertyListEncoder().encode([ada])
    server.on(.get, "/v1/list") { _ in .status(200, body: list) }
    var request = api.request("list")
    request.decodingFormat = PropertyListDecoder()
    #expect(try await request.store([User].self, in: store) == [ada])
    #expect(try await storedUsers == [ada])
  }

  @Test func aFailedExchangeCanBeRecoveredFrom() async throws {
    serve("{}", status: 404)
    serve(#"{"id": 1, "login": "ada"}"#, at: "/v1/others")
    let other = server.url("/v1/others")
    let request = api.request("users").recovering { failure, request in
      guard case .notFound = failure else { return nil }
      var request = request
      request.url = other
      return request
    }
    #expect(try await request.store(User.self, in: store).login == "ada")
  }
}
