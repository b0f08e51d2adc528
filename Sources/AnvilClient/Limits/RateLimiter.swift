public import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Sends no more than so many requests to an origin within an interval, and no more than so many at once; the others wait for
/// their turn, first come, first served.
///
///     var configuration = ClientConfiguration.standard
///     configuration.rateLimit = RateLimiter(requests: 10, per: .seconds(1), atOnce: 4)
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// A request is under way until its body was read or let go of. A response of 429 with a `Retry-After` has all others wait for
/// as long. Cancelling a request that waits passes its turn on. One whose ``RequestPolicy/deadline`` would be over before its turn
/// fails at once, with `TransportError.Code.timedOut` in phase `delay`.
///
/// Shared by all requests of the services that it is given to; each origin has a line of its own. What was sent to an origin is
/// forgotten within the interval only where more than 65,536 other origins were asked since.
public final class RateLimiter: Interceptor {
  private struct Line: Sendable {
    var requests: RequestLine
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    /// When it is looked at again.
    var wake: (at: Duration, task: Task<Void, Never>)?
  }

  private struct State: Sendable {
    var lines: OriginTable<Line>
    var lastID = 0
  }

  private let pauseLimit: Duration
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let now: @Sendable () -> Date
  private let state: Mutex<State>

  /// A limiter.
  ///
  /// - Parameters:
  ///   - requests: how many may start within any `interval`; at least one.
  ///   - interval: how long a start counts.
  ///   - atOnce: how many may be under way; at least one.
  ///   - pauseLimit: the longest that a server may have all requests wait.
  ///   - clock: what waits are measured by.
  ///   - now: the time of day, against which a server's dates are held.
  public init(
    requests: Int = .max, per interval: Duration = .seconds(1), atOnce: Int = .max, pauseLimit: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let limits = RequestLine.Limits(
      requests: max(requests, 1), interval: min(max(interval, .zero), .seconds(1_000_000_000)), atOnce: max(atOnce, 1))
    self.pauseLimit = pauseLimit
    self.clock = clock
    elapsed = clock.stopwatch()
    self.now = now
    let lines = OriginTable(
      makeState: { Line(requests: RequestLine(limits)) },
      retention: { $0.requests.isInUse ? .inUse : .until($0.requests.end) })
    state = Mutex(State(lines: lines))
  }

  /// Waits for the request's turn and sends it.
  ///
  /// - Throws: `TransportError.Code.timedOut` for a wait that the deadline does not allow, `TransportError.Code.cancelled` for
  ///   one that was cancelled, both in phase `delay`; else what the attempt throws.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = HTTP.Origin(request.url) else { return try await next.send(request, options: options) }
    try await waitForTurn(origin, within: options.deadline?.remaining)
    // Ends with the last of those that hold it.
    let turn = Turn { [weak self] in self?.endTurn(origin, wasSent: true) }
    do throws(TransportError) {
      var response = try await next.send(request, options: options)
      if response.head.code == 429 { pause(origin, by: response.head) }
      response.body = response.body.holding(turn)
      return response
    } catch {
      turn.end()
      throw error
    }
  }
}

/// The line of an origin.
extension RateLimiter {
  /// How many origins have a line.
  var originCount: Int { state.withLock(\.lines.count) }

  /// How many wait to be sent where `request` goes; for tests, which wait for that.
  func waitingCount(for request: HTTP.Request) -> Int {
    HTTP.Origin(request.url).flatMap { origin in state.withLock { $0.lines[origin]?.waiting.count } } ?? 0
  }

  private func waitForTurn(_ origin: HTTP.Origin, within remaining: Duration?) async throws(TransportError) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let start = elapsed()
    let tooLong = Mutex<Duration?>(nil)
    let isTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = change(origin) { line in
          guard !Task.isCancelled else { return false }
          if let wait = line.requests.join(id, at: elapsed(), within: remaining) {
            tooLong.withLock { $0 = wait }
            return false
          }
          line.waiting[id] = continuation
          return true
        }
        if !isWaiting { continuation.resume(returning: false) }
      }
    } onCancel: {
      change(origin) { line -> CheckedContinuation<Bool, Never>? in
        line.requests.leave(id)
        return line.waiting.removeValue(forKey: id)
      }?.resume(returning: false)
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

  /// Changes a line, and lets those go whose turn it then is.
  @discardableResult
  private func change<Result: Sendable>(_ origin: HTTP.Origin, _ change: (inout Line) -> Result) -> Result {
    let (result, ready) = state.withLock { state in
      let now = elapsed()
      return state.lines.change(origin, at: now) { line in
        let result = change(&line)
        return (result, letGo(origin, in: &line, at: now))
      }
    }
    for continuation in ready { continuation.resume(returning: true) }
    return result
  }

  private func letGo(
    _ origin: HTTP.Origin, in line: inout Line, at now: Duration
  ) -> [CheckedContinuation<Bool, Never>] {
    line.requests.forget(before: now)
    let ready = line.requests.takeReady(at: now).compactMap { line.waiting.removeValue(forKey: $0) }
    if let next = line.requests.nextStart(at: now) {
      if line.wake.map({ next < $0.at }) ?? true {
        line.wake?.task.cancel()
        line.wake = (next, wake(origin, after: next - now))
      }
    } else {
      line.wake.take()?.task.cancel()
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
