#if os(Linux)
import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Thousands of exchanges that end in every possible way, in a separate process.
@Suite(.timeLimit(.minutes(15))) struct CurlSoakTests {
  @Test func tenThousandExchangesLeakNothing() async {
    await #expect(processExitsWith: .success) {
      let server = try Self.server()
      // One-time initialisation of the runtime and the library.
      await ProcessFigures.startTaskThreads()
      try await Self.run(600, server)
      try await ProcessFigures.settle()
      let (threads, descriptors) = (ProcessFigures.threadCount, ProcessFigures.descriptorCount)
      try await Self.run(rounds(3133), server)
      try await Self.run(rounds(3133), server)
      try await ProcessFigures.settle()
      let memory = ProcessFigures.residentSize
      try await Self.run(rounds(3134), server)
      try await ProcessFigures.settle()
      // The server retains its requests.
      let growth = ProcessFigures.residentSize - memory
      #expect(!ProcessFigures.countsMemory || growth < 12_000, "\(growth) kB")
      await waitUntil { ProcessFigures.threadCount <= threads && ProcessFigures.descriptorCount <= descriptors }
      #expect(server.requests.count > rounds(3000))
    }
  }

  private static func server() throws -> LoopbackServer {
    let server = try LoopbackServer(requestBodies: .counted)
    server.on(.get, "/ok/:id") { .text($0.parameters["id"] ?? "") }
    server.on(.get, "/late/:id") { .text($0.parameters["id"] ?? "").after(.milliseconds(2)) }
    server.on(.get, "/large/:id") { _ in .chunked(repeatElement(Data(count: 16_384), count: 30)) }
    server.on(.put, "/up/:id") { .text("\($0.bodyByteCount)") }
    for (name, fault) in LoopbackServer.Fault.all where !["slow-head", "slow-drip", "never-answers"].contains(name) {
      server.on(.get, "/fault/\(name)/*") { _ in .fault(fault) }
    }
    return server
  }

  /// Runs `count` exchanges, 48 at a time, and ends the session in one of the two ways.
  private static func run(_ count: Int, _ server: LoopbackServer) async throws {
    let session = CurlSession(configuration: configured { $0.connections.perHost = 24 })
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= 48 { await group.next() }
        group.addTask { await one(index, session, server) }
      }
    }
    // Connections remain usable after cancellations.
    #expect(await session.get(server.url("/ok/7")).text == "7")
    await session.shutDown(Bool.random() ? .finishingTransfers : .cancellingTransfers)
  }

  private static func one(_ index: Int, _ session: CurlSession, _ server: LoopbackServer) async {
    let faults = LoopbackServer.Fault.all.map(\.name)
    let path = [
      "/ok/\(index)", "/late/\(index)", "/large/\(index)", "/fault/\(faults[index % faults.count])/\(index)",
    ][Int.random(in: 0..<4)]
    let request = HTTP.Request(url: server.url(path))
    switch Int.random(in: 0..<6) {
    case 0:
      let outcome = await session.get(server.url("/ok/\(index)"))
      #expect(outcome.text == "\(index)", "\(outcome)")
    case 1:
      let chunks = AsyncStream<Data> { sending in
        for _ in 0..<5 { sending.yield(Data(count: 20_000)) }
        if index % 3 > 0 { sending.finish() }
      }
      let upload = HTTP.Request(method: .put, url: server.url("/up/\(index)"), body: .stream(chunks))
      let outcome = await session.exchange(upload, timeout: index % 3 > 0 ? .seconds(60) : .milliseconds(4))
      #expect(index % 3 > 0 ? outcome.text == "100000" : outcome.error?.code == .timedOut, "\(outcome)")
    case 2:
      // Dropped, unread or half read.
      let options = TransportOptions(timeout: .seconds(60), responseDelivery: Bool.random() ? .streamed : .collected)
      var body = try? await session.send(request, options: options).body.makeAsyncIterator()
      if Bool.random() { _ = try? await body?.next() }
    default:
      let task = Task { await session.exchange(request, delivery: index % 2 == 0 ? .streamed : .collected) }
      if index % 5 > 0 { try? await Task.sleep(for: .microseconds(Int.random(in: 0..<4000))) }
      task.cancel()
      let outcome = await task.value
      #expect(outcome.error != nil || outcome.head != nil)
    }
  }
}
#endif
