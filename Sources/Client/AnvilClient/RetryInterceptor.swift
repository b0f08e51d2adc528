package import AnvilBase
package import AnvilHTTP
internal import Synchronization

/// Sends a request again as a ``RetryPolicy`` allows.
package struct RetryInterceptor: Interceptor {
  private let policy: RetryPolicy
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date

  /// - Parameter now: Returns the time of day, which a server's dates are compared with. `nil` for that of the clock.
  package init(
    policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    now: (@Sendable () -> Date)? = nil
  ) {
    self.policy = policy
    self.clock = clock
    self.now = now ?? SharedTime.timeOfDay(by: clock)
  }

  /// Sends `request` until an attempt succeeds or no further attempt is allowed.
  @inline(__always)
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    policy.budget?.countRequest(to: request.origin, options)
    let result: Result<TransportResponse, TransportError>
    do throws(TransportError) {
      let response = try await next.send(request, options: options)
      // Most responses are delivered, and need no copies of the options.
      if policy.decide == nil, !response.head.isTransient(among: policy.statuses) { return response }
      result = .success(response)
    } catch {
      result = .failure(error)
    }
    return try await retry(request, after: consume result, options: options, next: next)
  }

  /// Sends `request` again, as often as the policy allows, and returns the last result.
  ///
  /// - Parameter first: The result of the first attempt. Consumed, because a result that is no longer used releases its connection.
  @inline(never)
  private func retry(
    _ request: HTTP.Request, after first: consuming Result<TransportResponse, TransportError>,
    options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let origin = request.origin
    var options = options
    var machine = RetryMachine(policy: policy)
    var attempts: [HTTP.History.Attempt] = []
    var firstResult: Result<TransportResponse, TransportError>? = consume first
    while true {
      var result: Result<TransportResponse, TransportError>
      if let known = firstResult.take() {
        result = known
      } else {
        result = await Result { () async throws(TransportError) in try await next.send(request, options: options) }
      }
      let action = machine.next(
        after: result.map(\.head),
        RetryMachine.Context(
          request: request, idempotency: options.idempotency ?? .byMethod, remaining: options.expiry?.remaining,
          now: now()),
        takesFromBudget: { policy.budget?.takeRetry(to: origin) ?? true })
      switch action {
      case .deliver: return try result.after(attempts, reasonForEnd: nil).get()
      case .giveUp(let reason): return try result.after(attempts, reasonForEnd: reason).get()
      case .retry(let delay, let connection):
        let attempt = HTTP.History.Attempt(outcome: result.attemptOutcome, delay: delay)
        attempts.append(attempt)
        options.eventHandler?(.retrying(attempt))
        options.history.attempts.append(attempt)
        options.connection = connection
        do {
          try await wait(delay, reading: result.takeBody())
        } catch {
          throw TransportError(code: .cancelled, phase: .delay, reason: "while waiting after \(attempt.outcome)")
            .following(attempts: attempts)
        }
      }
    }
  }

  /// Waits for `delay` and, during that time, reads the rest of the response, so that its connection can be reused. A longer body is dropped
  /// at once, which closes its connection.
  private func wait(_ delay: Duration, reading body: consuming TransportBody?) async throws {
    let unread = Mutex(body)
    // This task is cancelled at the end of the delay. A body that has not ended then closes its connection.
    async let _: Void? = unread.withLock { $0.take() }?.drain(upTo: policy.drainLimit)
    try Task.checkCancellation()
    if delay > .zero { try await clock.sleep(for: delay.clampedForClocks) }
  }
}

extension Result<TransportResponse, TransportError> {
  fileprivate var attemptOutcome: HTTP.History.Attempt.Outcome {
    switch self {
    case .success(let response): .status(response.head.status)
    case .failure(let error): .error(error)
    }
  }

  fileprivate mutating func takeBody() -> TransportBody? {
    guard case .success(var response) = self else { return nil }
    let body = response.body
    response.body = TransportBody(Data())
    self = .success(response)
    return body
  }

  /// Returns the result with earlier attempts added to its history.
  fileprivate func after(_ attempts: [HTTP.History.Attempt], reasonForEnd: String?) -> Self {
    guard !attempts.isEmpty || reasonForEnd != nil else { return self }
    let reason = reasonForEnd.map { "not sent again: \($0)" }
    switch self {
    case .success(var response):
      response.head.history.prepend(attempts: attempts)
      response.head.history.reasonForEnd = reason
      return .success(response)
    case .failure(let error): return .failure((reason.map(error.adding) ?? error).following(attempts: attempts))
    }
  }
}

/// Decides after each attempt whether the request is sent again. Rules R1–R8. The type uses no clock and no socket.
struct RetryMachine: Sendable {
  typealias Outcome = Result<HTTP.Response, TransportError>

  /// The inputs of a decision besides the attempt's outcome.
  struct Context: Sendable {
    /// The request, with its body in the state after the attempt.
    var request: HTTP.Request
    var idempotency = RequestSettings.Idempotency.byMethod
    /// The time until the deadline; `nil` for no deadline.
    var remaining: Duration?
    var now: Date
  }

  enum Action: Equatable, Sendable {
    /// Deliver the outcome, because another attempt would not help.
    case deliver
    /// Deliver the outcome, with the reason why it is not retried.
    case giveUp(reason: String)
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
      if case .success(let response) = outcome, let requested = RetryAfter.delay(of: response, now: context.now) {
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

  private func decision(about outcome: Outcome, _ context: Context) -> RetryPolicy.Decision {
    guard let decide = policy.decide else { return .byPolicy }
    var attempt = RetryPolicy.Attempt(number: attempt, request: context.request)
    switch outcome {
    case .success(let response): attempt.response = response
    case .failure(let error):
      guard error.code != .cancelled else { return .byPolicy }
      attempt.error = error
    }
    return decide(attempt)
  }

  private func cause(of outcome: Outcome) -> Cause {
    switch outcome {
    case .success(let response): cause(of: response)
    case .failure(let error):
      switch error.code {
      case .noConnection where error.isRefusedConnection: .none
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
}

extension HTTP.Headers {
  /// Returns a new `Idempotency-Key` if `settings` require one and the headers do not contain one; otherwise `nil`.
  ///
  /// Source: the HTTP API working group's Idempotency-Key draft, which defines the value as a structured field string.
  func missingIdempotencyKey(by settings: RequestSettings) -> HTTP.HeaderValue? {
    guard settings.idempotency == .keyed, !contains(.idempotencyKey) else { return nil }
    return HTTP.HeaderValue(rawValue: "\"\(UUID().uuidString)\"")
  }
}
