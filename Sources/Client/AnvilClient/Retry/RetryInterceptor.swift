internal import AnvilBase
package import AnvilHTTP

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Sends a request again as a ``RetryPolicy`` allows.
///
/// The decision is based on the response head: a truncated body is not retried.
package struct RetryInterceptor: Interceptor {
  private let policy: RetryPolicy
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date

  /// Creates an interceptor that repeats requests according to `policy`.
  ///
  /// - Parameters:
  ///   - policy: The failures that are retried, the number of attempts and the delays.
  ///   - clock: The clock that measures delays.
  ///   - now: Returns the time of day, which a server's dates are compared with. `nil` for that of the clock.
  package init(
    policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    now: (@Sendable () -> Date)? = nil
  ) {
    self.policy = policy
    self.clock = clock
    self.now = now ?? SharedTime.timeOfDay(by: clock)
  }

  /// Sends `request` until an attempt succeeds or no further attempt is allowed.
  ///
  /// - Throws: The last attempt's error; `TransportError.Code.cancelled` in phase `delay` if a delay was cancelled.
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
      let result: Result<TransportResponse, TransportError>
      if let known = firstResult.take() {
        result = known
      } else {
        do throws(TransportError) {
          result = .success(try await next.send(request, options: options))
        } catch {
          result = .failure(error)
        }
      }
      let action = machine.next(
        after: result.outcome,
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
          try await wait(delay, reading: result.body)
        } catch {
          throw TransportError(code: .cancelled, phase: .delay, reason: "while waiting after \(attempt.outcome)")
            .after(attempts, reasonForEnd: nil)
        }
      }
    }
  }

  /// Waits for `delay` and, during that time, reads the rest of the response, so that its connection can be reused.
  private func wait(_ delay: Duration, reading body: TransportBody?) async throws {
    // This task is cancelled at the end of the delay. A body that has not ended then closes its connection.
    async let _ = Self.drain(body, upTo: policy.drainLimit)
    try Task.checkCancellation()
    if delay > .zero { try await clock.sleep(for: delay.clampedForClocks) }
  }

  private static func drain(_ body: TransportBody?, upTo limit: Int) async {
    guard let body else { return }
    var rest = limit
    var chunks = body.makeAsyncIterator()
    while rest >= 0, let chunk = try? await chunks.next() { rest -= chunk.count }
  }
}

extension Result<TransportResponse, TransportError> {
  fileprivate var outcome: RetryMachine.Outcome {
    switch self {
    case .success(let response): .response(response.head)
    case .failure(let error): .failure(error)
    }
  }

  fileprivate var attemptOutcome: HTTP.History.Attempt.Outcome {
    switch self {
    case .success(let response): .status(response.head.status)
    case .failure(let error): .error(error)
    }
  }

  fileprivate var body: TransportBody? {
    if case .success(let response) = self { response.body } else { nil }
  }

  /// Returns the result with earlier attempts added to its history.
  fileprivate func after(_ attempts: [HTTP.History.Attempt], reasonForEnd: String?) -> Self {
    guard !attempts.isEmpty || reasonForEnd != nil else { return self }
    switch self {
    case .success(var response):
      response.head.history.attempts.insert(contentsOf: attempts, at: 0)
      response.head.history.reasonForEnd = reasonForEnd
      return .success(response)
    case .failure(let error): return .failure(error.after(attempts, reasonForEnd: reasonForEnd))
    }
  }
}

extension TransportError {
  fileprivate func after(_ attempts: [HTTP.History.Attempt], reasonForEnd: String?) -> TransportError {
    var error = reasonForEnd.map { adding("not sent again: \($0)") } ?? self
    error.history.attempts.insert(contentsOf: attempts, at: 0)
    return error
  }
}
