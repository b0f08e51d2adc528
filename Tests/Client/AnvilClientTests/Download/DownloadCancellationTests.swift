import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// A cancelled download has released its file for the next one, however it was cancelled.
@Suite(.timeLimit(.minutes(15))) struct DownloadCancellationTests {
  /// The object that is cancelled.
  enum Cancelled: CaseIterable {
    case service, gateway
  }

  private let folder: TemporaryFolder
  private let content = Data.random(100_000)
  private let origin: Origin

  init() throws {
    folder = try TemporaryFolder()
    origin = try Origin(content)
  }

  /// Starts a download, cancels it halfway, and waits as the code that cancelled it would.
  private func cancelHalfway(_ cancelled: Cancelled) async throws {
    let (body, writer) = TransportBody.makeStream()
    let held = HeldSession(body: body, headers: [.eTag: "\"v1\"", .contentLength: "100000"])
    let service = TransportService(session: held)
    let reached = AsyncStream<Void>.makeStream()
    var options = DownloadOptions.impatient
    options.progressHandler = { if $0.byteCount == 50_000 { reached.continuation.yield() } }
    writer.yield(content.prefix(50_000))

    let baseURL = try #require(URL(string: "https://files.example.com"))
    let request = Gateway(baseURL: baseURL, backend: BackendService(transportService: service)).request("big.iso")
    let target = folder.target
    switch cancelled {
    case .service:
      let task = Task { [origin, options] in await service.download(origin.request, to: target, options: options) }
      for await _ in reached.stream { break }
      task.cancel()
      #expect(await task.value.failure?.error.code == .cancelled)
    case .gateway:
      let task = Task { [options] in try await request.download(to: target, options: options).code }
      for await _ in reached.stream { break }
      task.cancel()
      #expect(await task.result.failure is CancellationError)
    }
  }

  @Test(arguments: Cancelled.allCases) func theNextDownloadResumesACancelledOne(cancelled: Cancelled) async throws {
    for round in 1...20 {
      try await cancelHalfway(cancelled)
      let next = await origin.service.download(origin.request, to: folder.target, options: .impatient)
      #expect(next.failure == nil, "round \(round)")
      #expect(try Data(contentsOf: folder.target) == content)
      #expect(try folder.names == ["big.iso"])
      #expect(origin.ranges.last == "bytes=50000-")
    }
  }

  @Test func aDownloadCancelledBeforeItsStartDoesNotBlockTheNext() async throws {
    for _ in 1...50 {
      let task = Task { [origin, folder] in await origin.service.download(origin.request, to: folder.target) }
      task.cancel()
      let next = await origin.service.download(origin.request, to: folder.target, options: .impatient)
      #expect(next.failure == nil)
      _ = await task.value
    }
  }

  @Test func aDownloadDoesNotWaitForOneToAnotherFile() async throws {
    let (body, writer) = TransportBody.makeStream()
    let held = HeldSession(body: body, headers: [.contentLength: "100000"])
    let begun = AsyncStream<Void>.makeStream()
    var options = DownloadOptions.impatient
    options.progressHandler = { _ in begun.continuation.yield() }
    let holding = Task { [origin, folder, options] in
      await TransportService(session: held).download(origin.request, to: folder.target, options: options)
    }
    for await _ in begun.stream { break }

    let deaf = DeafSession()
    let elsewhere = try TemporaryFolder()
    let cancelled = Task { [origin] in
      await TransportService(session: deaf).download(origin.request, to: elsewhere.target, options: .impatient)
    }
    await deaf.waitUntilAsked()
    cancelled.cancel()

    let next = await origin.service.download(origin.request, to: folder.target, options: .impatient)
    #expect(next.failure?.error.reason == "the file big.iso cannot be written: another download is writing to it")
    deaf.answer()
    _ = await cancelled.value
    writer.yield(content)
    writer.finish()
    #expect(await holding.value.failure == nil)
  }
}

/// A session that answers when the test tells it to, even if its caller is cancelled.
private struct DeafSession: TransportSession {
  private let asked = AsyncStream<Void>.makeStream()
  private let answered = AsyncStream<Void>.makeStream()

  func waitUntilAsked() async {
    for await _ in asked.stream { break }
  }

  func answer() { answered.continuation.finish() }

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    asked.continuation.finish()
    // A separate task is not cancelled with the caller.
    await Task { for await _ in answered.stream {} }.value
    throw TransportError(code: .cancelled)
  }
}
