import Anvil
import AnvilStore
import AnvilSync
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Several runs of one pull that share its partitions.
@Suite(.timeLimit(.minutes(15)), .serialized) struct SharedPullTests {
  private let listing: ListingServer
  private static let partitions = (1...6).map { "p\($0)" }

  init() throws {
    listing = try ListingServer()
    for (index, name) in Self.partitions.enumerated() {
      listing.server.on(.get, "/\(name)") { request in
        let page = request.query["page"].flatMap { Int($0) } ?? 1
        let ids = (0..<(page < 4 ? 2 : 0)).map { index * 100 + page * 10 + $0 }
        let rows = ids.map { #"{"id": \#($0), "name": "m\#($0)"}"# }.joined(separator: ",")
        return .json("[\(rows)]").after(.milliseconds(5))
      }
    }
  }

  private var ids: [Int] {
    var ids: [Int] = []
    for index in Self.partitions.indices {
      for page in 1...3 { ids += [index * 100 + page * 10, index * 100 + page * 10 + 1] }
    }
    return ids
  }

  private func pull(_ gateway: Gateway? = nil, of partitions: [String] = partitions) -> Pull<Member> {
    let gateway = gateway ?? listing.gateway
    let requests = partitions.map { ($0, gateway.request("\($0)")) }
    return Pull(
      "shared", partitions: Dictionary(uniqueKeysWithValues: requests), of: Member.self,
      by: .pageNumber("page") { $0.count == 0 }, missing: .deleted)
  }

  @Test(arguments: SyncBackend.available) func runsShareThePartitions(_ backend: SyncBackend) async throws {
    let database = try SyncDatabase(backend)
    let pull = pull()
    let first = try await database.open()
    try await first.context.save([Member(7)])
    let reports = try await withThrowingTaskGroup(of: PullReport.self) { group in
      for _ in 0..<4 {
        group.addTask { try await database.open().run(pull, leases: .seconds(30)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // A run that begins after the end of the listing begins another one.
    let inserted = reports.reduce(0) { $0 + $1.counts.inserted }
    #expect(inserted == 36)
    #expect(reports.reduce(0) { $0 + $1.pages } % 24 == 0)
    #expect(reports.reduce(0) { $0 + $1.counts.deleted } == 1)
    #expect(try await first.members.map(\.id) == ids)
    #expect(try await first.run(pull, leases: .seconds(30)).pages == 24)
  }

  /// The end of a lease may be in the past, or so far in the future that the clock was set back since then.
  @Test(arguments: SyncBackend.available, [-1e6, 86_400])
  func thePartitionOfADeadRunIsContinued(_ backend: SyncBackend, later seconds: Double) async throws {
    let database = try SyncDatabase(backend)
    let store = try await database.open()
    // A gateway that never answers the second page, as if its process was stopped; its lease is not renewed within the test.
    let stopped = try await database.open()
    let (isStopped, continuation) = AsyncStream<Void>.makeStream()
    var configuration = ClientConfiguration.bare
    let stop = BeforeRequest("?page=2") {
      continuation.yield()
      try? await Task.sleep(for: .seconds(100))
    }
    configuration.interceptors = [(stop, at: .call)]
    let dead = pull(Gateway(baseURL: listing.server.url, configuration: configuration))
    let task = Task { try await stopped.run(dead, leases: .seconds(60)) }
    for await _ in isStopped { break }
    let count = try await store.context.perform { transaction in
      try transaction.execute(
        "UPDATE anvil_pull_leases SET expiration = expiration + \(seconds) WHERE expiration > 0")
    }
    #expect(count == 1)
    let report = try await store.run(pull(), leases: .seconds(30))
    #expect(report.pages == 23)
    #expect(try await store.members.map(\.id) == ids)
    task.cancel()
    _ = await task.result
    #expect(try await store.members.map(\.id) == ids)
  }

  @Test(arguments: SyncBackend.available) func aRunThatLostItsLeaseStoresNothing(_ backend: SyncBackend) async throws {
    let database = try SyncDatabase(backend)
    let (store, other) = (try await database.open(), try await database.open())
    let current = pull()
    var configuration = ClientConfiguration.bare
    let late = BeforeRequest("?page=2") {
      _ = try? await other.context.perform { try $0.execute("UPDATE anvil_pull_leases SET expiration = 0") }
      _ = try? await other.run(current, leases: .seconds(30))
    }
    configuration.interceptors = [(late, at: .call)]
    let report = try await store.run(
      pull(Gateway(baseURL: listing.server.url, configuration: configuration)), leases: .seconds(60))
    #expect(report.pages == 1)
    #expect(report.counts.inserted == 2)
    #expect(try await store.members.map(\.id) == ids)
  }

  @Test(arguments: SyncBackend.available) func missingRowsAreReportedByTheRunThatEndsTheListing(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let (store, other) = (try await database.open(), try await database.open())
    let current = pull()
    let outcomes = Mutex<[PullReport.MissingRowsOutcome?]>([])
    var configuration = ClientConfiguration.bare
    let late = BeforeRequest("?page=2") {
      _ = try? await other.context.perform { try $0.execute("UPDATE anvil_pull_leases SET expiration = 0") }
      let report = try? await other.run(current, leases: .seconds(30))
      outcomes.withLock { $0.append(report?.missingRows) }
    }
    configuration.interceptors = [(late, at: .call)]
    let report = try await store.run(
      pull(Gateway(baseURL: listing.server.url, configuration: configuration)), leases: .seconds(60))
    #expect(outcomes.withLock { $0 } == [.deleted])
    #expect(report.missingRows == .kept)
    #expect(report.description == "1 page, 2 inserted, 0 updated, 0 unchanged, 0 deleted")
  }

  @Test(arguments: SyncBackend.available) func runsWithOtherPartitionsKeepTheirLeases(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let (store, other) = (try await database.open(), try await database.open())
    let later = pull(of: ["p4", "p5"])
    var configuration = ClientConfiguration.bare
    let between = BeforeRequest("?page=2") { _ = try? await other.run(later, leases: .seconds(30)) }
    configuration.interceptors = [(between, at: .call)]
    let gateway = Gateway(baseURL: listing.server.url, configuration: configuration)
    let report = try await store.run(pull(gateway, of: ["p1", "p2", "p6"]), leases: .seconds(30))
    #expect(report.pages == 12)
    let leases = try await store.context.read { try $0.fetch(Int.self, sql: "SELECT count(*) FROM anvil_pull_leases") }
    #expect(leases == [0])
  }

  /// Each last page locks the positions of all partitions, also of those that only other runs have.
  @Test(arguments: SyncBackend.available) func concurrentRunsWithOtherPartitionsKeepAllRows(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let store = try await database.open()
    for _ in 0..<3 {
      try await withThrowingTaskGroup(of: PullReport.self) { group in
        for partitions in [["p1", "p4"], ["p2", "p5"], ["p3", "p6"]] {
          let pull = pull(of: partitions)
          group.addTask { try await database.open().run(pull, leases: .seconds(30)) }
        }
        for try await report in group { #expect(report.counts.deleted == 0) }
      }
      #expect(try await store.members.map(\.id) == ids)
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(99)]) func shortLeasesAreInvalid(
    _ lease: Duration
  ) async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    let error = await #expect(throws: PullError.self) {
      try await store.store.run(pull(), leases: lease)
    }
    #expect(error?.code == .invalidPull)
    #expect(error?.reason.hasSuffix("is too short: the minimum is 0.1 seconds") == true)
  }

  /// The work for each partition does not grow with their number, and rows are missing only after the last one.
  @Test(arguments: SyncBackend.available) func thousandsOfPartitionsAreShared(_ backend: SyncBackend) async throws {
    let database = try SyncDatabase(backend)
    let count = rounds(2_000)
    let gateway = listing.gateway
    listing.server.on(.get, "/many") { request in
      let number = request.query["part"].flatMap { Int($0) } ?? 0
      return .json(#"[{"id": \#(number), "name": "m\#(number)"}]"#)
    }
    var partitions: [String: GatewayRequest] = [:]
    for number in 0..<count {
      var request = gateway.request("many")
      request.query["part"] = "\(number)"
      partitions["part \(number)"] = request
    }
    let many = Pull("many", partitions: partitions, of: Member.self, by: .linkHeader, missing: .deleted)
    let store = try await database.open()
    try await store.context.save([Member(-1)])
    let reports = try await withThrowingTaskGroup(of: PullReport.self) { group in
      for _ in 0..<4 {
        group.addTask { try await database.open().run(many, leases: .seconds(30)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.reduce(0) { $0 + $1.counts.inserted } == count)
    #expect(reports.reduce(0) { $0 + $1.counts.deleted } == 1)
    #expect(try await store.context.count(Member.self) == count)
  }
}
