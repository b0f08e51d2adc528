public import AnvilBase
package import AnvilHTTP
internal import Synchronization

/// Limits the number of requests to an origin within an interval, and the number of concurrent requests. Other requests wait in the order
/// in which they were made.
///
///     var configuration = ClientConfiguration.standard
///     configuration.rateLimit = RateLimiter(requests: 10, per: .seconds(1), concurrencyLimit: 4)
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// A request is in progress until the body of its response has been read or released. After a 429 with a `Retry-After`, all other requests
/// wait for that time. A 403 with an exhausted rate limit counts as a 429. When a waiting request is cancelled, the next one takes its
/// place. A request whose ``RequestConfigurable/deadline`` would pass before its turn fails at once, with `TransportError.Code.timedOut` in phase `delay`.
///
/// With a ``ClientCoordinator``, requests of other processes count as well: a request that has its turn in this process reserves its start
/// with the coordinator, and after a 429 all processes wait. The limit on concurrent requests applies to this process only.
///
/// All requests of the services that use the limiter share it, and each origin has a separate queue. Requests to an origin count for the
/// whole interval, unless requests to more than 65,536 other origins follow.
public final class RateLimiter: Sendable {
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

  private let limits: RequestQueue<Waiter>.Limits
  private let coordinator: (any ClientCoordinator)?
  private let pauseLimit: Duration
  private let time: SharedTime
  private let state: Mutex<State>

  /// Creates a rate limiter.
  ///
  /// - Parameters:
  ///   - requests: The maximum number of requests that start within any `interval`; at least one.
  ///   - interval: The time for which a start counts.
  ///   - concurrencyLimit: The maximum number of requests in progress; at least one.
  ///   - pauseLimit: The longest time for which a server can pause all requests.
  ///   - coordinator: Shares the limit, except `concurrencyLimit`, with other processes. `nil` for a limit of this process.
  ///   - clock: The clock that measures waiting times. `nil` for that of the configuration whose request uses the limiter first.
  ///   - now: Returns the time of day, which a server's dates are compared with. `nil` for the system's or, if the clock is another one,
  ///     the time of day at the first request and what the clock has measured since.
  public init(
    requests: Int = .max, per interval: Duration = .seconds(1), concurrencyLimit: Int = .max,
    pauseLimit: Duration = .seconds(60),
    coordinator: (any ClientCoordinator)? = nil, clock: (any Clock<Duration>)? = nil,
    now: (@Sendable () -> Date)? = nil
  ) {
    self.coordinator = coordinator
    let limits = RequestQueue<Waiter>.Limits(
      requests: max(requests, 1), interval: interval.clampedForClocks, concurrencyLimit: max(concurrencyLimit, 1))
    self.limits = limits
    self.pauseLimit = pauseLimit
    time = SharedTime(clock, now: now)
    let origins = OriginTable(
      makeState: { OriginState(requests: RequestQueue(limits)) },
      retention: { $0.requests.isInUse ? .inUse : .until($0.requests.end) })
    state = Mutex(State(origins: origins))
  }

  /// Waits for the request's turn and sends it.
  ///
  /// - Throws: `TransportError.Code.timedOut` if the deadline does not allow the wait, and `TransportError.Code.cancelled` if the wait was
  ///   cancelled, both in phase `delay`. `TransportError.Code.other` if the coordinator fails. Otherwise the error of the attempt.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = request.origin else { return try await next.send(request, options: options) }
    time.begin(options)
    try await waitForTurn(origin, within: options.expiry?.remaining)
    // The permit ends when its last owner releases it.
    let permit = Permit { [weak self] in self?.endTurn(origin, wasSent: true) }
    do throws(TransportError) {
      if let coordinator { try await waitForStart(origin, by: coordinator, before: options.expiry) }
      var response = try await next.send(request, options: options)
      if response.head.isRateLimited { await pause(origin, by: response.head) }
      response.body = response.body.holding(permit)
      return response
    } catch {
      permit.end()
      throw error
    }
  }
}

extension RateLimiter: InterceptingPart {}

/// The queue of an origin.
extension RateLimiter {
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
    let start = time.elapsed()
    let tooLong = Mutex<Duration?>(nil)
    let isTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let isWaiting = change(origin) { state in
          guard !Task.isCancelled else { return false }
          let wait = state.requests.join(waiter, id: id, at: time.elapsed(), within: remaining)
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
    let waited = time.elapsed() - start
    if let wait = tooLong.withLock({ $0 }) { throw Self.beyondDeadline(wait, after: waited) }
    throw Self.cancelled
  }

  private static func beyondDeadline(_ wait: Duration, after waited: Duration) -> TransportError {
    TransportError(
      code: .timedOut, phase: .delay, elapsed: waited,
      reason: "the rate limit allows the request only in \(wait.secondsDescription), after the deadline")
  }

  private static var cancelled: TransportError {
    TransportError(code: .cancelled, phase: .delay, reason: "while waiting because of the rate limit")
  }

  /// Waits until the request may start by the limits of all processes.
  private func waitForStart(
    _ origin: HTTP.Origin, by coordinator: any ClientCoordinator, before deadline: RequestDeadline?
  ) async throws(TransportError) {
    let start = time.elapsed()
    do {
      while true {
        let remaining = deadline?.remaining
        let wait = try await coordinator.reserveStart(
          of: "\(origin)", requests: limits.requests, per: limits.interval, within: remaining)
        guard wait > .zero else { return }
        if let remaining, wait >= remaining { throw Self.beyondDeadline(wait, after: time.elapsed() - start) }
        try await time.clock.sleep(for: wait.clampedForClocks)
        // Another process may have been told to pause meanwhile. The reserved start has then passed unused, and so have
        // those of other requests: each reserves another one, so that they do not all start at the end of the pause.
        let pause = try await coordinator.reserveStart(
          of: "\(origin)", requests: .max, per: limits.interval, within: deadline?.remaining)
        if pause <= .zero { return }
      }
    } catch let error as TransportError {
      throw error
    } catch {
      if Task.isCancelled { throw Self.cancelled }
      throw TransportError(
        code: .other, phase: .delay, reason: "the rate limit cannot be shared with other processes",
        underlyingError: error)
    }
  }

  private func endTurn(_ origin: HTTP.Origin, wasSent: Bool) {
    change(origin) { $0.requests.end(wasSent: wasSent) }
  }

  private func pause(_ origin: HTTP.Origin, by response: HTTP.Response) async {
    guard let delay = RetryAfter.delay(of: response, now: time.now()) else { return }
    let pause = min(delay, pauseLimit).clampedForClocks
    change(origin) { $0.requests.pause(until: time.elapsed() + pause) }
    // The response matters more than an error of the coordinator, which the next request reports.
    try? await coordinator?.pause("\(origin)", for: pause)
  }

  /// Changes a queue, and starts the requests that may then start.
  @discardableResult
  private func change<Result: Sendable>(_ origin: HTTP.Origin, _ change: (inout OriginState) -> Result) -> Result {
    let (result, ready) = state.withLock { state in
      let now = time.elapsed()
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
    Task { [clock = time.clock, weak self] in
      guard (try? await clock.sleep(for: pause)) != nil else { return }
      self?.change(origin) { $0.wake = nil }
    }
  }
}

extension HTTP.Response {
  fileprivate var isRateLimited: Bool { code == 429 || code == 403 && RetryAfter.isExhausted(headers) }
}

/// Coordinates the clients of several processes: they share rate limits, the pauses that servers request, and tokens.
///
/// `StoreCoordinator` of AnvilSync uses a database for this. Pass it to ``RateLimiter`` and ``TokenRefresher``.
public protocol ClientCoordinator: Sendable {
  /// Reserves the start of a request, so that at most `requests` start within any `interval` in all processes, and none during a pause.
  ///
  /// - Parameters:
  ///   - name: The name of the limit.
  ///   - requests: The maximum number of requests; `Int.max` if only pauses delay them.
  ///   - interval: The time for which a start counts.
  ///   - remaining: The longest time that the request may wait; `nil` for no limit. If it is too short, nothing is reserved.
  /// - Returns: The time until the start. If it is not less than `remaining`, nothing was reserved.
  func reserveStart(
    of name: String, requests: Int, per interval: Duration, within remaining: Duration?
  ) async throws -> Duration

  /// Prevents requests that count towards the limit `name` from starting for `duration`, in all processes.
  func pause(_ name: String, for duration: Duration) async throws

  /// Returns a valid token other than `old`. A stored token is used if it qualifies. Otherwise `refresh` is called, and
  /// its result is stored.
  ///
  /// `refresh` runs in only one process at a time, in the task of the caller.
  ///
  /// - Parameters:
  ///   - name: The name of the token.
  ///   - old: The token to replace; `nil` for any token.
  ///   - refresh: Returns a new token. It receives `old`, or the stored token.
  /// - Returns: The token, and whether `refresh` was called for it.
  func token(
    _ name: String, insteadOf old: TokenRefresher.Token?, refresh: TokenRefresher.Refresh
  ) async throws -> (token: TokenRefresher.Token, isNew: Bool)
}

/// The queue of requests to one origin, and the recent requests that count against its limits.
///
/// Times are measured from an arbitrary fixed point.
struct RequestQueue<Waiter: Sendable>: Sendable {
  /// The maximum number of requests that start within an interval, and the maximum number of requests in progress.
  struct Limits: Hashable, Sendable {
    let requests: Int
    let interval: Duration
    let concurrencyLimit: Int
  }

  private let limits: Limits
  /// The start times that still count for the interval, in order.
  private var starts = Queue<Duration>()
  private var inProgressCount = 0
  private var waiting = WaitingQueue<Int, Waiter>()
  private var pauseEnd = Duration.zero

  init(_ limits: Limits) {
    self.limits = limits
  }

  var waitingCount: Int { waiting.count }

  /// Adds a request to the end of the queue.
  ///
  /// - Parameters:
  ///   - id: The identifier of the request. A request can join only once.
  ///   - remaining: The longest time that the request may wait; `nil` for no limit.
  /// - Returns: `nil` if the request was added. Otherwise the required waiting time, which is not shorter than `remaining`.
  mutating func join(_ waiter: Waiter, id: Int, at now: Duration, within remaining: Duration?) -> Duration? {
    if let remaining {
      let wait = earliestStart(after: waiting.count, at: now) - now
      guard wait < remaining else { return wait }
    }
    waiting.append(waiter, id: id)
    return nil
  }

  /// Removes the requests that may start now from the queue and returns them in order.
  mutating func takeReady(at now: Duration) -> [Waiter] {
    var ready: [Waiter] = []
    while inProgressCount < limits.concurrencyLimit, earliestStart(after: 0, at: now) <= now,
      let waiter = waiting.popFirst()
    {
      ready.append(waiter)
      inProgressCount += 1
      if isRateLimited { starts.append(now) }
    }
    return ready
  }

  /// Returns the time at which the next request may start. `nil` if the queue is empty or if another request must end first.
  func nextStart(at now: Duration) -> Duration? {
    waiting.isEmpty || inProgressCount >= limits.concurrencyLimit ? nil : earliestStart(after: 0, at: now)
  }

  /// Removes a request from the queue and returns it; `nil` if it does not wait.
  mutating func leave(_ id: Int) -> Waiter? {
    waiting.remove(id)
  }

  /// Records the end of a request that was started. A request that was not sent does not count for the interval.
  mutating func end(wasSent: Bool) {
    inProgressCount -= 1
    if !wasSent { starts.popLast() }
  }

  mutating func pause(until end: Duration) {
    pauseEnd = max(pauseEnd, end)
  }

  var isInUse: Bool { inProgressCount > 0 || !waiting.isEmpty }

  /// The time from which earlier requests have no effect, provided that the queue is not in use.
  var end: Duration { max(pauseEnd, starts.last.map { $0 + limits.interval } ?? .zero) }

  private var isRateLimited: Bool { limits.requests < .max }

  mutating func forget(before now: Duration) {
    while let start = starts.first, start + limits.interval <= now { starts.popFirst() }
  }

  /// Returns the earliest time at which a request after `count` others may start, if the number of requests in progress
  /// does not delay it.
  private func earliestStart(after count: Int, at now: Duration) -> Duration {
    let base = max(now, pauseEnd)
    guard isRateLimited else { return base }
    let (intervals, place) = count.quotientAndRemainder(dividingBy: limits.requests)
    // The earlier start that must be at least one interval before.
    let index = starts.count + place - limits.requests
    let start = (0..<starts.count).contains(index) ? max(base, starts[index] + limits.interval) : base
    return start + limits.interval * intervals
  }
}

/// The permission of a request to be in progress. It ends once: when it is ended explicitly or when its last owner releases it.
final class Permit: Sendable {
  private let onEnd: Mutex<(@Sendable () -> Void)?>

  init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = Mutex(onEnd)
  }

  deinit {
    end()
  }

  func end() {
    onEnd.withLock { $0.take() }?()
  }
}

extension TransportBody {
  /// Returns the same body, which ends `permit` when the body ends or is released.
  func holding(_ permit: Permit) -> TransportBody {
    observed { event in
      if case .chunk = event { return }
      permit.end()
    }
  }
}
