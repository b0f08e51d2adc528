internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

/// The queue of an exporter and the tasks that empty it. At most one export runs at a time.
final class OTLPPipeline: Sendable {
  private struct State {
    var queue: [OTLPExchange] = []
    var durations = OTLPDurations()
    var haveDurationsChanged = false
    var statistics = OTLPExporter.Statistics()
    /// The task that starts an export after the interval; `nil` if nothing is queued.
    var timer: Task<Void, Never>?
    /// The task of an export that has not yet taken the exchanges from the queue.
    var scheduled: Task<Void, Never>?
    var last: Task<Void, Never>?
    /// The time after which the next export begins, regardless of the number of queued spans; `nil` unless a delivery has failed.
    var pause: Duration?
    /// The number of deliveries that have failed since one succeeded.
    var failureCount = 0
    var isClosed = false
    /// True if nothing is sent any more, because closing has taken too long or was cancelled.
    var isAborted = false
    var sending: Task<OTLPDelivery, Never>?
  }

  private let destination: OTLPExporter.Destination
  private let message: OTLPMessage
  private let queueLimit: Int
  private let batchSize: Int
  private let interval: Duration
  private let backoff: ExponentialBackoff
  private let time: SharedTime
  private let start: Date
  private let state = Mutex(State())

  init(
    destination: OTLPExporter.Destination, message: OTLPMessage, queueLimit: Int, batchSize: Int, interval: Duration,
    time: SharedTime
  ) {
    self.destination = destination
    self.message = message
    self.queueLimit = queueLimit
    self.batchSize = batchSize
    self.interval = interval
    backoff = ExponentialBackoff(base: interval, delayLimit: max(interval, .seconds(60)))
    self.time = time
    start = time.now()
  }

  var statistics: OTLPExporter.Statistics { state.withLock(\.statistics) }

  /// Records the duration of an exchange that has ended. Queues its span if it is sampled and the queue is not full.
  func add(_ exchange: OTLPExchange) {
    let span = exchange.span
    let attributes = span.summary.metricAttributes
    state.withLock { state in
      guard !state.isClosed else {
        if span.isSampled { state.statistics.droppedSpanCount += 1 }
        return
      }
      state.durations.record(span.summary.duration ?? .zero, attributes)
      state.haveDurationsChanged = true
      if span.isSampled {
        if state.queue.count < queueLimit {
          state.queue.append(exchange)
        } else {
          state.statistics.droppedSpanCount += 1
        }
      }
      if state.queue.count >= batchSize, state.pause == nil {
        _ = schedule(&state)
      } else {
        startTimer(&state)
      }
    }
  }

  func flush() async {
    await state.withLock { schedule(&$0) }.value
  }

  func close(timeout: Duration) async {
    let export = state.withLock { state in
      state.isClosed = true
      return schedule(&state)
    }
    await wait(for: export, atMost: timeout)
    let reason: TransportError.Code = Task.isCancelled ? .cancelled : .timedOut
    let sending = state.withLock { state in
      state.isAborted = true
      if state.sending != nil { state.statistics.lastError = TransportError(code: reason) }
      state.statistics.droppedSpanCount += state.queue.count
      state.queue = []
      state.timer?.cancel()
      state.timer = nil
      return state.sending
    }
    sending?.cancel()
  }

  /// A session that does not react to cancellation does not delay the return.
  private func wait(for export: Task<Void, Never>, atMost timeout: Duration) async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    Task.detached {
      await export.value
      continuation.finish()
    }
    let timer = Task.detached { [time] in
      try? await time.clock.sleep(for: timeout.clampedForClocks)
      continuation.finish()
    }
    // Ends without an element, also if the current task is cancelled.
    for await _ in end {}
    timer.cancel()
  }

  /// Sends a message. Returns `nil` without sending it if the export was aborted.
  private func send(_ message: JSON, _ signal: OTLPSignal) async -> OTLPDelivery? {
    let sending = state.withLock { state -> Task<OTLPDelivery, Never>? in
      guard !state.isAborted else { return nil }
      let task = Task { await destination.send(message, signal) }
      state.sending = task
      return task
    }
    guard let sending else { return nil }
    let delivery = await sending.value
    state.withLock { $0.sending = nil }
    return delivery
  }

  private func startTimer(_ state: inout State) {
    guard state.timer == nil, state.scheduled == nil, !state.isClosed else { return }
    // Detached, as below: the task of a request has a trace that does not concern the export.
    let delay = state.pause ?? interval
    state.timer = Task.detached { [time] in
      guard (try? await time.clock.sleep(for: delay.clampedForClocks)) != nil else { return }
      await self.state.withLock { self.schedule(&$0) }.value
    }
  }

  /// Returns the task of the next export, which takes everything that is in the queue when it starts.
  private func schedule(_ state: inout State) -> Task<Void, Never> {
    if let scheduled = state.scheduled { return scheduled }
    let previous = state.last
    let export = Task.detached {
      await previous?.value
      await self.export()
    }
    state.scheduled = export
    state.last = export
    return export
  }

  private func export() async {
    let (spans, durations) = state.withLock { state in
      state.scheduled = nil
      state.pause = nil
      state.timer?.cancel()
      state.timer = nil
      defer {
        state.queue = []
        state.haveDurationsChanged = false
        state.statistics.lastError = nil
      }
      return (state.queue, state.haveDurationsChanged ? state.durations : nil)
    }
    let canContinue = await export(spans)
    if canContinue, let durations { await export(durations) }
    state.withLock { state in
      if !canContinue, durations != nil { state.haveDurationsChanged = true }
      if !state.queue.isEmpty || state.haveDurationsChanged { startTimer(&state) }
    }
  }

  /// Sends the spans. Returns `false` if nothing can be delivered now.
  private func export(_ exchanges: [OTLPExchange]) async -> Bool {
    var rest = exchanges[...]
    while !rest.isEmpty {
      let batch = rest.prefix(batchSize)
      let delivery = await send(message.traces(batch.map(\.span)), .traces)
      let canContinue = state.withLock { state in
        switch delivery {
        case .accepted(let rejectedCount):
          let rejected = min(rejectedCount, batch.count)
          state.statistics.exportedSpanCount += batch.count - rejected
          state.statistics.droppedSpanCount += rejected
          state.failureCount = 0
        case .rejected(let error):
          state.statistics.droppedSpanCount += batch.count
          state.statistics.lastError = error
        case .unavailable(let error, let response):
          wait(after: error, response, &state)
          putBack(rest, &state)
          return false
        case nil:
          putBack(rest, &state)
          return false
        }
        return true
      }
      guard canContinue else { return false }
      rest = rest.dropFirst(batch.count)
    }
    return true
  }

  /// Begins the pause after a failed delivery. Source: OTLP/HTTP, throttling.
  private func wait(after error: any Error, _ response: HTTP.Response?, _ state: inout State) {
    state.statistics.lastError = error
    state.failureCount += 1
    let stated = response.flatMap { RetryAfter.delay(of: $0, now: time.now()) }
    state.pause = max(interval, stated ?? backoff.delay(beforeAttempt: state.failureCount))
  }

  /// Returns exchanges to the front of the queue, and drops the newest ones beyond its limit.
  private func putBack(_ exchanges: ArraySlice<OTLPExchange>, _ state: inout State) {
    guard !state.isAborted else {
      state.statistics.droppedSpanCount += exchanges.count
      return
    }
    let all = exchanges + state.queue
    state.queue = Array(all.prefix(queueLimit))
    state.statistics.droppedSpanCount += all.count - state.queue.count
  }

  /// Sends the histograms. They are cumulative, so the next message also contains the data of a lost one.
  private func export(_ durations: OTLPDurations) async {
    let delivery = await send(message.metrics(durations, since: start, at: time.now()), .metrics)
    state.withLock { state in
      switch delivery {
      case .accepted: state.failureCount = 0
      case nil: break
      case .rejected(let error): state.statistics.lastError = error
      case .unavailable(let error, let response):
        wait(after: error, response, &state)
        state.haveDurationsChanged = true
      }
    }
  }
}

/// An exchange in progress. It is queued as a span at its end; metrics of the transfer may follow until the span is exported.
final class OTLPExchange: Sendable {
  private let pipeline: OTLPPipeline
  private let state: Mutex<OTLPSpan>

  init(start: Date, history: HTTP.History, pipeline: OTLPPipeline) {
    self.pipeline = pipeline
    state = Mutex(OTLPSpan(start: start, history: history, task: .current))
  }

  var span: OTLPSpan { state.withLock { $0 } }

  func observe(_ event: ExchangeObserver.Event) {
    let isEnd = state.withLock { $0.add(event) }
    if isEnd { pipeline.add(self) }
  }
}

struct OTLPSpan: Sendable {
  let start: Date
  private let task: TraceContext?
  private(set) var context = TraceContext(traceID: 0, parentID: 0)
  /// The ID of the parent span; `nil` for a span without a parent.
  private(set) var parentID: UInt64?
  private(set) var summary: ExchangeSummary

  init(start: Date, history: HTTP.History, task: TraceContext?) {
    self.start = start
    self.task = task
    summary = ExchangeSummary(history: history)
  }

  var isSampled: Bool { context.flags & 1 == 1 }

  mutating func add(_ event: ExchangeObserver.Event) -> Bool {
    if case .started(let request) = event.kind { identify(request.headers) }
    return summary.add(event)
  }

  /// Takes the identifiers from the `traceparent` that was sent. Without this field, creates the identifiers of a new span.
  private mutating func identify(_ headers: HTTP.Headers) {
    var generator = SystemRandomNumberGenerator()
    context = TraceContext(parsing: headers) ?? task?.child(using: &generator) ?? TraceContext(using: &generator)
    if let task, task.traceID == context.traceID, task.parentID != context.parentID { parentID = task.parentID }
  }
}
