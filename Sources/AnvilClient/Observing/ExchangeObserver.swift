public import AnvilHTTP
internal import Synchronization

/// Tells of each exchange that passes it, and changes nothing.
///
/// Where it stands among the interceptors decides what it sees: before those that repeat requests each request of the caller's
/// once, behind them each attempt.
///
///     let observer = ExchangeObserver { event in
///       if case .completed = event.kind { histogram.record(event.elapsed) }
///     }
public struct ExchangeObserver: Interceptor {
  private static let lastID = Atomic(0)

  private let clock: any Clock<Duration>
  /// What hears of one exchange.
  struct Handler: Sendable {
    let observe: @Sendable (ExchangeEvent) -> Void
    /// Called when the caller has the response as it is, so that an outcome may never follow.
    var handOver: @Sendable () -> Void = {}
  }

  private let makeHandler: @Sendable (TransportOptions) -> Handler

  /// An observer that hands everything to `observe`.
  ///
  /// - Parameters:
  ///   - clock: what times are measured by.
  ///   - observe: hears of events one at a time for each exchange, from whichever thread makes them, and had better return at once.
  public init(
    clock: any Clock<Duration> = ContinuousClock(), observe: @escaping @Sendable (ExchangeEvent) -> Void
  ) {
    self.init(clock: clock) { _ in Handler(observe: observe) }
  }

  /// An observer with a handler for each exchange.
  ///
  /// - Parameter makeHandler: is given the options of the exchange. The handler lives as long as events may come.
  init(clock: any Clock<Duration>, makeHandler: @escaping @Sendable (TransportOptions) -> Handler) {
    self.clock = clock
    self.makeHandler = makeHandler
  }

  /// Passes the request on, and tells.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let (id, _) = Self.lastID.wrappingAdd(1, ordering: .relaxed)
    let elapsed = clock.stopwatch()
    let exchange = makeHandler(options)
    let tell: @Sendable (ExchangeEvent.Kind) -> Void = { kind in
      exchange.observe(ExchangeEvent(id: id, elapsed: elapsed(), kind: kind))
    }
    tell(.started(request))
    var options = options
    let handler = options.eventHandler
    options.eventHandler = { event in
      tell(.transfer(event))
      handler?(event)
    }
    do throws(TransportError) {
      var response = try await next.send(request, options: options)
      tell(.head(response.head.withoutOutcomeHandlers))
      response.head.outcomeHandlers.append { outcome in
        if let kind = ExchangeEvent.Kind(outcome) { tell(kind) } else { exchange.handOver() }
      }
      let count = Mutex(0)
      let length = response.head.canHaveBody ? response.head.announcedLength : 0
      response.body = response.body.observed { event in
        switch event {
        case .chunk(let chunk):
          count.withLock { $0 += chunk.count }
          tell(.body(chunk))
        case .ended: tell(.completed(byteCount: count.withLock { $0 }))
        case .dropped:
          // Nobody has to ask for the end of a body whose bytes are all there.
          let count = count.withLock { $0 }
          tell(count == length ? .completed(byteCount: count) : .abandoned(byteCount: count))
        case .failed(let error): tell(.failed(error))
        }
      }
      return response
    } catch {
      tell(.failed(error))
      throw error
    }
  }
}
