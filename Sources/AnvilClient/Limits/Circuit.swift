/// Whether one origin is asked at all: closed, requests pass; open, none does; half open, one does, which decides. Rule R11.
///
/// Times are counted from any one point.
struct Circuit: Sendable {
  /// When it opens, and for how long.
  struct Limits: Hashable, Sendable {
    let failures: Int
    let pause: Duration
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

  /// Whether nothing has failed lately, or so long ago that nobody asks any more.
  func isAtRest(at now: Duration, _ limits: Limits) -> Bool {
    switch state {
    case .closed(let failures): failures == 0
    case .open(let end): now >= end && now - end > limits.pause * 8
    case .halfOpen: false
    }
  }

  mutating func admit(at now: Duration) -> Admission {
    switch state {
    case .closed: return .pass(ticket: ticket)
    case .open(let end) where now < end: return .refuse(for: end - now)
    case .open:
      state = .halfOpen
      ticket += 1
      return .pass(ticket: ticket)
    case .halfOpen: return .refuse(for: .zero)
    }
  }

  mutating func report(_ report: Report, ticket: Int, at now: Duration, _ limits: Limits) {
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
