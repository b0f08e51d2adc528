import Anvil
import AnvilStore
import AnvilSync
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Listings of a server in a store, and the state after a run that ends early.
@Suite(.timeLimit(.minutes(15)), .serialized) struct PullTests {
  private let listing: ListingServer

  init() throws { listing = try ListingServer() }

  @Test(arguments: SyncBackend.available) func aListingIsStoredPageByPage(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    let members = (1...25).map { Member($0) }
    listing.serve(members)
    let seen = Mutex<[Int]>([])
    let report = try await store.store.run(listing.pull()) { report in seen.withLock { $0.append(report.pages) } }
    #expect(report.pages == 3)
    #expect(report.counts.inserted == 25)
    #expect(report.counts.updated == 0)
    #expect(report.skippedCount == 0)
    #expect(report.missingRows == .kept)
    #expect(seen.withLock { $0 } == [1, 2, 3])
    #expect(try await store.store.members == members)
    let again = try await store.store.run(listing.pull())
    #expect(again.counts.unchanged == 25)
    #expect(again.counts.isEmpty)
  }

  /// A run that fails at each page in turn: the next one goes on at that page, with the rows and the position as they were.
  @Test(arguments: SyncBackend.available, 1...4) func aRunContinuesAtThePageThatFailed(
    _ backend: SyncBackend, page: Int
  ) async throws {
    let database = try SyncDatabase(backend)
    let members = (1...35).map { Member($0) }
    listing.serve(members)
    listing.change { $0.failures = [page: 500] }
    var store = try await database.open()
    let failure = await #expect(throws: TransportFailure.self) { try await store.run(listing.pull()) }
    #expect(failure?.response?.code == 500)
    #expect(try await store.members == Array(members.prefix((page - 1) * 10)))
    await store.close()

    listing.change { $0.failures = [:] }
    store = try await database.open()
    let before = listing.targets.count
    let report = try await store.run(listing.pull())
    #expect(report.pages == 5 - page)
    #expect(report.resumedCount == (page > 1 ? 1 : 0))
    #expect(report.counts.inserted == 35 - (page - 1) * 10)
    #expect(report.counts.unchanged == 0)
    #expect(try await store.members == members)
    #expect(listing.targets[before] == (page == 1 ? "/members" : "/members?page=\(page)"))
    #expect(listing.targets.count - before == 5 - page)
  }

  /// A failure type of an application, without the errors of decoding.
  private struct APIError: TransportFailureRepresentable, Equatable {
    var code: TransportError.Code
    init(transportFailure failure: TransportFailure) { code = failure.error.code }
  }

  @Test(arguments: SyncBackend.available) func requestsOfEveryFailureTypeArePulled(_ backend: SyncBackend) async throws
  {
    let store = try await SyncDatabase(backend).opened()
    let members = (1...25).map { Member($0) }
    listing.serve(members)
    let recovered = Mutex<[APIError]>([])
    let api = listing.gateway.failing(as: APIError.self).recovering {
      failure, request in
      recovered.withLock { $0.append(failure) }
      return request
    }
    listing.change { $0.failures = [2: 404] }
    let one = Pull("one", api.request("members"), of: Member.self, by: .linkHeader)
    let parts = Pull("parts", partitions: ["a": api.request("members")], of: Member.self, by: .linkHeader)
    await #expect(throws: TransportFailure.self) { try await store.store.run(one) }
    #expect(recovered.withLock { Set($0.map(\.code)) } == [.clientError(.notFound)])
    listing.change { $0.failures = [:] }
    _ = try await store.store.run(one)
    #expect(try await store.store.members == members)
    #expect(try await store.store.run(parts).counts.unchanged == 25)
  }

  @Test(arguments: SyncBackend.available) func twoRunsDoNotStoreAPageTwice(_ backend: SyncBackend) async throws {
    let database = try SyncDatabase(backend)
    listing.serve((1...30).map { Member($0) })
    listing.change { $0.failures = [2: 500] }
    let (first, second) = (try await database.open(), try await database.open())
    await #expect(throws: TransportFailure.self) { try await first.run(listing.pull()) }
    listing.change { $0.failures = [:] }
    let pull = listing.pull()
    async let a = Result(catching: { try await first.run(pull) })
    async let b = Result(catching: { try await second.run(pull) })
    for case .failure(let error) in await [a, b] { #expect((error as? PullError)?.code == .overtaken) }
    let report = try await first.run(listing.pull())
    #expect(report.counts.unchanged == 30 || report.resumedCount == 1)
    #expect(try await first.members == (1...30).map { Member($0) })
  }

  @Test(arguments: SyncBackend.available) func anOvertakenPageIsNotStored(_ backend: SyncBackend) async throws {
    let database = try SyncDatabase(backend)
    listing.serve((1...30).map { Member($0) })
    let (store, other) = (try await database.open(), try await database.open())
    let (server, pull) = (listing, listing.pull())
    // Before the first run gets its second page, another one completes the listing, and the server loses its rows.
    var configuration = ClientConfiguration.bare
    let overtaking = BeforeRequest("page=2") {
      _ = try? await other.run(pull)
      server.serve([Member(99)])
    }
    configuration.interceptors = [(overtaking, at: .call)]
    let gateway = Gateway(baseURL: listing.server.url, configuration: configuration)
    let slow = Pull("members", gateway.request("members"), of: Member.self, by: .linkHeader)
    let error = await #expect(throws: PullError.self) { try await store.run(slow) }
    #expect(error?.code == .overtaken)
    #expect(error?.page == 2)
    #expect(try await store.members == (1...30).map { Member($0) })
    #expect("\(try #require(error))".hasPrefix("pull members, page 2: another run"))
  }

  @Test(arguments: SyncBackend.available) func cancellationEndsARunBetweenPages(_ backend: SyncBackend) async throws {
    let store = try await SyncDatabase(backend).opened()
    let members = (1...40).map { Member($0) }
    listing.serve(members)
    let pull = listing.pull()
    let task = Task {
      try await store.store.run(pull) { report in
        if report.pages == 2 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      }
    }
    let error = await #expect(throws: (any Error).self) { try await task.value }
    #expect(error is CancellationError)
    #expect(try await store.store.members == Array(members.prefix(20)))
    let report = try await store.store.run(pull)
    #expect(report.pages == 2)
    #expect(try await store.store.members == members)
  }

  @Test func pagesThatFormACycleEndTheRun() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/circle") { _ in
      .status(200, headers: [.link: "</circle?again>; rel=next"], body: Data(#"[{"id": 1, "name": "a"}]"#.utf8))
    }
    let pull = Pull("circle", listing.gateway.request("circle"), of: Member.self, by: .linkHeader)
    await #expect(throws: PaginationError.self) { try await store.store.run(pull) }
    #expect(listing.targets.count <= 4)
    #expect(try await store.store.members == [Member(1, "a")])
  }

  @Test(arguments: [400, 404, 410]) func aRejectedPositionRestartsTheListingOnce(status: Int) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    let members = (1...25).map { Member($0) }
    listing.serve(members)
    listing.change { $0.failures = [3: status] }
    // The position is rejected at each attempt.
    await #expect(throws: TransportFailure.self) { try await store.store.run(listing.pull()) }
    #expect(listing.targets.filter { $0 == "/members" }.count == 2)
    listing.change { $0.failures = [2: status] }
    let seen = Mutex(0)
    let server = listing
    let report = try await store.store.run(listing.pull()) { _ in
      if seen.withLock({
        $0 += 1; return $0
      }) == 1 {
        server.change { $0.failures = [:] }
      }
    }
    #expect(report.resumedCount == 1)
    #expect(try await store.store.members == members)
  }

  /// Positions of former programs do not have the URL of the request, so that the server's URL in the position is rejected.
  @Test(arguments: [false, true]) func aPositionOnAnotherServerRestartsTheListing(isFormer: Bool) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve((1...25).map { Member($0) })
    listing.change { $0.failures = [2: 500] }
    await #expect(throws: TransportFailure.self) { try await store.store.run(listing.pull()) }
    if isFormer {
      try await store.store.context.perform { try $0.execute("UPDATE anvil_pulls SET request = NULL") }
    }
    // The API has moved.
    let moved = try ListingServer()
    moved.serve((1...25).map { Member($0) })
    let report = try await store.store.run(moved.pull())
    #expect(report.restartedCount == (isFormer ? 1 : 0))
    #expect(report.resetReason == (isFormer ? nil : "the request has changed"))
    #expect(report.pages == 3)
    #expect(listing.targets.count == 2)
  }

  @Test func aPageWithoutAListIsAnError() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.server.on(.get, "/wrapped") { _ in .json(#"{"data": {"rows": [{"id": 1, "name": "a"}]}}"#) }
    let request = listing.gateway.request("wrapped")
    let pull = Pull("a", request, of: Member.self, by: .linkHeader, items: ["data", "rows"])
    #expect(try await store.store.run(pull).counts.inserted == 1)
    let wrong = Pull("b", request, of: Member.self, by: .linkHeader, items: "items")
    let error = await #expect(throws: PullError.self) { try await store.store.run(wrong) }
    #expect("\(try #require(error))" == "pull b, page 1: there is no list at items")
  }

  @Test func absentMembersKeepTheValueAndNullClearsIt() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    listing.serve(texts: [#"{"id": 1, "name": "a", "note": "x"}"#, #"{"id": 2, "name": "b", "note": "y"}"#])
    try await store.store.run(listing.pull())
    listing.serve(texts: [#"{"id": 1, "name": "A"}"#, #"{"id": 2, "name": "b", "note": null}"#])
    let report = try await store.store.run(listing.pull())
    #expect(report.counts.updated == 2)
    #expect(try await store.store.members == [Member(1, "A", note: "x"), Member(2, "b")])
  }
}

/// A store with the database that it is in.
struct OpenedStore: Sendable {
  let database: SyncDatabase
  let store: Store
}

extension SyncDatabase {
  func opened() async throws -> OpenedStore { OpenedStore(database: self, store: try await open()) }
}

extension Result where Failure == any Error {
  init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
