#if SwiftMetrics
internal import AnvilBase
public import AnvilClient
internal import AnvilHTTP
internal import AnvilObservability
public import CoreMetrics
internal import Synchronization

extension ClientConfiguration {
  /// Records metrics of the client with swift-metrics.
  ///
  ///     configuration.addMetrics()
  ///
  /// | metric | kind | recorded |
  /// | --- | --- | --- |
  /// | `http.client.request.duration` | timer | for each attempt, when its body has ended |
  /// | `http.client.request.body.size`, `http.client.response.body.size` | recorder, in bytes | for each attempt whose session reports `TransferEvent.Metrics` |
  /// | `http.client.active_requests` | meter | attempts in progress |
  /// | `anvil.client.cache.responses` | counter | for each response for which the cache was consulted, by `anvil.cache.outcome` |
  ///
  /// The dimensions are those of OpenTelemetry's semantic conventions: method, server, port, status and type of error. URLs are not among
  /// them. Beyond 2000 combinations of values, everything is recorded with the dimension `otel.metric.overflow`.
  ///
  /// - Parameter factory: The backend. With `nil`, that of `MetricsSystem` when this function is called.
  public mutating func addMetrics(_ factory: (any MetricsFactory)? = nil) {
    let handles = MetricHandles(factory: factory ?? MetricsSystem.factory)
    observers.append(
      ExchangeObserver { event in
        if case .transfer(.cached(let outcome)) = event.kind { handles.count(outcome.rawValue) }
      })
    let attempts = ExchangeObserver(clock: nil) { options in
      let exchange = MeasuredExchange(ExchangeSummary(history: options.history), handles)
      return ExchangeObserver.Handler { exchange.add($0) }
    }
    interceptors.append((attempts.interceptor, at: .attempt))
  }
}

/// The metrics of an exchange in progress.
private final class MeasuredExchange: Sendable {
  private struct State {
    var summary: ExchangeSummary
    var hasRecordedSizes = false
  }

  private let state: Mutex<State>
  private let handles: MetricHandles

  init(_ summary: ExchangeSummary, _ handles: MetricHandles) {
    state = Mutex(State(summary: summary))
    self.handles = handles
  }

  func add(_ event: ExchangeObserver.Event) {
    let (summary, isEnd, areSizesKnown) = state.withLock { state in
      let isEnd = state.summary.add(event)
      // Metrics of the transfer may precede the end of the body, or follow it.
      let areSizesKnown =
        state.summary.duration != nil && state.summary.metrics != nil && !state.hasRecordedSizes
      if areSizesKnown { state.hasRecordedSizes = true }
      return (state.summary, isEnd, areSizesKnown)
    }
    if case .started = event.kind { handles.active(summary.targetAttributes).increment() }
    if isEnd {
      handles.active(summary.targetAttributes).decrement()
      handles.series(summary.metricAttributes).duration.recordNanoseconds(summary.duration?.wholeNanoseconds ?? 0)
    }
    if areSizesKnown, let metrics = summary.metrics {
      let series = handles.series(summary.metricAttributes)
      series.requestSize.record(metrics.sentByteCount)
      series.responseSize.record(metrics.receivedByteCount)
    }
  }
}

extension Duration {
  /// The nanoseconds as an integer, limited to its range.
  fileprivate var wholeNanoseconds: Int64 { Int64(exactly: (self / .nanoseconds(1)).rounded()) ?? .max }
}

/// The handles of metrics, one for each set of dimensions. A handle is created once: a meter that the library makes of a recorder has state.
private final class MetricHandles: Sendable {
  struct Series {
    let duration: Timer
    let requestSize: Recorder
    let responseSize: Recorder
  }

  private struct State {
    var series: [ExchangeAttributes: Series] = [:]
    var active: [ExchangeAttributes: Meter] = [:]
    var cacheOutcomes: [String: Counter] = [:]
  }

  private let factory: any MetricsFactory
  private let state = Mutex(State())

  init(factory: any MetricsFactory) {
    self.factory = factory
  }

  func series(_ attributes: ExchangeAttributes) -> Series {
    state.withLock { state in
      let attributes = attributes.limited(to: state.series)
      if let known = state.series[attributes] { return known }
      let dimensions = attributes.dimensions
      let series = Series(
        duration: Timer(label: ExchangeMetric.duration.rawValue, dimensions: dimensions, factory: factory),
        requestSize: Recorder(
          label: ExchangeMetric.requestSize.rawValue, dimensions: dimensions, aggregate: true, factory: factory),
        responseSize: Recorder(
          label: ExchangeMetric.responseSize.rawValue, dimensions: dimensions, aggregate: true, factory: factory))
      state.series[attributes] = series
      return series
    }
  }

  func active(_ attributes: ExchangeAttributes) -> Meter {
    state.withLock { state in
      let attributes = attributes.limited(to: state.active)
      if let known = state.active[attributes] { return known }
      let meter = Meter(
        label: ExchangeMetric.activeRequests.rawValue, dimensions: attributes.dimensions, factory: factory)
      state.active[attributes] = meter
      return meter
    }
  }

  func count(_ cacheOutcome: String) {
    let counter = state.withLock { state in
      if let known = state.cacheOutcomes[cacheOutcome] { return known }
      let counter = Counter(
        label: ExchangeMetric.cacheResponses.rawValue,
        dimensions: [(ExchangeAttribute.cacheOutcome.rawValue, cacheOutcome)], factory: factory)
      state.cacheOutcomes[cacheOutcome] = counter
      return counter
    }
    counter.increment()
  }
}

extension ExchangeAttributes {
  /// The attributes as names and texts.
  fileprivate var dimensions: [(String, String)] {
    entries.map { entry in
      switch entry.value {
      case .string(let value): (entry.name.rawValue, value)
      case .int(let value): (entry.name.rawValue, "\(value)")
      case .bool(let value): (entry.name.rawValue, "\(value)")
      }
    }
  }
}
#endif
