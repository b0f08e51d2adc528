public import AnvilBase
public import AnvilDiagnosis
public import AnvilHTTP
internal import Synchronization

/// Receives the events of each call and changes nothing.
///
///     let observer = ExchangeObserver { event in
///       if case .completed = event.kind { histogram.record(event.elapsed) }
///     }
///     configuration.observers = [observer]
///
/// It observes each request of the caller once. The retries and redirects of a call are among its events.
public struct ExchangeObserver: Sendable {
  private static let lastID = Atomic(0)

  package struct Handler: Sendable {
    let observe: @Sendable (Event) -> Void
    let reportUndecoded: @Sendable () -> Void

    /// - Parameters:
    ///   - observe: Receives the events. Those of the transfer may overlap with others.
    ///   - reportUndecoded: Called when the caller receives the response without decoding it. In this case an outcome event may never
    ///     follow.
    package init(
      observe: @escaping @Sendable (Event) -> Void, reportUndecoded: @escaping @Sendable () -> Void = {}
    ) {
      self.observe = observe
      self.reportUndecoded = reportUndecoded
    }
  }

  private let clock: (any Clock<Duration>)?
  private let makeHandler: @Sendable (TransportOptions) -> Handler

  /// Creates an observer that passes every event to `observe`.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures elapsed times. `nil` for that of the configuration.
  ///   - observe: Receives the events of each exchange one at a time, on the threads that produce them. It should return quickly.
  public init(
    clock: (any Clock<Duration>)? = nil, observe: @escaping @Sendable (Event) -> Void
  ) {
    self.init(clock: clock) { _ in
      let queue = EventQueue(observe)
      return Handler { queue.deliver($0) }
    }
  }

  /// - Parameter makeHandler: Returns the handler for an exchange with the given options. The handler is kept as long as events may follow.
  package init(clock: (any Clock<Duration>)?, makeHandler: @escaping @Sendable (TransportOptions) -> Handler) {
    self.clock = clock
    self.makeHandler = makeHandler
  }

  /// Passes the request on and reports its events.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let (id, _) = Self.lastID.wrappingAdd(1, ordering: .relaxed)
    let elapsed = Stopwatch(clock ?? options.clock ?? ContinuousClock())
    let exchange = makeHandler(options)
    let report: @Sendable (Event.Kind) -> Void = { kind in
      exchange.observe(Event(id: id, elapsed: elapsed(), kind: kind))
    }
    report(.started(request))
    var options = options
    let handler = options.eventHandler
    options.eventHandler = { event in
      report(.transfer(event))
      handler?(event)
    }
    do throws(TransportError) {
      var response = try await next.send(request, options: options)
      report(.head(response.head))
      response.outcomeHandlers.append { result in
        if let kind = Event.Kind(result) { report(kind) } else { exchange.reportUndecoded() }
      }
      let count = Mutex(0)
      let length = response.head.canHaveBody ? response.head.announcedLength : 0
      response.body = response.body.observed { event in
        switch event {
        case .chunk(let chunk):
          count.withLock { $0 += chunk.count }
          report(.body(chunk))
        case .ended: report(.completed(byteCount: count.withLock { $0 }))
        case .dropped:
          // A body that is dropped after its last byte is complete, even if its end was never read.
          let count = count.withLock { $0 }
          report(count == length ? .completed(byteCount: count) : .abandoned(byteCount: count))
        case .failed(let error):
          // The same applies to a reader that is cancelled after the last byte.
          let count = count.withLock { $0 }
          report(error.code == .cancelled && count == length ? .completed(byteCount: count) : .failed(error))
        }
      }
      return response
    } catch {
      report(.failed(error))
      throw error
    }
  }
}

/// Passes events on one at a time. An event that arrives during a call waits, and the thread of that call passes it on.
private final class EventQueue: Sendable {
  private struct State {
    var waiting = Queue<ExchangeObserver.Event>()
    var isDelivering = false
  }

  private let state = Mutex(State())
  private let observe: @Sendable (ExchangeObserver.Event) -> Void

  init(_ observe: @escaping @Sendable (ExchangeObserver.Event) -> Void) {
    self.observe = observe
  }

  func deliver(_ event: ExchangeObserver.Event) {
    let isOtherDelivering = state.withLock { state in
      if state.isDelivering { state.waiting.append(event) }
      defer { state.isDelivering = true }
      return state.isDelivering
    }
    var next = isOtherDelivering ? nil : event
    while let event = next {
      observe(event)
      next = state.withLock { state in
        let event = state.waiting.popFirst()
        state.isDelivering = event != nil
        return event
      }
    }
  }
}

extension ExchangeObserver: InterceptingPart {}

extension ExchangeObserver {
  /// An event of an exchange that an ``ExchangeObserver`` reports. Events are reported in the order in which they happen. An exchange ends
  /// with ``Kind/completed(byteCount:)``, ``Kind/abandoned(byteCount:)`` or ``Kind/failed(_:)``. Metrics may follow if the transfer ends
  /// after the body was read.
  ///
  /// A 200 may still not be usable. When its response is converted to a value, ``Kind/accepted(_:)``, ``Kind/undecodable(_:)`` or
  /// ``Kind/rejected(_:)`` follows: once for a typed call, and each time that a promise of the response is decoded. A response that the
  /// caller receives without decoding has no such event.
  public struct Event: Sendable {
    /// The kind of an event.
    @nonexhaustive
    public enum Kind: Sendable {
      /// The request is passed on.
      case started(HTTP.Request)
      /// An event from the session or another interceptor: informational responses, retries, redirects, trailers, metrics.
      case transfer(TransferEvent)
      /// The response head was received. The body of this response is empty.
      case head(HTTP.Response)
      /// A chunk of the response body was read.
      case body(Data)
      /// The whole body was read; the value is its number of bytes.
      case completed(byteCount: Int)
      /// The body was dropped before its end, after the given number of bytes.
      case abandoned(byteCount: Int)
      /// The exchange failed, before the response head or in the body.
      case failed(TransportError)
      /// The response was converted to the requested value. The report lists what lenient types such as `LossyArray` left out, replaced or
      /// converted. It is empty for formats other than `JSON.Decoder`.
      case accepted(DecodingReport)
      /// The response cannot be decoded. The failure has the response's body; its `description` contains no values and is safe to log.
      case undecodable(DecodingFailure)
      /// The response was not converted for another reason: a validator or transformer rejected it with this error, or it has no body (a
      /// ``TransportFailure`` of code `noData`). The description of your own error types may contain values of the body.
      case rejected(any Error)
    }

    /// The identifier of the exchange, a number that increases with each exchange.
    public var id: Int
    /// The time since the start of the exchange.
    public var elapsed: Duration
    /// The kind of the event.
    public var kind: Kind
  }
}

extension ExchangeObserver.Event.Kind {
  /// Creates the event of an outcome; `nil` for a response that the caller receives without decoding.
  init?(_ result: AttemptOutcome.Result) {
    switch result {
    case .handedOver: return nil
    case .accepted(let report): self = .accepted(report ?? DecodingReport())
    case .refused(let failure as DecodingFailure): self = .undecodable(failure)
    case .refused(let error): self = .rejected(error)
    }
  }
}
