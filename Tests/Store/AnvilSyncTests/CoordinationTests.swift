import Anvil
import AnvilStore
import AnvilSync
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Rate limits and tokens that processes share through a database. Each store represents a process.
@Suite(.timeLimit(.minutes(15)), .serialized) struct CoordinationTests {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/ok") { _ in .json("[]") }
  }

  private func gateway(_ configure: (inout ClientConfiguration) -> Void) -> Gateway {
    var configuration = ClientConfiguration.bare
    configure(&configuration)
    return Gateway(baseURL: server.url, configuration: configuration)
  }

  @Test func noIntervalHasMoreStartsThanTheRateAllows() {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<rounds(300) {
      let (requests, interval) = (
        Int.random(in: 1...50, using: &generator), Double.random(in: 0.1...10, using: &generator)
      )
      var limit = SharedLimit(name: "x")
      var now = 8e8
      var starts: [Double] = []
      for _ in 0..<200 {
        now += Double.random(in: 0...interval / Double(requests), using: &generator)
        if Int.random(in: 0..<40, using: &generator) == 0 { limit.pause(at: now, for: interval / 3) }
        let wait = limit.reserveStart(at: now, requests: requests, per: interval, within: nil)
        #expect(wait >= 0)
        starts.append(now + wait)
      }
      #expect(starts == starts.sorted())
      // A start and the one so many places later are an interval apart, up to rounding.
      #expect(zip(starts, starts.dropFirst(requests)).allSatisfy { $1 - $0 >= interval - 1e-5 })
    }
  }

  @Test func aWaitThatIsTooLongReservesNothing() {
    var limit = SharedLimit(name: "x")
    #expect(limit.reserveStart(at: 100, requests: 1, per: 10, within: nil) == 0)
    #expect(limit.reserveStart(at: 101, requests: 1, per: 10, within: 9) == 9)
    #expect(limit.reserveStart(at: 101, requests: 1, per: 10, within: 9.5) == 9)
    #expect(limit.reserveStart(at: 101, requests: 1, per: 10, within: nil) == 19)
    limit.pause(at: 101, for: 399)
    #expect(limit.reserveStart(at: 102, requests: .max, per: 10, within: nil) == 398)
  }

  @Test func aRowWithAnExtremeTimeDoesNotEndTheProcess() async throws {
    let database = try SyncDatabase(.sqlite)
    let store = try await database.open()
    var limit = SharedLimit(name: "x")
    limit.pause(at: 0, for: 1e300)
    let stored = limit
    try await store.context.perform { try $0.save(stored) }
    let coordinator = StoreCoordinator(store)
    for requests in [1, .max] {
      let delay = try await coordinator.reserveStart(of: "x", requests: requests, per: .seconds(1), within: .seconds(5))
      #expect(delay > .seconds(86_400))
    }
  }

  /// Starts at 100, 100.1 and 103 are recorded in two parts of the interval, of which the older one ends first.
  @Test func aStartWaitsForOnlyAsManyEarlierOnesAsNecessary() {
    var limit = SharedLimit(name: "x")
    for time in [100, 100.1, 103] { #expect(limit.reserveStart(at: time, requests: 3, per: 10, within: nil) == 0) }
    let wait = limit.reserveStart(at: 104, requests: 3, per: 10, within: nil)
    #expect(abs(wait - 6.1) < 1e-6)
  }

  @Test func startsAreNotDelayedByAClockThatWasSetBack() {
    var limit = SharedLimit(name: "x")
    for (now, wait) in [(1e6, 0.0), (1e6, 0), (1e6, 1), (9e5, 1), (9e5, 2), (9e5, 2)] {
      #expect(limit.reserveStart(at: now, requests: 2, per: 1, within: nil) == wait)
    }
    limit.pause(at: 9e5, for: 10)
    #expect(limit.reserveStart(at: 8e5, requests: 2, per: 1, within: nil) == 10)
  }

  /// The programs that share a limit may be configured differently, such as while a new version is deployed.
  @Test func reservationsOfASlowerRateCount() {
    var limit = SharedLimit(name: "x")
    for wait in 0..<60 { #expect(limit.reserveStart(at: 1e6, requests: 1, per: 1, within: nil) == Double(wait)) }
    _ = limit.reserveStart(at: 1e6, requests: 20, per: 1, within: nil)
    #expect(limit.reserveStart(at: 1e6, requests: 1, per: 1, within: nil) >= 60)
  }

  /// Two limits of one API: each counts the requests of both.
  @Test func limitsWithOtherIntervalsKeepTheStarts() {
    var limit = SharedLimit(name: "x")
    for _ in 0..<2 { #expect(limit.reserveStart(at: 1e6, requests: 2, per: 3600, within: nil) == 0) }
    #expect(limit.reserveStart(at: 1e6 + 2, requests: 10, per: 1, within: nil) == 0)
    for requests in 2...3 { #expect(limit.reserveStart(at: 1e6 + 2, requests: requests, per: 3600, within: 1) >= 3598) }
    #expect(limit.reserveStart(at: 1e6 + 2, requests: 4, per: 3600, within: 1) == 0)
    #expect(limit.reserveStart(at: 1e6 + 2, requests: 2, per: 1, within: nil) == 1)
    // An interval that was not used for a day is forgotten, and its starts with it.
    #expect(limit.reserveStart(at: 1e6 + 2e5, requests: 1, per: 1, within: nil) == 0)
    #expect(limit.reserveStart(at: 1e6 + 2e5, requests: 2, per: 3600, within: nil) == 0)
  }

  @Test func manyIntervalsAreBounded() throws {
    var limit = SharedLimit(name: "x")
    for interval in 1...1_000 {
      _ = limit.reserveStart(at: 1e6, requests: 1_000_000, per: Double(interval), within: nil)
    }
    #expect(try JSONEncoder().encode(limit).count < 10_000)
  }

  @Test(arguments: SyncBackend.available) func processesShareARateLimit(_ backend: SyncBackend) async throws {
    let database = try SyncDatabase(backend)
    let (first, second) = (try await database.open(), try await database.open())
    let gateways = [first, second].map { store in
      gateway {
        $0.rateLimit = RateLimiter(requests: 3, per: .seconds(1_000), coordinator: StoreCoordinator(store))
        $0.deadline = .seconds(100)
      }
    }
    let results = await withTaskGroup(of: TransportError.Code?.self) { group in
      for number in 0..<8 {
        group.addTask {
          do throws(AnyError) {
            _ = try await gateways[number % 2].request("ok").send()
            return nil
          } catch {
            return error.transportError?.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.filter { $0 == nil }.count == 3)
    #expect(results.filter { $0 == .timedOut }.count == 5)
    #expect(server.requests.count == 3)
  }

  @Test(arguments: SyncBackend.available) func aRetryAfterResponseToOneProcessDelaysAll(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let (first, second) = (try await database.open(), try await database.open())
    server.on(.get, "/busy") { _ in .status(429, headers: [.retryAfter: "1000"]) }
    func limited(_ store: Store) -> Gateway {
      gateway {
        $0.rateLimit = RateLimiter(pauseLimit: .seconds(2_000), coordinator: StoreCoordinator(store))
        $0.deadline = .seconds(100)
      }
    }
    await #expect(throws: AnyError.self) { try await limited(first).request("busy").send() }
    let failure = await #expect(throws: AnyError.self) { try await limited(second).request("ok").send() }
    #expect(failure?.transportError?.code == .timedOut && failure?.transportError?.phase == .delay)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: SyncBackend.available) func concurrentFirstStartsAreReservedOneAfterTheOther(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let coordinators = try await coordinators(6, of: database)
    for round in 0..<8 {
      let waits = try await withThrowingTaskGroup(of: Duration.self) { group in
        for coordinator in coordinators {
          group.addTask {
            try await coordinator.reserveStart(of: "\(round)", requests: 1, per: .seconds(1_000), within: nil)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
      #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 - $0 > .seconds(500) })
    }
  }

  private func coordinators(_ count: Int, of database: SyncDatabase) async throws -> [StoreCoordinator] {
    var coordinators: [StoreCoordinator] = []
    for _ in 0..<count { coordinators.append(StoreCoordinator(try await database.open())) }
    return coordinators
  }

  @Test(arguments: SyncBackend.available) func oneProcessRefreshesATokenForTheFirstTime(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let coordinators = try await coordinators(6, of: database)
    for round in 0..<8 {
      let refreshed = try await withThrowingTaskGroup(of: Bool.self) { group in
        for coordinator in coordinators {
          group.addTask { try await coordinator.token("\(round)", insteadOf: nil) { _ in .init("secret") }.isNew }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(refreshed == 1)
    }
  }

  @Test func aFailureOfTheDatabaseIsAnError() async throws {
    let store = try await SyncDatabase(.sqlite).opened()
    let limited = gateway { $0.rateLimit = RateLimiter(coordinator: StoreCoordinator(store.store)) }
    await store.store.close()
    let failure = await #expect(throws: AnyError.self) { try await limited.request("ok").send() }
    #expect(failure?.transportError?.code == .other && failure?.transportError?.underlyingError is StoreError)
    #expect(server.requests.isEmpty)
  }

  /// A server that accepts only the last token that it has issued.
  private final class Tokens: Sendable {
    let issued = Mutex(0)

    func issue() -> Int {
      issued.withLock { number in
        number += 1
        return number
      }
    }

    func accepts(_ request: LoopbackServer.Request) -> Bool {
      request.headers[.authorization]?.rawValue == "Bearer secret\(issued.withLock { $0 })"
    }
  }

  @Test(arguments: SyncBackend.available) func oneProcessRefreshesTheTokenForAll(_ backend: SyncBackend) async throws {
    let database = try SyncDatabase(backend)
    let tokens = Tokens()
    let refused = Mutex<Set<String>>([])
    server.on(.get, "/private") { request in
      guard !tokens.accepts(request) else { return .json("[]") }
      if let process = request.headers["Process"]?.rawValue { _ = refused.withLock { $0.insert(process) } }
      return .status(401)
    }
    let olds = Mutex<[String?]>([])
    var gateways: [Gateway] = []
    for process in 0..<3 {
      let coordinator = StoreCoordinator(
        try await database.open(), seal: { String($0.reversed()) }, open: { String($0.reversed()) })
      let refresher = TokenRefresher(sharedAs: "api", by: coordinator) { old in
        olds.withLock { $0.append(old?.value) }
        // All processes need the new token before there is one.
        while old != nil, refused.withLock({ $0.count }) < 3 { try await Task.sleep(for: .milliseconds(1)) }
        return TokenRefresher.Token("secret\(tokens.issue())")
      }
      gateways.append(gateway { $0.authentication = [.bearer(refresher)] })
      gateways[process].headers["Process"] = "\(process)"
    }
    func request() async throws {
      try await withThrowingTaskGroup { group in
        for gateway in gateways {
          for _ in 0..<3 { group.addTask { _ = try await gateway.request("private").send() } }
        }
        try await group.waitForAll()
      }
    }
    try await request()
    #expect(olds.withLock { $0 } == [nil])
    // The server revokes the token: again one process refreshes, and a new one as well takes the result.
    _ = tokens.issue()
    refused.withLock { $0 = [] }
    try await request()
    #expect(olds.withLock { $0 } == [nil, "secret1"])
    let store = try await database.open()
    let stored = try await store.context.read { try $0.fetch(String.self, sql: "SELECT token FROM anvil_tokens") }
    #expect(stored == ["3terces"])
  }

  @Test func aTokenRevokedAfterSharingIsRefreshed() async throws {
    let database = try SyncDatabase(.sqlite)
    let coordinator = StoreCoordinator(try await database.open())
    let tokens = Tokens()
    server.on(.get, "/private") { tokens.accepts($0) ? .json("[]") : .status(401) }
    let refresh: TokenRefresher.Refresh = { _ in TokenRefresher.Token("secret\(tokens.issue())") }
    #expect(try await coordinator.token("api", insteadOf: nil, refresh: refresh).isNew)
    #expect(try await coordinator.token("api", insteadOf: nil, refresh: refresh).isNew == false)
    _ = tokens.issue()
    let gateway = gateway {
      $0.authentication = [.bearer(TokenRefresher(sharedAs: "api", by: coordinator, refresh: refresh))]
    }
    _ = try await gateway.request("private").send()
    #expect(tokens.issued.withLock { $0 } == 3)
  }

  @Test func aFailedRefreshCanBeRepeated() async throws {
    struct Odd: Error {}
    let database = try SyncDatabase(.sqlite)
    let coordinator = StoreCoordinator(try await database.open())
    await #expect(throws: Odd.self) { try await coordinator.token("api", insteadOf: nil) { _ in throw Odd() } }
    let token = try await coordinator.token("api", insteadOf: nil) { _ in .init("x", expiry: .distantPast) }
    #expect(token.token.value == "x")
    // An expired token is refreshed, and the refresh receives it.
    let next = try await coordinator.token("api", insteadOf: nil) { .init(($0?.value ?? "") + "y") }
    #expect(next.isNew && next.token.value == "xy")
  }
}
