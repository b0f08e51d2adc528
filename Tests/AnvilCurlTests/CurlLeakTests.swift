#if os(Linux)
import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// What is left of sessions in a process of their own: no thread, no descriptor.
@Suite(.timeLimit(.minutes(5))) struct CurlLeakTests {
  /// Waits until the process has no more than it had; what is left otherwise the time limit tells.
  private static func waitFor(_ threads: Int, _ descriptors: Int) async throws {
    try await wait { ProcessFigures.threadCount <= threads && ProcessFigures.descriptorCount <= descriptors }
  }

  @Test func releasedSessionsLeakNothing() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      server.on(.get, "/ok") { _ in .text("ok") }
      server.on(.get, "/never") { _ in .fault(.neverAnswers) }
      let url = server.url("/ok")
      // What the runtime and the library start once.
      let first = CurlSession()
      #expect(await first.get(url).text == "ok")
      await first.shutDown()
      await ProcessFigures.startTaskThreads()
      try await ProcessFigures.settle()
      let (threads, descriptors) = (ProcessFigures.threadCount, ProcessFigures.descriptorCount)

      for index in 0..<20 {
        let session = CurlSession()
        #expect(await session.get(url).text == "ok")
        if index % 2 == 0 { await session.shutDown(index % 4 == 0 ? .finishingTransfers : .cancellingTransfers) }
      }
      try await Self.waitFor(threads, descriptors)

      // Under way, waiting, and cut off.
      let session = CurlSession(configuration: configured { $0.connections.perHost = 3 })
      let transfers = (0..<10).map { _ in Task { await session.get(server.url("/never"), timeout: nil) } }
      try await wait { server.requests.count { $0.path == "/never" } == 3 }
      await session.shutDown(.cancellingTransfers)
      for transfer in transfers { _ = await transfer.value }
      try await Self.waitFor(threads, descriptors)

      // Bodies that nobody reads, of sessions that nobody has.
      server.on(.get, "/large") { _ in
        .status(200, length: 8 << 20, body: repeatElement(Data(count: 8192), count: 1024))
      }
      for _ in 0..<5 {
        let options = TransportOptions(responseDelivery: .streamed)
        _ = try await CurlSession().send(HTTP.Request(url: server.url("/large")), options: options)
      }
      try await Self.waitFor(threads, descriptors)
    }
  }
}
#endif
