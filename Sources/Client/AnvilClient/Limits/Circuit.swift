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

  /// The decision about a request.
  enum Admission: Equatable, Sendable {
    /// The request is sent, and its outcome is reported with this ticket.
    case pass(ticket: Int)
    /// The request is not sent. No request is sent until this time has elapsed. It is zero while a probe is in progress, whose end is not
    /// known.
    case refuse(for: Duration)
  }

  /// The outcome of a request.
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
