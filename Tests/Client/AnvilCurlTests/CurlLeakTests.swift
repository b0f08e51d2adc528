#if os(Linux)
import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTesting
import AnvilTestSupport
import Foundation
import Testing

/// Sessions that have ended leave no thread and no descriptor. The tests run in separate processes.
@Suite(.timeLimit(.minutes(15))) struct CurlLeakTests {
  /// Waits until the process has no more threads and descriptors than before. Leaks reach the suite's time limit.
  private static func waitFor(_ threads: Int, _ descriptors: Int) async throws {
    await waitUntil { ProcessFigures.threadCount <= threads && ProcessFigures.descriptorCount <= descriptors }
  }

  @Test func releasedSessionsLeakNothing() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      server.on(.get, "/ok") { _ in .text("ok") }
      server.on(.get, "/never") { _ in .fault(.neverAnswers) }
      let url = server.url("/ok")
      // One-time initialisation of the runtime and the library.
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

      // Active, queued and cancelled transfers.
      let session = CurlSession(configuration: configured { $0.connections.perHost = 3 })
      let transfers = (0..<10).map { _ in Task { await session.get(server.url("/never"), timeout: nil) } }
      await waitUntil { server.requests.count { $0.path == "/never" } == 3 }
      await session.shutDown(.cancellingTransfers)
      for transfer in transfers { _ = await transfer.value }
      try await Self.waitFor(threads, descriptors)

      // Bodies without readers, of sessions that have been released.
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
