package import AnvilBase
package import AnvilHTTP
internal import Synchronization

/// Stops sending requests to an origin after a number of consecutive failures. After a pause, one request is sent to check whether the
/// origin has recovered.
///
///     var configuration = ClientConfiguration.standard
///     configuration.circuitBreaker = CircuitBreaker(failureLimit: 5, pause: .seconds(30))
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// A failure is a 5xx status of ``Swift/Set/transient``, such as 500, 503 or 529, an origin that cannot be reached, a connection that ends
/// before the response, or a timeout that is not the request's deadline. Any other complete response resets the count, except a 4xx status,
/// which does not change it. The count does not change either if TLS fails, if the session does not allow the address, if the response is
/// malformed or incomplete, or if the request was not sent, was cancelled or exceeded its deadline. A request that is not sent fails with
/// `TransportError.Code.circuitOpen`, which is not retried. Rule R11.
///
/// All requests of the services that use the breaker share it, and each origin has a separate circuit. The failures of an origin are
/// forgotten when no request is sent to it for ten minutes, or for eight times the pause if that is longer. They are forgotten earlier if
/// requests to more than 65,536 other origins follow.
public final class CircuitBreaker: Sendable {
  private let limits: Circuit.Limits
  private let time: SharedTime
  private let circuits: Mutex<OriginTable<Circuit>>

  /// Creates a circuit breaker.
  ///
  /// - Parameters:
  ///   - failureLimit: The number of consecutive failures that opens the circuit; at least one.
  ///   - pause: The time for which the circuit stays open.
  ///   - clock: The clock that measures the pause. `nil` for that of the configuration whose request uses the breaker first.
  public init(
    failureLimit: Int = 5, pause: Duration = .seconds(30), clock: (any Clock<Duration>)? = nil
  ) {
    let limits = Circuit.Limits(failures: max(failureLimit, 1), pause: pause.clampedForClocks)
    self.limits = limits
    time = SharedTime(clock)
    circuits = Mutex(OriginTable(makeState: { Circuit() }, retention: { $0.retention(limits) }))
  }

  /// Sends `request` unless the circuit of its origin is open.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = request.origin else { return try await next.send(request, options: options) }
    time.begin(options)
    let ticket = try admit(origin)
    do throws(TransportError) {
      let response = try await next.send(request, options: options)
      report(response.head.status.circuitReport, ticket, origin)
      return response
    } catch {
      report(error.circuitReport(by: options.expiry), ticket, origin)
      throw error
    }
  }

  var originCount: Int { circuits.withLock(\.count) }

  private func admit(_ origin: HTTP.Origin) throws(TransportError) -> Int {
    let admission = circuits.withLock { circuits in
      let now = time.elapsed()
      return circuits.change(origin, at: now) { $0.admit(at: now) }
    }
    switch admission {
    case .pass(let ticket): return ticket
    case .refuse(let pause):
      let next =
        pause > .zero ? "the next one may be sent in \(pause.secondsDescription)" : "a trial request is in progress"
      throw TransportError(code: .circuitOpen, reason: "consecutive requests to \(origin) failed; \(next)")
    }
  }

  private func report(_ report: Circuit.Report, _ ticket: Int, _ origin: HTTP.Origin) {
    circuits.withLock { circuits in
      let now = time.elapsed()
      circuits.change(origin, at: now) { $0.report(report, ticket: ticket, at: now, limits) }
    }
  }
}

extension CircuitBreaker: InterceptingPart {}

extension HTTP.Status {
  fileprivate var circuitReport: Circuit.Report {
    isClientError ? .clientError : Set.transient.contains(self) ? .failure : .success
  }
}

extension TransportError {
  fileprivate func circuitReport(by deadline: RequestDeadline?) -> Circuit.Report {
    switch code {
    case .noConnection where isRefusedConnection: .nothing
    case .noConnection, .hostNotFound, .connectionLost: .failure
    case .timedOut: phase == .delay || deadline?.hasExpired == true ? .nothing : .failure
    case .cancelled, .invalidRequest, .requestBodyFailed, .fileNotWritten: .nothing
    // Only a complete response shows that the origin works.
    case .tlsFailure, .malformedResponse, .truncatedResponse, .other: .nothing
    default: .success
    }
  }
}

/// The circuit of one origin. When it is closed, requests pass. When it is open, none do. When it is half open, one request passes and
/// decides whether the circuit closes. Rule R11.
///
/// Times are measured from an arbitrary fixed point.
struct Circuit: Sendable {
  /// The number of failures that opens the circuit, and the time for which it stays open.
  struct Limits: Hashable, Sendable {
    let failures: Int
    let pause: Duration

    /// The time after the last request for which failures count. It is long, so that failures also count as consecutive if they are far
    /// apart.
    fileprivate var memory: Duration { max(pause * 8, .seconds(600)) }
  }

  enum Admission: Equatable, Sendable {
    /// The request is sent, and its outcome is reported with this ticket.
    case pass(ticket: Int)
    /// The request is not sent. No request is sent until this time has elapsed. It is zero while a probe is in progress, whose end is not
    /// known.
    case refuse(for: Duration)
  }

  enum Report: Hashable, Sendable {
    case success, failure
    /// A 4xx status, which counts neither as success nor as failure. For a probe it shows that the origin is available.
    case clientError
    /// No outcome, for example because the caller cancelled the request.
    case nothing
  }

  private enum State: Hashable {
    case closed(failures: Int)
    case open(until: Duration)
    case halfOpen
  }

  private var state = State.closed(failures: 0)
  /// Increases with each opening and each probe. Reports with an earlier ticket are ignored.
  private var ticket = 0
  /// The number of requests that were admitted and have not been reported.
  private var inProgressCount = 0
  private var lastReport = Duration.zero

  /// Returns how long the circuit must be stored: while requests are in progress, and as long as earlier failures count.
  func retention(_ limits: Limits) -> OriginTable<Circuit>.Retention {
    guard inProgressCount == 0 else { return .inUse }
    return switch state {
    case .closed(failures: 0): .until(.zero)
    case .closed: .until(lastReport + limits.memory)
    case .open(let end): .until(end + limits.memory)
    case .halfOpen: .inUse
    }
  }

  mutating func admit(at now: Duration) -> Admission {
    switch state {
    case .closed: break
    case .open(let end) where now < end: return .refuse(for: end - now)
    case .open:
      state = .halfOpen
      ticket += 1
    case .halfOpen: return .refuse(for: .zero)
    }
    inProgressCount += 1
    return .pass(ticket: ticket)
  }

  /// Records the outcome of an admitted request. Call it once for each request.
  mutating func report(_ report: Report, ticket: Int, at now: Duration, _ limits: Limits) {
    inProgressCount -= 1
    lastReport = now
    guard ticket == self.ticket else { return }
    switch (state, report) {
    case (.closed(let failures), .failure):
      let failures = failures + 1
      if failures < limits.failures { state = .closed(failures: failures) } else { open(until: now + limits.pause) }
    case (.closed, .success), (.halfOpen, .success), (.halfOpen, .clientError): state = .closed(failures: 0)
    case (.halfOpen, .failure): open(until: now + limits.pause)
    // The next request becomes the probe.
    case (.halfOpen, .nothing): open(until: now)
    case (.closed, .clientError), (.closed, .nothing), (.open, _): break
    }
  }

  private mutating func open(until end: Duration) {
    state = .open(until: end)
    ticket += 1
  }
}

/// The time of an object that several clients may share, such as a rate limiter: that of the clock it was created with or, without one, of
/// the configuration whose request uses the object first.
package final class SharedTime: Sendable {
  private struct Source {
    let clock: any Clock<Duration>
    let elapsed: Stopwatch
    /// The time of day when the clock was set, from which a clock of a test counts on; `nil` for the system's time of day.
    let start: Date?

    init(_ clock: any Clock<Duration>) {
      self.clock = clock
      elapsed = Stopwatch(clock)
      start = SharedTime.isOfSystem(clock) ? nil : Date()
    }
  }

  static func isOfSystem(_ clock: any Clock<Duration>) -> Bool {
    clock is ContinuousClock || clock is SuspendingClock
  }

  private let source: Mutex<Source?>
  private let ownNow: (@Sendable () -> Date)?

  package init(_ clock: (any Clock<Duration>)?, now: (@Sendable () -> Date)? = nil) {
    source = Mutex(clock.map { Source($0) })
    ownNow = now
  }

  /// Returns a function that returns the time of day by `clock`, which counts on from the current time if it is the clock of a test.
  static func timeOfDay(by clock: any Clock<Duration>) -> @Sendable () -> Date {
    if isOfSystem(clock) { return { Date() } }
    let time = SharedTime(clock)
    return { time.now() }
  }

  /// Sets the clock of the configuration that sends a request with `options`, unless a clock is set.
  package func begin(_ options: TransportOptions) {
    source.withLock { source in
      if source == nil { source = Source(options.clock ?? ContinuousClock()) }
    }
  }

  /// The clock. It is the system's if none is set.
  package var clock: any Clock<Duration> { withSource(\.clock) }

  /// Returns the time since an arbitrary fixed point.
  func elapsed() -> Duration { withSource(\.elapsed)() }

  /// Returns the time of day. Until a clock is set, it is the system's.
  package func now() -> Date {
    if let ownNow { return ownNow() }
    guard let source = source.withLock({ $0 }), let start = source.start else { return Date() }
    return start.addingTimeInterval(source.elapsed() / .seconds(1))
  }

  private func withSource<Value: Sendable>(_ read: (Source) -> Value) -> Value {
    source.withLock { source in
      let known = source ?? Source(ContinuousClock())
      source = known
      return read(known)
    }
  }
}
