#if ServiceLifecycle && SwiftLog
import Anvil
import AnvilEcosystem
import AnvilObservability
import AnvilSQLite
import AnvilStore
import AnvilSync
import AnvilSyncEcosystem
import AnvilTestSupport
import AnvilTesting
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct LifecycleTests {
  private let session = StubSession()
  private let logger = RecordedLog().logger

  @Test func gracefulShutdownEndsAPullThatWatchesWithoutAnError() async throws {
    session.serve(pages: [[1], [2]])
    session.on("rest", where: { _ in true }) { _ in .json("[]") }
    let store = try await Store(.inMemory)
    let runs = Mutex(0)
    let counter = PullObserver { _, event in if case .ended = event { runs.withLock { $0 += 1 } } }
    let service = PullService(session.pull, in: store, every: .milliseconds(1), observers: [counter])
    let group = ServiceGroup(services: [service], logger: logger)
    async let running: Void = group.run()
    await waitUntil { runs.withLock { $0 >= 3 } }
    await group.triggerGracefulShutdown()
    try await running
    #expect(try await store.fetch(Member.self).map(\.id).sorted() == [1, 2])
  }

  @Test func gracefulShutdownCancelsARunInProgress() async throws {
    session.serve(pages: [[1]], next: true)
    session.on("rest", where: { _ in true }) { _ in .never }
    let store = try await Store(.inMemory)
    let group = ServiceGroup(
      services: [PullService(session.pull, in: store, every: .seconds(3600))], logger: logger)
    async let running: Void = group.run()
    await waitUntil { session.requests.count == 2 }
    await group.triggerGracefulShutdown()
    try await running
    #expect(try await store.fetch(Member.self).map(\.id) == [1])
  }

  @Test func aFailedRunIsTriedAgainAfterTheInterval() async throws {
    session.on("first", where: { _ in true }, times: 1) { _ in .failure(TransportError(code: .noConnection)) }
    session.on("rest", where: { _ in true }) { _ in .json(#"[{"id": 1, "name": "a"}]"#) }
    let store = try await Store(.inMemory)
    let clock = TestClock()
    let failures = Mutex(0)
    let observer = PullObserver { _, event in if case .failed = event { failures.withLock { $0 += 1 } } }
    let service = PullService(session.pull, in: store, every: .seconds(60), clock: clock, observers: [observer])
    let group = ServiceGroup(services: [service], logger: logger)
    async let running: Void = group.run()
    await clock.waitForSleepers(1)
    #expect(failures.withLock { $0 } == 1)
    #expect(session.requests.count == 1)
    clock.advance(by: .seconds(60))
    await clock.waitForSleepers(1)
    #expect(session.requests.count == 2)
    await group.triggerGracefulShutdown()
    try await running
  }

  @Test func anErrorThatEveryRunWouldHaveEndsTheService() async throws {
    session.on("any", where: { _ in true }) { _ in .json(#"{"no": "list"}"#) }
    let store = try await Store(.inMemory)
    let service = PullService(session.pull, in: store, every: .milliseconds(1))
    await #expect(throws: PullError.self) { try await service.run() }
    #expect(session.requests.count == 1)
  }

  @Test func aCancelledServiceEnds() async throws {
    session.on("any", where: { _ in true }) { _ in .json("[]") }
    let store = try await Store(.inMemory)
    let service = PullService(session.pull, in: store, every: .seconds(3600))
    let running = Task { try await service.run() }
    await waitUntil { !session.requests.isEmpty }
    running.cancel()
    _ = await running.result
  }

  @Test func exportersAndSessionsAreClosedAfterTheServicesThatUseThem() async throws {
    let events = Mutex<[String]>([])
    let started = StartedService()
    let group = ServiceGroup(
      services: [
        ClosingService { events.withLock { $0.append("closed") } },
        ClosingService { events.withLock { $0.append("used") } }, started,
      ], logger: logger)
    async let running: Void = group.run()
    await waitUntil { started.isRunning }
    await group.triggerGracefulShutdown()
    try await running
    #expect(events.withLock { $0 } == ["used", "closed"])
  }

  @Test func aCancelledServiceClosesInATaskThatIsNotCancelled() async {
    let wasCancelled = Mutex<Bool?>(nil)
    let service = ClosingService { wasCancelled.withLock { $0 = Task.isCancelled } }
    let running = Task { await service.run() }
    running.cancel()
    await running.value
    #expect(wasCancelled.withLock { $0 } == false)
  }

  @Test(arguments: [false, true]) func anExporterExportsBeforeItIsClosed(isCancelled: Bool) async throws {
    let collector = try LoopbackServer()
    collector.on(.post, "/v1/traces") { _ in .json("{}") }
    collector.on(.post, "/v1/metrics") { _ in .json("{}") }
    let exporter = OTLPExporter(to: .collector(collector.url), service: "shop")
    session.on("any", where: { _ in true }) { _ in .status(204) }
    var configuration = ClientConfiguration.bare
    configuration.interceptors = [(exporter, at: .attempt)]
    _ = try await Gateway("https://api.example.com", session: session, configuration: configuration).request("a").send()
    let started = StartedService()
    let group = ServiceGroup(services: [ClosingService(exporter), started], logger: logger)
    let running = Task { try await group.run() }
    await waitUntil { started.isRunning }
    if isCancelled { running.cancel() } else { await group.triggerGracefulShutdown() }
    _ = await running.result
    #expect(exporter.statistics.exportedSpanCount == 1)
  }
}

/// A service that reports that the services of its group were started, in their order, and waits for the graceful shutdown.
final class StartedService: Service {
  private let state = Atomic(false)

  var isRunning: Bool { state.load(ordering: .relaxed) }

  func run() async throws {
    state.store(true, ordering: .relaxed)
    try await gracefulShutdown()
  }
}
#endif
