internal import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// A limit on the share of retries among the requests to an origin within a time window. It prevents retries from overloading a failing
/// server. Rule R8.
///
/// All interceptors that are given the same budget share it. Each new ``RetryPolicy`` has a budget, which copies of the policy share. All
/// clients with a copy of ``ClientConfiguration/standard`` therefore share one budget. That budget measures the system's time, whatever the
/// clocks of these clients, so that a client with the clock of a test does not stop it.
public final class RetryBudget: Sendable {
  private let limits: RetryLedger.Limits
  private let elapsed: @Sendable () -> Duration
  /// The time of the first configuration that uses the budget; `nil` if the budget was created with a clock.
  private let sharedTime: SharedTime?
  private let ledgers: Mutex<OriginTable<RetryLedger>>

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - ratio: The number of retries that each request allows.
  ///   - minimum: The number of additional retries allowed within a window, regardless of the number of requests.
  ///   - window: The time for which a request counts; at least a millisecond.
  ///   - clock: The clock that measures the window. `nil` for that of the configuration whose request uses the budget first.
  @inline(never)
  public init(
    ratio: Double = 0.2, minimum: Int = 10, window: Duration = .seconds(10),
    clock: (any Clock<Duration>)? = nil
  ) {
    let limits = RetryLedger.Limits(ratio: ratio, minimum: minimum, window: window)
    self.limits = limits
    if let clock {
      (sharedTime, elapsed) = (nil, clock.stopwatch())
    } else {
      let time = SharedTime(nil)
      (sharedTime, elapsed) = (time, { time.elapsed() })
    }
    ledgers = Mutex(OriginTable(makeState: { RetryLedger() }, retention: { .until($0.end(limits)) }))
  }

  /// The number of origins with requests within the window.
  var originCount: Int { ledgers.withLock(\.count) }

  /// Counts a request that is sent with `options`. Retries are not counted here.
  func countRequest(to origin: HTTP.Origin?, _ options: TransportOptions = TransportOptions()) {
    guard let origin else { return }
    sharedTime?.begin(options)
    ledgers.withLock { ledgers in
      let now = elapsed()
      ledgers.change(origin, at: now) { $0.countRequest(at: now, limits) }
    }
  }

  /// Takes one retry from the budget. Returns `false` if none is left.
  func takeRetry(to origin: HTTP.Origin?) -> Bool {
    guard let origin else { return false }
    return ledgers.withLock { ledgers in
      let now = elapsed()
      return ledgers.change(origin, at: now) { $0.takeRetry(at: now, limits) }
    }
  }
}

/// The requests and retries of one origin within a sliding window of ten steps.
struct RetryLedger: Sendable {
  /// The limits of a budget and its window.
  struct Limits: Sendable {
    let ratio: Double
    let minimum: Int
    let step: Duration
    /// The time from the end of a step until it is outside the window.
    fileprivate let untilEnd: Duration

    init(ratio: Double, minimum: Int, window: Duration) {
      self.ratio = ratio.isFinite ? min(max(ratio, 0), 1_000) : 0
      self.minimum = max(minimum, 0)
      step = max(window, .milliseconds(1)) / RetryLedger.stepCount
      untilEnd = step * (RetryLedger.stepCount - 1)
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
  /// The end of the last step; zero before the first one. Most requests are counted before this time.
  private var lastStepEnd = Duration.zero

  mutating func countRequest(at time: Duration, _ limits: Limits) {
    advance(to: time, limits)
    steps[steps.count - 1].requests += 1
  }

  /// Takes one retry from the budget. Returns `false` if none is left.
  mutating func takeRetry(at time: Duration, _ limits: Limits) -> Bool {
    advance(to: time, limits)
    let (requests, retries) = steps.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.retries) }
    guard Double(retries) + 1 <= Double(limits.minimum) + limits.ratio * Double(requests) else { return false }
    steps[steps.count - 1].retries += 1
    return true
  }

  /// Returns the time from which no counted request is within the window.
  func end(_ limits: Limits) -> Duration {
    steps.isEmpty ? .zero : lastStepEnd + limits.untilEnd
  }

  /// Adds the step of `time` and removes the steps that are then outside the window. A time before the last step counts for the last step.
  private mutating func advance(to time: Duration, _ limits: Limits) {
    guard time >= lastStepEnd || steps.isEmpty else { return }
    let number = limits.step(of: time)
    if let last = steps.last?.number, number <= last { return }
    steps.removeAll { $0.number <= number - Self.stepCount }
    steps.append(Step(number: number))
    lastStepEnd = limits.step * (number + 1)
  }
}
