import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

/// The end of a session, and tasks that run on its thread.
@Suite(.timeLimit(.minutes(15))) struct CurlShutdownTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/ok") { _ in .text("ok") }
    server.on(.get, "/late") { _ in .text("late").after(.milliseconds(100)) }
    server.on(.get, "/never") { _ in .fault(.neverAnswers) }
    server.on(.get, "/large") { _ in
      .status(200, length: 8 << 20, body: repeatElement(Data(count: 1 << 16), count: 128))
    }
  }

  private var narrow: CurlSession {
    CurlSession(configuration: configured { $0.connections.perHost = 2 })
  }

  @Test func finishingWaitsForRunningAndQueuedTransfers() async throws {
    let session = narrow
    let server = server
    let transfers = Task {
      await withTaskGroup(of: Outcome.self) { group in
        for _ in 0..<6 { group.addTask { await session.get(server.url("/late")) } }
        return await group.reduce(into: []) { $0.append($1.text + $1.reason) }
      }
    }
    await waitUntil { server.requests.count >= 2 }
    await session.shutDown(.finishingTransfers)
    // Transfers that were waiting for a response completed, and queued ones failed.
    let texts = await transfers.value
    #expect(texts.count { $0 == "late" } == server.requests.count)
    #expect(texts.allSatisfy { $0 == "late" || $0 == "the session was shut down" }, "\(texts)")
    let after = await session.get(server.url("/ok"))
    #expect(after.error?.code == .other)
    #expect(after.reason == "the session was shut down")
  }

  @Test func cancellingEndsRunningAndQueuedTransfers() async throws {
    let session = narrow
    let server = server
    let transfers = Task {
      await withTaskGroup(of: Outcome.self) { group in
        for _ in 0..<6 { group.addTask { await session.get(server.url("/never"), timeout: nil) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    await waitUntil { server.requests.count == 2 }
    await session.shutDown(.cancellingTransfers)
    for outcome in await transfers.value {
      let reason = outcome.reason
      #expect(reason == "the session was shut down", "\(outcome)")
      #expect(outcome.error?.code == .cancelled || outcome.error?.code == .other)
    }
    #expect(await session.get(server.url("/ok")).error?.code == .other)
  }

  @Test func cancellingEndsABodyThatIsBeingRead() async throws {
    let session = CurlSession()
    let response = try await session.send(
      HTTP.Request(url: server.url("/large")), options: TransportOptions(responseDelivery: .streamed))
    await session.shutDown(.cancellingTransfers)
    var body = response.body.makeAsyncIterator()
    let error = await #expect(throws: TransportError.self) { while try await body.next() != nil {} }
    #expect(error?.code == .cancelled)
  }

  @Test func finishingWaitsForABodyThatIsBeingRead() async throws {
    let session = CurlSession()
    let response = try await session.send(
      HTTP.Request(url: server.url("/large")), options: TransportOptions(responseDelivery: .streamed))
    async let end: Void = session.shutDown(.finishingTransfers)
    var count = 0
    for try await chunk in response.body { count += chunk.count }
    #expect(count == 8 << 20)
    await end
  }

  @Test func anUnusedSessionShutsDownAtOnce() async {
    let session = CurlSession()
    await session.shutDown()
    await session.shutDown(.cancellingTransfers)
    #expect(await session.get(server.url("/ok")).error?.code == .other)
  }

  @Test(arguments: [CurlSession.Shutdown.finishingTransfers, .cancellingTransfers])
  func concurrentShutdownsAreAllowed(mode: CurlSession.Shutdown) async {
    for _ in 0..<100 {
      let session = CurlSession()
      #expect(await session.get(server.url("/ok")).text == "ok")
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { await session.shutDown(mode) } }
      }
      await session.shutDown()
    }
  }

  @Test func aCancellingShutdownEndsAWaitingOne() async throws {
    let session = CurlSession()
    let server = server
    let transfer = Task { await session.get(server.url("/never"), timeout: nil) }
    await waitUntil { !server.requests.isEmpty }
    let patient = Task { await session.shutDown(.finishingTransfers) }
    // A session that is being shut down rejects requests.
    await waitUntil { await session.get(server.url("/ok")).error != nil }
    await session.shutDown(.cancellingTransfers)
    await patient.value
    #expect(await transfer.value.error?.code == .cancelled)
  }

  @Test func aReleasedSessionFinishesItsTransfers() async throws {
    let server = server
    let transfer = Task { await CurlSession().get(server.url("/late")) }
    #expect(await transfer.value.text == "late")
    let body = try await CurlSession().send(
      HTTP.Request(url: server.url("/large")), options: TransportOptions(responseDelivery: .streamed)
    ).body
    var count = 0
    for try await chunk in body { count += chunk.count }
    #expect(count == 8 << 20)
  }

  // MARK: On the session's thread

  @Test func tasksCanRunOnTheSessionsThread() async {
    let session = CurlSession()
    let url = server.url("/ok")
    let texts = await withTaskExecutorPreference(session.executor) {
      await withTaskGroup(of: String.self) { group in
        for _ in 0..<200 { group.addTask { await session.get(url).text } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(texts == Array(repeating: "ok", count: 200))
    await session.shutDown()
  }

  @Test func aTaskOnTheSessionsThreadCanBeCancelled() async throws {
    let session = CurlSession()
    let server = server
    let task = Task(executorPreference: session.executor) { await session.get(server.url("/never"), timeout: nil) }
    await waitUntil { !server.requests.isEmpty }
    task.cancel()
    #expect(await task.value.error?.code == .cancelled)
    // Also from the session's thread.
    let inner = await withTaskExecutorPreference(session.executor) {
      let task = Task(executorPreference: session.executor) { await session.get(server.url("/never"), timeout: nil) }
      await waitUntil { server.requests.count >= 2 }
      task.cancel()
      return await task.value
    }
    #expect(inner.error?.code == .cancelled)
    await session.shutDown()
  }

  @Test func aTaskOnTheSessionsThreadCanShutItDown() async {
    let session = CurlSession()
    let url = server.url("/ok")
    let text = await withTaskExecutorPreference(session.executor) {
      let text = await session.get(url).text
      await session.shutDown()
      return text + (await session.get(url).reason)
    }
    #expect(text == "okthe session was shut down")
  }

  @Test func aRunningTaskDoesNotDelayTheShutdown() async throws {
    let session = CurlSession()
    #expect(await session.get(server.url("/ok")).text == "ok")
    let counter = Recorder<Int>()
    let task = Task(executorPreference: session.executor) {
      while !Task.isCancelled {
        counter.add(1)
        await Task.yield()
      }
      return counter.all.count
    }
    await waitUntil { counter.all.count > 10 }
    await session.shutDown()
    // It continues on the default executor.
    let count = counter.all.count
    await waitUntil { counter.all.count > count }
    task.cancel()
    #expect(await task.value > count)
  }

  @Test func theExecutorOutlivesItsSession() async {
    let executor = CurlSession().executor
    #expect(await withTaskExecutorPreference(executor) { 7 } == 7)
    let session = CurlSession()
    await session.shutDown()
    #expect(await withTaskExecutorPreference(session.executor) { 7 } == 7)
  }
}
