internal import AnvilBase

/// The queue of requests to one origin, and the recent requests that count against its limits.
///
/// Times are measured from an arbitrary fixed point.
struct RequestQueue<Waiter: Sendable>: Sendable {
  /// The maximum number of requests that start within an interval, and the maximum number of requests in progress.
  struct Limits: Hashable, Sendable {
    let requests: Int
    let interval: Duration
    let atOnce: Int
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

  /// The number of requests that wait.
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
    while inProgressCount < limits.atOnce, earliestStart(after: 0, at: now) <= now, let waiter = waiting.popFirst() {
      ready.append(waiter)
      inProgressCount += 1
      if isRateLimited { starts.append(now) }
    }
    return ready
  }

  /// Returns the time at which the next request may start. `nil` if the queue is empty or if another request must end first.
  func nextStart(at now: Duration) -> Duration? {
    waiting.isEmpty || inProgressCount >= limits.atOnce ? nil : earliestStart(after: 0, at: now)
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

  /// Prevents requests from starting until `end`.
  mutating func pause(until end: Duration) {
    pauseEnd = max(pauseEnd, end)
  }

  /// A Boolean value that indicates whether requests are waiting or in progress.
  var isInUse: Bool { inProgressCount > 0 || !waiting.isEmpty }

  /// The time from which earlier requests have no effect, provided that the queue is not in use.
  var end: Duration { max(pauseEnd, starts.last.map { $0 + limits.interval } ?? .zero) }

  private var isRateLimited: Bool { limits.requests < .max }

  /// Removes the start times that no longer count for the interval.
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
