/// The requests to one origin that wait for their turn, in order, and what those before them have used up.
///
/// Times are counted from any one point.
struct RequestLine: Sendable {
  /// How many may start within an interval, and be under way at once.
  struct Limits: Hashable, Sendable {
    let requests: Int
    let interval: Duration
    let atOnce: Int
  }

  private let limits: Limits
  /// When those started that the interval still counts, in order.
  private var starts: [Duration] = []
  private var underWay = 0
  private var waiting: [Int] = []
  private var pauseEnd = Duration.zero

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// Puts a request at the end of the line.
  ///
  /// - Parameter remaining: how long it may wait; `nil` for no limit.
  /// - Returns: how long it would have to wait, where that is longer; it is not in the line then.
  mutating func join(_ id: Int, at now: Duration, within remaining: Duration?) -> Duration? {
    if let remaining {
      let wait = earliestStart(behind: waiting.count, at: now) - now
      guard wait < remaining else { return wait }
    }
    waiting.append(id)
    return nil
  }

  /// Lets those go whose turn it is, in their order.
  mutating func takeReady(at now: Duration) -> [Int] {
    var ready: [Int] = []
    while ready.count < waiting.count, underWay < limits.atOnce, earliestStart(behind: 0, at: now) <= now {
      ready.append(waiting[ready.count])
      underWay += 1
      if isRateLimited { starts.append(now) }
    }
    waiting.removeFirst(ready.count)
    return ready
  }

  /// When time alone lets the next one go; `nil` when none waits, or for another to end.
  func nextStart(at now: Duration) -> Duration? {
    waiting.isEmpty || underWay >= limits.atOnce ? nil : earliestStart(behind: 0, at: now)
  }

  /// Takes a request that no longer wants to wait out of the line.
  mutating func leave(_ id: Int) {
    waiting.removeAll { $0 == id }
  }

  /// One that was let go is over. One that was never sent has not been, as far as the interval counts.
  mutating func end(wasSent: Bool) {
    underWay -= 1
    if !wasSent, !starts.isEmpty { starts.removeLast() }
  }

  /// Nobody starts until `end`.
  mutating func pause(until end: Duration) {
    pauseEnd = max(pauseEnd, end)
  }

  /// Whether requests wait or are under way.
  var isInUse: Bool { underWay > 0 || !waiting.isEmpty }

  /// When nothing of what was has any effect on what comes, unless the line is in use.
  var end: Duration { max(pauseEnd, starts.last.map { $0 + limits.interval } ?? .zero) }

  private var isRateLimited: Bool { limits.requests < .max }

  /// Leaves out what the interval no longer counts.
  mutating func forget(before now: Duration) {
    let past = starts.prefix { $0 + limits.interval <= now }.count
    if past > 0 { starts.removeFirst(past) }
  }

  /// When the one behind `count` others may start, if those before it do not take too long.
  private func earliestStart(behind count: Int, at now: Duration) -> Duration {
    let base = max(now, pauseEnd)
    guard isRateLimited else { return base }
    let (intervals, place) = count.quotientAndRemainder(dividingBy: limits.requests)
    // The start that has to be an interval ago.
    let index = starts.count + place - limits.requests
    let start = starts.indices.contains(index) ? max(base, starts[index] + limits.interval) : base
    return start + limits.interval * intervals
  }
}
