public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Sends a request again, after a wait, when its failure may pass by itself and sending it twice does no harm.
///
///     var configuration = ClientConfiguration.standard
///     configuration.retries = RetryPolicy()
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// What may pass: the statuses 408, 425, 429, 500, 502, 503 and 504, 413 with a `Retry-After`, 421 once, on a new connection; a
/// server that could not be reached, and a connection that ended before the response. Certificates that are refused, malformed
/// responses, cancellation and, unless ``RetryPolicy/readTimeouts`` says otherwise, a server that takes too long do not.
///
/// What does no harm: the methods that are idempotent (RFC 9110 §9.2.2), a request with an `Idempotency-Key` or of a
/// ``RequestPolicy/idempotency`` that says so; any request that certainly no server has seen. A body that is a stream is sent
/// once: when it was read the request is not sent again.
///
/// The wait is a random one under a ceiling that doubles, or what the server asks for by `Retry-After` if that is longer. It
/// counts against the request's ``RequestPolicy/deadline``; cancelling the task ends it at once. A wait that is not allowed
/// is not begun: the response is the last, and says why. Each attempt is in the history of the response, or of the error.
///
/// A response is judged at its head: nothing is sent again for a body that is cut short.
public struct RetryInterceptor: Interceptor {
  private let policy: RetryPolicy
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date

  /// An interceptor that repeats requests as `policy` says.
  ///
  /// - Parameters:
  ///   - policy: what is sent again, how often, after which wait.
  ///   - clock: what waits are measured by.
  ///   - now: the time of day, against which a server's dates are held.
  public init(
    policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.policy = policy
    self.clock = clock
    self.now = now
  }

  /// Sends `request` until an attempt succeeds or no other may follow.
  ///
  /// - Throws: the last attempt's error; `TransportError.Code.cancelled` in phase `delay` when a wait was cancelled.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let origin = HTTP.Origin(request.url)
    policy.budget?.countRequest(to: origin)
    var options = options
    var machine = RetryMachine(policy: policy)
    var attempts: [HTTP.History.Attempt] = []
    while true {
      let result: Result<TransportResponse, TransportError>
      do throws(TransportError) {
        result = .success(try await next.send(request, options: options))
      } catch {
        result = .failure(error)
      }
      let action = machine.next(
        after: result.outcome,
        RetryMachine.Circumstances(
          request: request, idempotency: options.policy.idempotency, remaining: options.deadline?.remaining, now: now()),
        takesFromBudget: { policy.budget?.takeRetry(to: origin) ?? true })
      switch action {
      case .deliver: return try result.after(attempts, reasonForEnd: nil).get()
      case .giveUp(let reason): return try result.after(attempts, reasonForEnd: reason).get()
      case .retry(let delay, let connection):
        let attempt = HTTP.History.Attempt(outcome: result.attemptOutcome, delay: delay)
        attempts.append(attempt)
        options.eventHandler?(.retrying(attempt))
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

  /// Waits, and reads what is left of a response meanwhile: its connection can then be used again.
  private func wait(_ delay: Duration, reading body: TransportBody?) async throws {
    // Cancelled when the wait is over, whereby a body that has not ended gives up its connection.
    async let _ = Self.drain(body, upTo: policy.drainLimit)
    try Task.checkCancellation()
    if delay > .zero { try await clock.sleep(for: delay) }
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

  /// The same, with the attempts before it in its history.
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
