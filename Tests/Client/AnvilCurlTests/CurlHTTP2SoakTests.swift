#if os(Linux)
import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// Thousands of streams that share connections and end in every possible way, in a separate process.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
struct CurlHTTP2SoakTests {
  @Test func thousandsOfStreamsLeakNothing() async {
    await #expect(processExitsWith: .success) {
      let soak = try Soak(nginx: #require(Nginx.shared))
      // One-time initialisation of the runtime and the library.
      await ProcessFigures.startTaskThreads()
      try await soak.run(600)
      try await ProcessFigures.settle()
      let (threads, descriptors) = (ProcessFigures.threadCount, ProcessFigures.descriptorCount)
      try await soak.run(rounds(3133))
      try await soak.run(rounds(3133))
      try await ProcessFigures.settle()
      let memory = ProcessFigures.residentSize
      try await soak.run(rounds(3134))
      try await ProcessFigures.settle()
      // The server retains its requests.
      let growth = ProcessFigures.residentSize - memory
      #expect(!ProcessFigures.countsMemory || growth < 12_000, "\(growth) kB")
      await waitUntil { ProcessFigures.threadCount <= threads && ProcessFigures.descriptorCount <= descriptors }
      #expect(soak.server.requests.count > rounds(3000))
    }
  }
}

/// Streams through nginx to a server that fails.
private struct Soak {
  let nginx: Nginx
  let server: LoopbackServer

  init(nginx: Nginx) throws {
    self.nginx = nginx
    server = try LoopbackServer(requestBodies: .counted)
    server.on(.get, "/ok/:id") { .text($0.parameters["id"] ?? "") }
    server.on(.get, "/late/:id") { .text($0.parameters["id"] ?? "").after(.milliseconds(2)) }
    server.on(.get, "/large/:id") { _ in .chunked(repeatElement(Data(count: 16_384), count: 30)) }
    server.on(.put, "/up/:id") { .text("\($0.bodyByteCount)") }
    // nginx answers the first with a 502 and resets the stream of the second.
    server.on(.get, "/reset/:id") { _ in .fault(.resetBeforeHead) }
    server.on(.get, "/cut/:id") { _ in .fault(.resetInBody) }
  }

  private func url(_ path: String) -> URL { nginx.url.appending(path: "to/\(server.port)\(path)") }

  /// Runs `count` exchanges, 48 at a time, and ends the session in one of the two ways.
  func run(_ count: Int) async throws {
    let session = CurlSession(configuration: configured(nginx.configuration) { $0.connections.perMultiplexedHost = 4 })
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= 48 { await group.next() }
        group.addTask { await one(index, session) }
      }
    }
    // Connections remain usable after cancellations.
    let last = await session.get(url("/ok/7"))
    #expect(last.text == "7")
    #expect(last.metrics?.protocolName == "h2")
    await session.shutDown(Bool.random() ? .finishingTransfers : .cancellingTransfers)
  }

  private func one(_ index: Int, _ session: CurlSession) async {
    let request = HTTP.Request(
      url: [
        url("/ok/\(index)"), url("/late/\(index)"), url("/large/\(index)"), url("/reset/\(index)"),
        url("/cut/\(index)"), nginx.url.appending(path: "bytes/10000"),
      ][Int.random(in: 0..<6)])
    switch Int.random(in: 0..<6) {
    case 0:
      let outcome = await session.get(url("/ok/\(index)"))
      #expect(outcome.text == "\(index)", "\(outcome)")
    case 1:
      // Small enough to be sent with its head, on a stream.
      let upload = HTTP.Request(method: .put, url: url("/up/\(index)"), body: HTTP.Body(Data(count: 20_000)))
      let outcome = await session.exchange(upload)
      #expect(outcome.text == "20000", "\(outcome)")
    case 2:
      // Dropped, unread or half read. The body is larger than the buffers, so the stream is paused.
      let large = HTTP.Request(url: nginx.url.appending(path: "bytes/100000000"))
      let delivery: ResponseDelivery = index % 8 == 0 ? .streamed : .collected
      let options = TransportOptions(timeout: .seconds(240), responseDelivery: delivery)
      let response = try? await session.send(index % 3 > 0 ? large : request, options: options)
      var body = response?.body.makeAsyncIterator()
      if Bool.random() { _ = try? await body?.next() }
      try? await Task.sleep(for: .microseconds(Int.random(in: 0..<8000)))
      withExtendedLifetime(body) {}
    case 3:
      let outcome = await session.exchange(request, timeout: .microseconds(Int.random(in: 0..<8000)))
      #expect(outcome.error != nil || outcome.head != nil)
    default:
      let task = Task { await session.exchange(request) }
      if index % 5 > 0 { try? await Task.sleep(for: .microseconds(Int.random(in: 0..<8000))) }
      task.cancel()
      let outcome = await task.value
      #expect(outcome.error != nil || outcome.head != nil)
    }
  }
}
#endif
