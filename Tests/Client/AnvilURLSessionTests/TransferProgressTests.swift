import AnvilClient
import AnvilHTTP
import AnvilTesting
import AnvilURLSession
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct TransferProgressTests {
  private let transport = TransportService(session: URLTransportSession())

  /// Executes the request and returns the reported progress of each direction.
  private func execute(
    _ request: HTTP.Request, delivery: ResponseDelivery = .collected
  ) async throws -> (sent: [TransferProgress], received: [TransferProgress]) {
    let heard = Heard()
    let options = TransportOptions(
      timeout: .seconds(60), responseDelivery: delivery, progressHandler: { heard.add($0) })
    _ = try await transport.execute(request, options: options).get().body.collect()
    return (heard.all.filter { $0.direction == .sent }, heard.all.filter { $0.direction == .received })
  }

  final class Heard: Sendable {
    private let list = Mutex<[TransferProgress]>([])
    var all: [TransferProgress] { list.withLock { $0 } }
    func add(_ progress: TransferProgress) { list.withLock { $0.append(progress) } }
  }

  private func expectWhole(_ heard: [TransferProgress], _ count: Int, total: Int?) {
    #expect(heard.first?.byteCount == 0 && heard.first?.totalByteCount == total)
    #expect(heard.last?.byteCount == count && heard.last?.totalByteCount == count)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.byteCount <= $1.byteCount })
    #expect(heard.count > 1)
  }

  @Test(arguments: [ResponseDelivery.collected, .streamed])
  func downloadProgressReachesTheLastByte(delivery: ResponseDelivery) async throws {
    let server = try LoopbackServer()
    server.on(.get, "/length") { _ in
      .status(200, length: 3_000_001, body: repeatElement(Data(count: 10_000), count: 301))
    }
    server.on(.get, "/chunked") { _ in .chunked(repeatElement(Data(count: 10_000), count: 300)) }
    let sized = try await execute(HTTP.Request(url: server.url("/length")), delivery: delivery)
    expectWhole(sized.received, 3_000_001, total: 3_000_001)
    #expect(sized.sent.isEmpty)
    expectWhole(
      try await execute(HTTP.Request(url: server.url("/chunked")), delivery: delivery).received, 3_000_000, total: nil)
  }

  /// The handler runs in a callback of URLSession, which others wait behind while it is slow.
  @Test func aSlowHandlerCanCancelItsTransfer() async throws {
    let server = try LoopbackServer(requestBodies: .counted)
    server.on(.put, "/") { _ in .text("ok") }
    let cancelling = Mutex<Task<Result<TransportSuccess, TransportFailure>, Never>?>(nil)
    let request = HTTP.Request(method: .put, url: server.url, body: HTTP.Body(Data(count: 100_000_000)))
    let options = TransportOptions(progressHandler: { progress in
      Thread.sleep(forTimeInterval: 0.001)
      if progress.byteCount > 0 { cancelling.withLock { $0?.cancel() } }
    })
    let task = Task { [transport] in await transport.execute(request, options: options) }
    cancelling.withLock { $0 = task }
    #expect(await task.value.failure?.error.code == .cancelled)
  }

  /// In memory, in memory from a stream, and by way of a temporary file.
  @Test(arguments: [3_000_001, 20_000_000])
  func uploadProgressReachesTheLastByte(count: Int) async throws {
    let server = try LoopbackServer()
    server.on(.put, "/") { .text("\($0.body.count)") }
    let data = Data(count: count)
    let (stream, end) = AsyncStream<Data>.makeStream()
    end.yield(data)
    end.finish()
    for body in [HTTP.Body(data), .stream(stream)] {
      let heard = try await execute(HTTP.Request(method: .put, url: server.url, body: body))
      expectWhole(heard.sent, count, total: count)
    }
    #expect(server.requests.map(\.body.count) == [count, count])
  }
}
