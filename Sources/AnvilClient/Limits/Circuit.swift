/// Whether one origin is asked at all: closed, requests pass; open, none does; half open, one does, which decides. Rule R11.
///
/// Times are counted from any one point.
struct Circuit: Sendable {
  /// When it opens, and for how long.
  struct Limits: Hashable, Sendable {
    let failures: Int
    let pause: Duration

    /// How long failures count after the last request: long enough for those of a row that are far apart.
    fileprivate var memory: Duration { max(pause * 8, .seconds(600)) }
  }

  /// What becomes of a request.
  enum Admission: Equatable, Sendable {
    /// It is sent; what came of it is told with this ticket.
    case pass(ticket: Int)
    /// It is not sent; so long none will be. Zero while a probe is under way.
    case refuse(for: Duration)
  }

  /// What came of a request.
  enum Report: Hashable, Sendable {
    case success, failure
    /// A status of 4xx: neither counts. Of a probe it shows that the origin is there.
    case clientError
    /// Nothing was learned: the caller cancelled.
    case nothing
  }

  private enum State: Hashable {
    case closed(failures: Int)
    case open(until: Duration)
    case halfOpen
  }

  private var state = State.closed(failures: 0)
  /// Grows with each opening and each probe: what is reported of an earlier time counts no more.
  private var ticket = 0
  /// How many requests were admitted and not reported yet.
  private var underWay = 0
  private var lastReport = Duration.zero

  /// How long the circuit is to be kept: while requests are under way, and as long as failures of before count.
  func retention(_ limits: Limits) -> OriginTable<Circuit>.Retention {
    guard underWay == 0 else { return .inUse }
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
    underWay += 1
    return .pass(ticket: ticket)
  }

  /// Takes note of what came of an admitted request; once for each.
  mutating func report(_ report: Report, ticket: Int, at now: Duration, _ limits: Limits) {
    underWay -= 1
    lastReport = now
    guard ticket == self.ticket else { return }
    switch (state, report) {
    case (.closed(let failures), .failure):
      let failures = failures + 1
      if failures < limits.failures { state = .closed(failures: failures) } else { open(until: now + limits.pause) }
    case (.closed, .success), (.halfOpen, .success), (.halfOpen, .clientError): state = .closed(failures: 0)
    case (.halfOpen, .failure): open(until: now + limits.pause)
    // The next request is the probe.
    case (.halfOpen, .nothing): open(until: now)
    case (.closed, .clientError), (.closed, .nothing), (.open, _): break
    }
  }

  private mutating func open(until end: Duration) {
    state = .open(until: end)
    ticket += 1
  }
}
