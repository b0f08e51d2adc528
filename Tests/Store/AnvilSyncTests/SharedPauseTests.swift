import Anvil
import AnvilSync
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Requests that have reserved their starts when a pause begins for all processes. Each rate limiter represents a
/// process.
@Suite(.timeLimit(.minutes(15))) struct SharedPauseTests {
  /// Keeps a limit in memory, by the time of a test's clock.
  private final class MemoryCoordinator: ClientCoordinator {
    private let limit = Mutex(SharedLimit(name: "x"))
    let elapsed: @Sendable () -> Duration

    init(_ clock: TestClock) {
      let start = clock.now
      elapsed = { start.duration(to: clock.now) }
    }

    private var now: Double { elapsed() / .seconds(1) }

    func reserveStart(
      of name: String, requests: Int, per interval: Duration, within remaining: Duration?
    ) async throws -> Duration {
      limit.withLock {
        .seconds(
          $0.reserveStart(
            at: now, requests: requests, per: interval / .seconds(1), within: remaining.map { $0 / .seconds(1) }))
      }
    }

    func pause(_ name: String, for duration: Duration) async throws {
      limit.withLock { $0.pause(at: now, for: duration / .seconds(1)) }
    }

    func token(
      _ name: String, insteadOf old: TokenRefresher.Token?, refresh: TokenRefresher.Refresh
    ) async throws -> (token: TokenRefresher.Token, isNew: Bool) {
      (try await refresh(old), true)
    }
  }

  private struct Recorder: TransportSession {
    let record: @Sendable () -> Void

    func send(
      _ request: HTTP.Request, options: TransportOptions
    ) async throws(TransportError) -> TransportResponse {
      record()
      return TransportResponse(head: HTTP.Response(request: request, status: 200), body: TransportBody(Data()))
    }
  }

  @Test func requestsDelayedByAPauseKeepTheRate() async throws {
    let clock = TestClock()
    let coordinator = MemoryCoordinator(clock)
    let starts = Mutex<[Duration]>([])
    let session = Recorder { starts.withLock { $0.append(coordinator.elapsed()) } }
    let request = HTTP.Request(url: try #require(URL(string: "https://api.example.com/x")))
    let tasks = (0..<4).map { _ in
      Task {
        let limiter = RateLimiter(requests: 1, per: .seconds(10), coordinator: coordinator, clock: clock)
        _ = try await limiter.interceptor.intercept(request, options: TransportOptions(), next: session)
      }
    }
    // One starts at once, and three reserve the starts at 10, 20 and 30 seconds.
    await clock.waitForSleepers(3)
    try await coordinator.pause("x", for: .seconds(35))
    for _ in 0..<70 {
      await waitUntil { clock.sleeperCount + starts.withLock(\.count) >= 4 }
      clock.advance(by: .seconds(1))
    }
    for task in tasks { try await task.value }
    let times = starts.withLock { $0 }
    #expect(times.count == 4 && times.dropFirst().allSatisfy { $0 >= .seconds(35) })
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(10) })
  }
}
