import Anvil
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

// The clock of a configuration over sessions that measure the time of the system, or none.

@Suite(.timeLimit(.minutes(15))) struct SessionClockTests {
  /// A session that ignores the timeout, as a caller's may. It ends when the task is cancelled.
  private struct Unlimited: TransportSession {
    let hasHead: Bool

    func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
      if hasHead {
        let (body, writer) = TransportBody.makeStream()
        writer.yield(Data("part".utf8))
        return TransportResponse(head: HTTP.Response(request: request, status: 200), body: body)
      }
      do { try await Task.sleep(for: .seconds(86_400)) } catch {
        throw TransportError(code: .cancelled, phase: .firstByte)
      }
      throw TransportError(code: .other)
    }
  }

  private let clock = TestClock()

  private func failure(
    over session: any TransportSession, at url: URL, moving time: Duration,
    _ change: (inout RequestSettings) -> Void
  ) async throws -> TransportFailure? {
    var configuration = ClientConfiguration.bare
    configuration.clock = clock
    change(&configuration.settings)
    let gateway = Gateway(baseURL: url, session: session, configuration: configuration).failing(
      as: TransportFailure.self)
    let isDone = Flag()
    let call = Task { () -> TransportFailure? in
      defer { isDone.set() }
      do throws(TransportFailure) {
        try await gateway.request().send()
        return nil
      } catch {
        return error
      }
    }
    await clock.waitForSleepers(1)
    #expect(!isDone.isSet)
    clock.advance(by: time - .seconds(1))
    await clock.waitForSleepers(1)
    // A limit that begins with the head may be set only now.
    await waitUntil {
      clock.advance(by: .seconds(1))
      return isDone.isSet
    }
    return await call.value
  }

  private final class Flag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
  }

  @Test func r9_aDeadlineEndsAnExchangeOfTheDefaultSessionByItsClock() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.hang]) }
    let session = DefaultSession.shared
    let failure = try await failure(over: session, at: server.url, moving: .seconds(300)) {
      $0.timeout = .unlimited
      $0.deadline = .seconds(300)
    }
    let error = try #require(failure?.error)
    #expect(error.code == .timedOut && error.reason == "the deadline of 300.000 s for the whole request")
  }

  @Test(arguments: [true, false])
  func r9_aDeadlineEndsAnExchangeThatIgnoresIt(hasHead: Bool) async throws {
    let url = try #require(URL(string: "https://api.example.com/"))
    let failure = try await failure(over: Unlimited(hasHead: hasHead), at: url, moving: .seconds(300)) {
      $0.timeout = .unlimited
      $0.deadline = .seconds(300)
    }
    let error = try #require(failure?.error)
    #expect(error.code == .timedOut && error.phase == (hasHead ? .body : .firstByte))
    #expect(error.reason == "the deadline of 300.000 s for the whole request")
  }

  @Test func r9_aTimeoutEndsAnExchangeOfTheDefaultSessionByItsClock() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/") { _ in .raw([.hang]) }
    let failure = try await failure(over: DefaultSession.shared, at: server.url, moving: .seconds(300)) {
      $0.timeout = .seconds(300)
    }
    let error = try #require(failure?.error)
    #expect(error.code == .timedOut && error.phase == .firstByte && error.elapsed.map { $0 >= .seconds(300) } == true)
  }

  @Test(arguments: [true, false])
  func r9_aTimeoutEndsAnExchangeThatIgnoresIt(hasHead: Bool) async throws {
    let url = try #require(URL(string: "https://api.example.com/"))
    let failure = try await failure(over: Unlimited(hasHead: hasHead), at: url, moving: .seconds(300)) {
      $0.timeout = .seconds(300)
    }
    let error = try #require(failure?.error)
    #expect(error.code == .timedOut && error.phase == (hasHead ? .body : .firstByte) && error.reason == nil)
    #expect(failure?.response?.body.data == (hasHead ? Data("part".utf8) : nil))
  }

  @Test func theCallersCancellationIsNotATimeout() async throws {
    let url = try #require(URL(string: "https://api.example.com/"))
    var configuration = ClientConfiguration.bare
    configuration.clock = clock
    configuration.timeout = .seconds(300)
    let gateway = Gateway(baseURL: url, session: Unlimited(hasHead: false), configuration: configuration)
    let call = Task { try await gateway.request().send() }
    await clock.waitForSleepers(1)
    call.cancel()
    let error = try #require(await call.result.failure as? AnyError)
    #expect(error.transportError?.code == .cancelled)
    await waitUntil { clock.sleeperCount == 0 }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
