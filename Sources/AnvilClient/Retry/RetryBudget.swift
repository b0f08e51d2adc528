internal import AnvilHTTP
internal import Synchronization

/// Keeps repetitions from becoming a load of their own: of the requests to one origin within a window, only a part may be
/// repetitions. Rule R8.
///
/// Shared by all requests of the interceptors that it is given to, each of which has one of its own unless it is given one.
public final class RetryBudget: Sendable {
  private let limits: RetryLedger.Limits
  private let elapsed: @Sendable () -> Duration
  private let ledgers: Mutex<OriginTable<RetryLedger>>

  /// A budget.
  ///
  /// - Parameters:
  ///   - ratio: how many repetitions each request allows.
  ///   - minimum: how many repetitions are allowed within a window in addition, however few requests there are.
  ///   - window: for how long a request counts; at least a millisecond.
  ///   - clock: what the window is measured by.
  public init(
    ratio: Double = 0.2, minimum: Int = 10, window: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let limits = RetryLedger.Limits(ratio: ratio, minimum: minimum, window: window)
    self.limits = limits
    elapsed = clock.stopwatch()
    ledgers = Mutex(OriginTable(makeState: { RetryLedger() }, retention: { .until($0.end(limits)) }))
  }

  /// How many origins have requests that count.
  var originCount: Int { ledgers.withLock(\.count) }

  /// Counts a request, not its repetitions.
  func countRequest(to origin: HTTP.Origin?) {
    guard let origin else { return }
    ledgers.withLock { ledgers in
      let now = elapsed()
      ledgers.change(origin, at: now) { $0.countRequest(at: now, limits) }
    }
  }

  /// Takes one repetition; `false` when there is none left.
  func takeRetry(to origin: HTTP.Origin?) -> Bool {
    guard let origin else { return false }
    return ledgers.withLock { ledgers in
      let now = elapsed()
      return ledgers.change(origin, at: now) { $0.takeRetry(at: now, limits) }
    }
  }
}

/// What was sent to one origin within a window that moves on in ten steps.
struct RetryLedger: Sendable {
  /// How much is allowed within which window.
  struct Limits: Sendable {
    let ratio: Double
    let minimum: Int
    let step: Duration

    init(ratio: Double, minimum: Int, window: Duration) {
      self.ratio = ratio.isFinite ? min(max(ratio, 0), 1_000) : 0
      self.minimum = max(minimum, 0)
      step = max(window, .milliseconds(1)) / RetryLedger.stepCount
    }

    fileprivate func step(of time: Duration) -> Int { Int(min(max(time / step, 0), 1e15)) }
  }

  private struct Step {
    let number: Int
    var requests = 0
    var retries = 0
  }

  fileprivate static let stepCount = 10

  private var steps: [Step] = []

  mutating func countRequest(at time: Duration, _ limits: Limits) {
    advance(to: limits.step(of: time))
    steps[steps.count - 1].requests += 1
  }

  /// Takes one repetition; `false` when there is none left.
  mutating func takeRetry(at time: Duration, _ limits: Limits) -> Bool {
    advance(to: limits.step(of: time))
    let (requests, retries) = steps.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.retries) }
    guard Double(retries) + 1 <= Double(limits.minimum) + limits.ratio * Double(requests) else { return false }
    steps[steps.count - 1].retries += 1
    return true
  }

  /// When all that was counted is beyond the window.
  func end(_ limits: Limits) -> Duration {
    steps.last.map { limits.step * ($0.number + Self.stepCount) } ?? .zero
  }

  /// Leaves out what is beyond the window. Times that are counted late count for the last step.
  private mutating func advance(to number: Int) {
    guard let last = steps.last?.number, number <= last else {
      steps.removeAll { $0.number <= number - Self.stepCount }
      steps.append(Step(number: number))
      return
    }
  }
}
