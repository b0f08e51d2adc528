public import AnvilHTTP
internal import AnvilPlatform
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Limits the number of requests to an origin within an interval, and the number of concurrent requests. Other requests wait in the order
/// in which they were made.
///
///     var configuration = ClientConfiguration.standard
///     configuration.rateLimit = RateLimiter(requests: 10, per: .seconds(1), atOnce: 4)
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// A request is in progress until its body was read or released. After a 429 with a `Retry-After`, all other requests wait for that time.
/// When a waiting request is cancelled, the next one takes its place. A request whose ``RequestPolicy/deadline`` would pass before its turn
/// fails at once, with `TransportError.Code.timedOut` in phase `delay`.
///
/// All requests of the services that use the limiter share it, and each origin has a separate queue. Requests to an origin are forgotten
/// within the interval only if requests to more than 65,536 other origins follow.
public final class RateLimiter: Interceptor {
  private typealias Waiter = CheckedContinuation<Bool, Never>

  private struct OriginState: Sendable {
    var requests: RequestQueue<Waiter>
    /// The time at which the queue is checked again, and the task that does it.
    var wake: (at: Duration, task: Task<Void, Never>)?
  }

  private struct State: Sendable {
    var origins: OriginTable<OriginState>
    var lastID = 0
  }

  private let pauseLimit: Duration
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let now: @Sendable () -> Date
  private let state: Mutex<State>

  /// Creates a rate limiter.
  ///
  /// - Parameters:
  ///   - requests: The maximum number of requests that start within any `interval`; at least one.
  ///   - interval: The time for which a start counts.
  ///   - atOnce: The maximum number of requests in progress; at least one.
  ///   - pauseLimit: The longest time for which a server can pause all requests.
  ///   - clock: The clock that measures waiting times.
  ///   - now: Returns the time of day, which a server's dates are compared with.
  public init(
    requests: Int = .max, per interval: Duration = .seconds(1), atOnce: Int = .max, pauseLimit: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let limits = RequestQueue<Waiter>.Limits(
      requests: max(requests, 1), interval: interval.clampedForClocks, atOnce: max(atOnce, 1))
    self.pauseLimit = pauseLimit
    self.clock = clock
    elapsed = clock.stopwatch()
    self.now = now
    let origins = OriginTable(
      makeState: { OriginState(requests: RequestQueue(limits)) },
      retention: { $0.requests.isInUse ? .inUse : .until($0.requests.end) })
    state = Mutex(State(origins: origins))
  }

  /// Waits for the request's turn and sends it.
  ///
  /// - Throws: `TransportError.Code.timedOut` if the deadline does not allow the wait, and `TransportError.Code.cancelled` if the wait was
  ///   cancelled, both in phase `delay`. Otherwise the error of the attempt.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = request.origin else { return try await next.send(request, options: options) }
    try await waitForTurn(origin, within: options.deadline?.remaining)
    // The permit ends when its last owner releases it.
    let permit = Permit { [weak self] in self?.endTurn(origin, wasSent: true) }
    do throws(TransportError) {
      var response = try await next.send(request, options: options)
      if response.head.code == 429 { pause(origin, by: response.head) }
      response.body = response.body.holding(permit)
      return response
    } catch {
      permit.end()
      throw error
    }
  }
}

/// The queue of an origin.
extension RateLimiter {
  /// The number of origins that have a queue.
  var originCount: Int { state.withLock(\.origins.count) }

  /// Returns the number of requests that wait for the origin of `request`. For tests.
  func waitingCount(for request: HTTP.Request) -> Int {
    request.origin.flatMap { origin in state.withLock { $0.origins[origin]?.requests.waitingCount } } ?? 0
  }

  private func waitForTurn(_ origin: HTTP.Origin, within remaining: Duration?) async throws(TransportError) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let start = elapsed()
    let tooLong = Mutex<Duration?>(nil)
    let isTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let isWaiting = change(origin) { state in
          guard !Task.isCancelled else { return false }
          let wait = state.requests.join(waiter, id: id, at: elapsed(), within: remaining)
          tooLong.withLock { $0 = wait }
          return wait == nil
        }
        if !isWaiting { waiter.resume(returning: false) }
      }
    } onCancel: {
      change(origin) { $0.requests.leave(id) }?.resume(returning: false)
    }
    if isTurn, !Task.isCancelled { return }
    if isTurn { endTurn(origin, wasSent: false) }
    let waited = elapsed() - start
    if let wait = tooLong.withLock({ $0 }) {
      throw TransportError(
        code: .timedOut, phase: .delay, elapsed: waited,
        reason: "its turn by the rate limit would be in \(wait.secondsDescription), beyond the deadline")
    }
    throw TransportError(code: .cancelled, phase: .delay, reason: "while waiting for its turn by the rate limit")
  }

  private func endTurn(_ origin: HTTP.Origin, wasSent: Bool) {
    change(origin) { $0.requests.end(wasSent: wasSent) }
  }

  private func pause(_ origin: HTTP.Origin, by response: HTTP.Response) {
    guard let pause = RetryAfter.delay(in: response.headers, status: response.status, now: now()) else { return }
    change(origin) { $0.requests.pause(until: elapsed() + min(pause, pauseLimit)) }
  }

  /// Changes a queue, and starts the requests that may then start.
  @discardableResult
  private func change<Result: Sendable>(_ origin: HTTP.Origin, _ change: (inout OriginState) -> Result) -> Result {
    let (result, ready) = state.withLock { state in
      let now = elapsed()
      return state.origins.change(origin, at: now) { originState in
        let result = change(&originState)
        return (result, takeReady(origin, in: &originState, at: now))
      }
    }
    for waiter in ready { waiter.resume(returning: true) }
    return result
  }

  /// Returns the requests that may start, and schedules the next check of the queue.
  private func takeReady(_ origin: HTTP.Origin, in state: inout OriginState, at now: Duration) -> [Waiter] {
    state.requests.forget(before: now)
    let ready = state.requests.takeReady(at: now)
    if let next = state.requests.nextStart(at: now) {
      if state.wake.map({ next < $0.at }) ?? true {
        state.wake?.task.cancel()
        state.wake = (next, wake(origin, after: next - now))
      }
    } else {
      state.wake.take()?.task.cancel()
    }
    return ready
  }

  private func wake(_ origin: HTTP.Origin, after pause: Duration) -> Task<Void, Never> {
    Task { [clock, weak self] in
      guard (try? await clock.sleep(for: pause)) != nil else { return }
      self?.change(origin) { $0.wake = nil }
    }
  }
}
