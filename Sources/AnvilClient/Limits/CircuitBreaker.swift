public import AnvilHTTP
internal import Synchronization

/// Spares an origin that fails, and its callers the wait: after a number of failures in a row nothing is sent to it for a while,
/// and then one request, by which it is seen whether it is back.
///
///     var configuration = ClientConfiguration.standard
///     configuration.circuitBreaker = CircuitBreaker(failures: 5, pause: .seconds(30))
///     let gateway = Gateway(baseURL: url, configuration: configuration)
///
/// A failure is a status of 500, 502, 503 or 504, an origin that cannot be reached, a connection that ended before the response,
/// or a timeout that is not the request's deadline. Other responses end the row, but for those of 4xx, which do not count. A
/// request that is not sent fails with `TransportError.Code.circuitOpen`, which nobody tries again. Rule R11.
///
/// Shared by all requests of the services that it is given to; each origin has a circuit of its own. The failures of an origin
/// are forgotten when it is not asked for ten minutes, or eight times the pause where that is longer, and earlier where more
/// than 65,536 other origins were asked since.
public final class CircuitBreaker: Interceptor {
  private let limits: Circuit.Limits
  private let elapsed: @Sendable () -> Duration
  private let circuits: Mutex<OriginTable<Circuit>>

  /// A breaker.
  ///
  /// - Parameters:
  ///   - failures: after how many in a row nothing is sent; at least one.
  ///   - pause: for how long.
  ///   - clock: what that is measured by.
  public init(
    failures: Int = 5, pause: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock()
  ) {
    // Sums of far longer pauses would overflow.
    let limits = Circuit.Limits(failures: max(failures, 1), pause: min(max(pause, .zero), .seconds(1_000_000_000)))
    self.limits = limits
    elapsed = clock.stopwatch()
    circuits = Mutex(OriginTable(makeState: { Circuit() }, retention: { $0.retention(limits) }))
  }

  /// Sends `request` unless its origin has failed too often lately.
  ///
  /// - Throws: `TransportError.Code.circuitOpen`, or what the attempt throws.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let origin = HTTP.Origin(request.url) else { return try await next.send(request, options: options) }
    let ticket = try admit(origin)
    do throws(TransportError) {
      let response = try await next.send(request, options: options)
      report(response.head.status.circuitReport, ticket, origin)
      return response
    } catch {
      report(error.circuitReport(by: options.deadline), ticket, origin)
      throw error
    }
  }

  /// How many origins have a circuit that is kept.
  var originCount: Int { circuits.withLock(\.count) }

  private func admit(_ origin: HTTP.Origin) throws(TransportError) -> Int {
    let admission = circuits.withLock { circuits in
      let now = elapsed()
      return circuits.change(origin, at: now) { $0.admit(at: now) }
    }
    switch admission {
    case .pass(let ticket): return ticket
    case .refuse(let pause):
      let next = pause > .zero ? "the next may be sent in \(pause.secondsDescription)" : "one is under way to try it"
      throw TransportError(code: .circuitOpen, reason: "requests to \(origin) failed in a row; \(next)")
    }
  }

  private func report(_ report: Circuit.Report, _ ticket: Int, _ origin: HTTP.Origin) {
    circuits.withLock { circuits in
      let now = elapsed()
      circuits.change(origin, at: now) { $0.report(report, ticket: ticket, at: now, limits) }
    }
  }
}

extension HTTP.Status {
  fileprivate var circuitReport: Circuit.Report {
    isClientError ? .clientError : isTransient ? .failure : .success
  }
}

extension TransportError {
  fileprivate func circuitReport(by deadline: Deadline?) -> Circuit.Report {
    switch code {
    case .noConnection, .hostNotFound, .connectionLost: .failure
    case .timedOut: phase == .delay || deadline?.isUp == true ? .nothing : .failure
    case .cancelled, .invalidRequest, .requestBodyFailed: .nothing
    default: .success
    }
  }
}
