#if SwiftTracing
public import AnvilClient
public import AnvilHTTP
internal import AnvilObservability
internal import Synchronization
public import Tracing

extension ClientConfiguration {
  /// Records a span for each call and, within it, one for each attempt, with swift-distributed-tracing.
  ///
  ///     configuration.addTracing()
  ///
  /// The span of a call is a child of the task's `ServiceContext`. It covers retries and redirects, and ends with the value of a typed call. A body
  /// that cannot be decoded, or that a validator rejects, is an error of the call. The spans of attempts are of kind `client`, have the
  /// attributes of OpenTelemetry's semantic conventions, and end with the body. Each attempt sends the context of its span, in the fields that the tracer
  /// writes, such as `traceparent`.
  ///
  /// Lines of `configuration.logging` are written outside of the span of the call, so that a `MetadataProvider` sees the caller's span; the lines of
  /// retries and redirects are written within it.
  ///
  /// Use either this function or `TracingInterceptor`: a request that already has a `traceparent` keeps it.
  ///
  /// - Parameters:
  ///   - tracer: The tracer. With `nil`, that of `InstrumentationSystem` at the time of each request.
  ///   - redaction: Decides which parts of `url.full` are shown.
  public mutating func addTracing(
    _ tracer: (any Tracer)? = nil, redaction: HTTP.Redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
  ) {
    interceptors.insert((SpanInterceptor(position: .call, tracer: tracer, redaction: redaction), at: .call), at: 0)
    interceptors.append((SpanInterceptor(position: .attempt, tracer: tracer, redaction: redaction), at: .attempt))
  }
}

/// An interceptor that sends each request within a span.
private struct SpanInterceptor: Interceptor {
  let position: ClientConfiguration.InterceptorPosition
  let tracer: (any Tracer)?
  let redaction: HTTP.Redaction

  func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    let tracer = tracer ?? InstrumentationSystem.tracer
    let exchange = TracedExchange(
      ExchangeSummary(history: options.history), redaction,
      awaitsOutcome: position == .call && options.reportsOutcome
    ) { [position] name in
      position == .call ? tracer.startSpan("\(name) call") : tracer.startSpan(name, ofKind: .client)
    }
    let observer = ExchangeObserver(clock: nil) { _ in
      ExchangeObserver.Handler(observe: { exchange.add($0) }, reportUndecoded: { exchange.endWithoutOutcome() })
    }
    let context = exchange.start(request)
    var request = request
    if position == .attempt, !request.headers.contains(.traceparent) {
      tracer.inject(context, into: &request.headers, using: HeaderInjector())
    }
    // Not a closure that throws: `withValue` would forget the type of the error.
    let result = await ServiceContext.withValue(context) {
      [request] () async -> Result<TransportResponse, TransportError> in
      do throws(TransportError) {
        return .success(try await observer.interceptor.intercept(request, options: options, next: next))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// An exchange in progress, and its span.
private final class TracedExchange: Sendable {
  private struct State {
    var summary: ExchangeSummary
    var span: (any Span)?
    var awaitsOutcome: Bool
    var hasSuccessStatus = false
    var isBodyComplete = false
  }

  private let state: Mutex<State>
  private let redaction: HTTP.Redaction
  private let startSpan: @Sendable (_ name: String) -> any Span

  init(
    _ summary: ExchangeSummary, _ redaction: HTTP.Redaction, awaitsOutcome: Bool,
    startSpan: @escaping @Sendable (_ name: String) -> any Span
  ) {
    state = Mutex(State(summary: summary, awaitsOutcome: awaitsOutcome))
    self.redaction = redaction
    self.startSpan = startSpan
  }

  /// Ends a span that still waits for its outcome, because no outcome is reported for a response that an interceptor has replaced.
  deinit {
    endWithoutOutcome()
  }

  /// Starts the span, and returns its context.
  func start(_ request: HTTP.Request) -> ServiceContext {
    let name = ExchangeSummary.name(for: request.method)
    let span = startSpan(name)
    state.withLock { $0.span = span }
    return span.context
  }

  func add(_ event: ExchangeObserver.Event) {
    state.withLock { state in
      let isEnd = state.summary.add(event)
      switch event.kind {
      // A program that shows spans in progress reads them before the end.
      case .started: state.span?.set(state.summary.spanAttributes(redaction))
      case .head(let response): state.hasSuccessStatus = response.status.isSuccess
      case .completed: state.isBodyComplete = true
      default: break
      }
      if let outcome = event.kind.outcomeSummary {
        end(&state, outcome)
      } else if isEnd, !(state.awaitsOutcome && state.hasSuccessStatus && state.isBodyComplete) {
        end(&state, nil)
      }
    }
  }

  func endWithoutOutcome() {
    state.withLock { state in
      state.awaitsOutcome = false
      if state.summary.duration != nil { end(&state, nil) }
    }
  }

  private func end(_ state: inout State, _ outcome: OutcomeSummary?) {
    guard let span = state.span.take() else { return }
    var problem = state.summary.problem
    var attributes = state.summary.spanAttributes(redaction)
    if let name = outcome?.errorName {
      attributes.add(.errorType, name)
      problem = (true, outcome?.text)
    }
    span.set(attributes)
    if problem.isError { span.setStatus(SpanStatus(code: .error, message: problem.text)) }
    span.end()
  }
}

extension Tracing.Span {
  fileprivate func set(_ attributes: ExchangeAttributes) {
    updateAttributes { all in
      for entry in attributes.entries {
        switch entry.value {
        case .string(let value): all.set(entry.name.rawValue, value: .string(value))
        case .int(let value): all.set(entry.name.rawValue, value: .int64(Int64(value)))
        case .bool(let value): all.set(entry.name.rawValue, value: .bool(value))
        }
      }
    }
  }
}

/// Writes the fields of a context into the header of a request.
private struct HeaderInjector: Injector {
  func inject(_ value: String, forKey key: String, into headers: inout HTTP.Headers) {
    headers[HTTP.HeaderKey(rawValue: key)] = HTTP.HeaderValue(rawValue: value)
  }
}
#endif
