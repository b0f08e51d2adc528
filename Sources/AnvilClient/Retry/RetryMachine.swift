internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides, attempt for attempt, what follows on how it ended. Rules R1–R8; no clock, no socket.
struct RetryMachine: Sendable {
  /// How an attempt ended.
  enum Outcome: Sendable {
    case response(HTTP.Response)
    case failure(TransportError)
  }

  /// What the decision depends on beside the attempt.
  struct Circumstances: Sendable {
    /// The request, its body as the attempt has left it.
    var request: HTTP.Request
    var idempotency = RequestPolicy.Idempotency.byMethod
    /// How much time is left; `nil` for no limit.
    var remaining: Duration?
    var now: Date
  }

  /// What is to happen.
  enum Action: Equatable, Sendable {
    /// Nothing could be better another time: hand over what came.
    case deliver
    /// Hand over what came, and say why nothing more is tried.
    case giveUp(reason: String)
    /// Wait, then send the request again.
    case retry(after: Duration, on: ConnectionChoice)
  }

  private enum Cause {
    case none, transient, misdirected
  }

  private let policy: RetryPolicy
  /// The number of the attempt that is under way; the first is 1.
  private(set) var attempt = 1
  private var wasMisdirected = false

  init(policy: RetryPolicy) {
    self.policy = policy
  }

  /// What follows on `outcome`; counts the attempt that it asks for.
  ///
  /// - Parameter takesFromBudget: whether the budget has one more repetition, which it then gives. Asked last and once.
  mutating func next(
    after outcome: Outcome, _ circumstances: Circumstances, takesFromBudget: () -> Bool
  ) -> Action {
    let cause = cause(of: outcome)
    guard cause != .none, attempt < policy.maximumAttempts, mayRepeat(circumstances, after: outcome, cause) else {
      return .deliver
    }
    guard circumstances.request.body.isReadable else {
      return .giveUp(reason: "its body is a stream that has been read")
    }
    var delay = Duration.zero
    if cause == .transient {
      delay = max(policy.backoff.delay(beforeAttempt: attempt), .zero)
      if case .response(let response) = outcome, let asked = asked(by: response, circumstances) {
        guard asked <= policy.retryAfterLimit else {
          return .giveUp(
            reason: "the server asks to wait \(asked.secondsDescription), more than the limit of "
              + policy.retryAfterLimit.secondsDescription)
        }
        delay = max(delay, asked)
      }
    }
    if let remaining = circumstances.remaining, delay >= remaining {
      return .giveUp(
        reason:
          "the wait of \(delay.secondsDescription) is longer than the \(remaining.secondsDescription) that are left")
    }
    guard takesFromBudget() else { return .giveUp(reason: "the origin's budget of repetitions is used up") }
    attempt += 1
    guard cause == .misdirected else { return .retry(after: delay, on: .any) }
    wasMisdirected = true
    return .retry(after: delay, on: .new)
  }

  private func cause(of outcome: Outcome) -> Cause {
    switch outcome {
    case .response(let response):
      switch response.code {
      case 413: response.headers.contains(.retryAfter) ? .transient : .none
      case 421: wasMisdirected ? .none : .misdirected
      default: response.status.isTransient ? .transient : .none
      }
    case .failure(let error):
      switch error.code {
      case .noConnection, .hostNotFound, .connectionLost: .transient
      case .timedOut where error.provesNothingWasSent: .transient
      case .timedOut where error.phase != .delay && policy.readTimeouts == .retry: .transient
      default: .none
      }
    }
  }

  private func mayRepeat(_ circumstances: Circumstances, after outcome: Outcome, _ cause: Cause) -> Bool {
    // Who misdirected a request did not act on it. Source: RFC 9110 §15.5.20.
    if cause == .misdirected { return true }
    if case .failure(let error) = outcome, error.provesNothingWasSent { return true }
    let request = circumstances.request
    return switch circumstances.idempotency {
    case .byMethod: request.method.isIdempotent || request.headers.contains(.idempotencyKey)
    case .idempotent, .keyed: true
    case .notIdempotent: false
    }
  }

  private func asked(by response: HTTP.Response, _ circumstances: Circumstances) -> Duration? {
    RetryAfter.delay(in: response.headers, status: response.status, now: circumstances.now)
  }
}
