internal import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// Stops sending requests to an origin after a number of consecutive failures. After a pause, one request is sent to check whether the
/// origin has recovered.
///
///     var configuration = ClientConfiguration.standard
///     configuration.circuitBreaker = CircuitBreaker(failures: 5, pause: .seconds(30))
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// A failure is a 5xx status of ``Swift/Set/transient``, such as 500, 503 or 529, an origin that cannot be reached, a connection that ends
/// before the response, or a timeout that is not the request's deadline. Any other complete response resets the count, except a 4xx status, which does not change
/// it. The count does not change either if TLS fails, if the response is malformed or incomplete, or if the request was not sent, was
/// cancelled or exceeded its deadline. A request that is not sent fails with `TransportError.Code.circuitOpen`, which is not retried.
/// Rule R11.
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
  ///   - failures: The number of consecutive failures that opens the circuit; at least one.
  ///   - pause: The time for which the circuit stays open.
  ///   - clock: The clock that measures the pause. `nil` for that of the configuration whose request uses the breaker first.
  public init(
    failures: Int = 5, pause: Duration = .seconds(30), clock: (any Clock<Duration>)? = nil
  ) {
    let limits = Circuit.Limits(failures: max(failures, 1), pause: pause.clampedForClocks)
    self.limits = limits
    time = SharedTime(clock)
    circuits = Mutex(OriginTable(makeState: { Circuit() }, retention: { $0.retention(limits) }))
  }

  /// Sends `request` unless the circuit of its origin is open.
  ///
  /// - Throws: `TransportError.Code.circuitOpen`, or the error of the attempt.
  fileprivate func intercept(
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

  /// The number of origins whose circuit is stored.
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

extension CircuitBreaker {
  /// Sends requests through a breaker. The breaker itself is not an interceptor, so that ``ClientConfiguration/circuitBreaker`` is the only
  /// way to use it: it counts attempts, and would count calls at another position.
  struct Checking: Interceptor {
    fileprivate let breaker: CircuitBreaker

    func intercept(
      _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
    ) async throws(TransportError) -> TransportResponse {
      try await breaker.intercept(request, options: options, next: next)
    }
  }

  /// The interceptor that applies the breaker.
  package var interceptor: any Interceptor { Checking(breaker: self) }
}

extension HTTP.Status {
  fileprivate var circuitReport: Circuit.Report {
    isClientError ? .clientError : Set.transient.contains(self) ? .failure : .success
  }
}

extension TransportError {
  fileprivate func circuitReport(by deadline: RequestDeadline?) -> Circuit.Report {
    switch code {
    case .noConnection, .hostNotFound, .connectionLost: .failure
    case .timedOut: phase == .delay || deadline?.hasExpired == true ? .nothing : .failure
    case .cancelled, .invalidRequest, .requestBodyFailed, .fileNotWritten: .nothing
    // Only a complete response shows that the origin works.
    case .tlsFailure, .malformedResponse, .truncatedResponse, .other: .nothing
    default: .success
    }
  }
}
