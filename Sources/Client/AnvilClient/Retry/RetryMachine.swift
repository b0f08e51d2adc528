internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides after each attempt whether the request is sent again. Rules R1–R8. The type uses no clock and no socket.
struct RetryMachine: Sendable {
  /// The outcome of an attempt.
  enum Outcome: Sendable {
    case response(HTTP.Response)
    case failure(TransportError)
  }

  /// The inputs of a decision besides the attempt's outcome.
  struct Context: Sendable {
    /// The request, with its body in the state after the attempt.
    var request: HTTP.Request
    var idempotency = RequestSettings.Idempotency.byMethod
    /// The time until the deadline; `nil` for no deadline.
    var remaining: Duration?
    var now: Date
  }

  /// The decision after an attempt.
  enum Action: Equatable, Sendable {
    /// Deliver the outcome, because another attempt would not help.
    case deliver
    /// Deliver the outcome, with the reason why it is not retried.
    case giveUp(reason: String)
    /// Wait, then send the request again.
    case retry(after: Duration, on: ConnectionChoice)
  }

  private enum Cause {
    case none, transient, misdirected
  }

  private let policy: RetryPolicy
  /// The number of the current attempt, starting with 1.
  private(set) var attempt = 1
  private var wasMisdirected = false

  init(policy: RetryPolicy) {
    self.policy = policy
  }

  /// Returns the decision after `outcome`, and counts the next attempt if there is one.
  ///
  /// - Parameter takesFromBudget: Takes one retry from the budget and returns whether one was left. Called at most once, after all other
  ///   checks.
  mutating func next(
    after outcome: Outcome, _ context: Context, takesFromBudget: () -> Bool
  ) -> Action {
    var cause = cause(of: outcome)
    var chosenDelay: Duration?
    switch decision(about: outcome, context) {
    case .byPolicy:
      guard cause != .none, mayRepeat(context, after: outcome, cause) else { return .deliver }
    case .retry(let delay):
      if cause == .none { cause = .transient }
      chosenDelay = delay
    case .deliver: return .deliver
    }
    guard attempt < policy.attemptLimit else { return .deliver }
    guard context.request.body.isReadable else {
      return .giveUp(reason: "its body is a stream that has been read")
    }
    var delay = max(chosenDelay ?? .zero, .zero)
    if cause == .transient, chosenDelay == nil {
      delay = max(policy.backoff.delay(beforeAttempt: attempt), .zero)
      if case .response(let response) = outcome, let requested = requestedDelay(by: response, context) {
        guard requested <= policy.retryAfterLimit else {
          return .giveUp(
            reason: "the server requests a delay of \(requested.secondsDescription), more than the limit of "
              + policy.retryAfterLimit.secondsDescription)
        }
        delay = max(delay, requested)
      }
    }
    if let remaining = context.remaining, delay >= remaining {
      return .giveUp(
        reason:
          "the delay of \(delay.secondsDescription) is longer than the remaining time of "
          + remaining.secondsDescription)
    }
    guard takesFromBudget() else { return .giveUp(reason: "the retry budget of the origin is used up") }
    attempt += 1
    guard cause == .misdirected else { return .retry(after: delay, on: .any) }
    wasMisdirected = true
    return .retry(after: delay, on: .new)
  }

  /// Returns the decision of the policy's closure.
  private func decision(about outcome: Outcome, _ context: Context) -> RetryPolicy.Decision {
    guard let decide = policy.decide else { return .byPolicy }
    var attempt = RetryPolicy.Attempt(number: attempt, request: context.request)
    switch outcome {
    case .response(let response): attempt.response = response
    case .failure(let error):
      guard error.code != .cancelled else { return .byPolicy }
      attempt.error = error
    }
    return decide(attempt)
  }

  private func cause(of outcome: Outcome) -> Cause {
    switch outcome {
    case .response(let response): cause(of: response)
    case .failure(let error):
      switch error.code {
      case .noConnection, .hostNotFound, .connectionLost: .transient
      case .timedOut where error.provesNothingWasSent: .transient
      case .timedOut where error.phase != .delay && policy.readTimeouts == .retry: .transient
      default: .none
      }
    }
  }

  private func cause(of response: HTTP.Response) -> Cause {
    guard response.isTransient(among: policy.statuses) else { return .none }
    guard response.code == 421 else { return .transient }
    return wasMisdirected ? .none : .misdirected
  }

  private func mayRepeat(_ context: Context, after outcome: Outcome, _ cause: Cause) -> Bool {
    // A server that rejects a misdirected request has not processed it. Source: RFC 9110 §15.5.20.
    if cause == .misdirected { return true }
    if case .failure(let error) = outcome, error.provesNothingWasSent { return true }
    return context.idempotency.mayRepeat(context.request, methods: policy.methods)
  }

  private func requestedDelay(by response: HTTP.Response, _ context: Context) -> Duration? {
    RetryAfter.delay(of: response, now: context.now)
  }
}
