internal import Anvil
public import AnvilBase
public import AnvilClient
public import AnvilHTTP
internal import AnvilJSON

/// Exports exchanges as OpenTelemetry spans and metrics, in OTLP/JSON, to a file or a collector.
///
///     let exporter = OTLPExporter(to: .collector(url, session: session), service: "shop")
///     configuration.interceptors = [(TracingInterceptor(outside: .newTrace), at: .attempt), (exporter, at: .attempt)]
///     …
///     await exporter.close()
///
/// After a ``TracingInterceptor``, a span has the identifiers that the request sends in `traceparent`. A request without `traceparent`
/// is a span of the task's ``TraceContext/current``, or of a new trace; these identifiers are not sent. Spans of traces that are not
/// sampled are not exported. The metric `http.client.request.duration` contains all exchanges.
///
/// The span covers the exchange from the request to the end of the body. At `.attempt`, each retry and each redirect is a separate span.
///
/// Exporting happens in the background. It never delays a request and never fails one: spans that the collector rejects, or that do not fit
/// into the queue, are dropped, and ``statistics`` contains their number. Copies share their queue. Requests of the exporter are not
/// exported.
///
/// Source: OpenTelemetry Protocol 1.5 (JSON encoding), HTTP semantic conventions 1.23, W3C Trace Context.
public struct OTLPExporter: Interceptor {
  /// The state of the export.
  public struct Statistics: Sendable {
    /// The number of spans that were delivered.
    public internal(set) var exportedSpanCount = 0
    /// The number of spans that were dropped: the queue was full or closed, or the collector rejected them.
    public internal(set) var droppedSpanCount = 0
    /// The error of the last export; `nil` if it succeeded. It contains no data of exchanges.
    public internal(set) var lastError: (any Error)?
  }

  /// True while the exporter sends a message, so that the request for it is not exported itself.
  @TaskLocal static var isExporting = false

  private let pipeline: OTLPPipeline
  private let observer: any Interceptor

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - destination: The file or the collector.
  ///   - service: The name of the program, the resource attribute `service.name`.
  ///   - resource: Additional resource attributes, such as `deployment.environment.name`.
  ///   - redaction: Decides which parts of `url.full` are shown.
  ///   - queueLimit: The maximum number of spans in the queue. New spans are dropped while it is full.
  ///   - batchSize: The number of queued spans that starts an export, and the maximum number of spans in one message.
  ///   - interval: The maximum time between the end of an exchange and the start of the next export.
  ///   - clock: The clock that measures durations and the interval between exports. `nil` for that of the configuration; the interval is
  ///     measured by the clock of the first one.
  ///   - now: Returns the current time. `nil` for that of the clock.
  public init(
    to destination: Destination, service: String, resource: [String: String] = [:],
    redaction: HTTP.Redaction = HTTP.Redaction(queryValues: .shownUnlessSecret),
    queueLimit: Int = 2048, batchSize: Int = 512, interval: Duration = .seconds(5),
    clock: (any Clock<Duration>)? = nil, now: (@Sendable () -> Date)? = nil
  ) {
    let time = SharedTime(clock, now: now)
    let message = OTLPMessage(service: service, resource: resource, redaction: redaction)
    let pipeline = OTLPPipeline(
      destination: destination, message: message, queueLimit: max(0, queueLimit), batchSize: max(1, batchSize),
      interval: interval, time: time)
    self.pipeline = pipeline
    let observer = ExchangeObserver(clock: clock) { options in
      time.begin(options)
      let exchange = OTLPExchange(start: time.now(), history: options.history, pipeline: pipeline)
      return ExchangeObserver.Handler { exchange.observe($0) }
    }
    self.observer = observer.interceptor
  }

  /// Passes the request on and queues a span of its exchange.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard !Self.isExporting else { return try await next.send(request, options: options) }
    return try await observer.intercept(request, options: options, next: next)
  }

  /// The numbers of exported and dropped spans, and the last error.
  public var statistics: Statistics { pipeline.statistics }

  /// Exports the queued spans and the metrics, and returns when that has succeeded or failed.
  ///
  /// Spans that a collector cannot receive at the moment remain in the queue. Cancelling the task does not cancel the export.
  public func flush() async {
    await pipeline.flush()
  }

  /// Exports the queued spans and the metrics. Spans that could not be delivered are then dropped, and so are all later exchanges.
  ///
  /// If the task is cancelled, or `timeout` has passed, the export is cancelled and the function returns.
  ///
  /// - Parameter timeout: The limit of the whole export. A collector that does not answer would otherwise take 10 seconds for each message.
  public func close(timeout: Duration = .seconds(10)) async {
    await pipeline.close(timeout: timeout)
  }
}

extension OTLPExporter {
  /// The file or the collector that receives the messages.
  public struct Destination: Sendable {
    let send: @Sendable (_ message: JSON, _ signal: OTLPSignal) async -> OTLPDelivery

    /// A file with one JSON object on each line. Lines are appended. If the file does not exist, it is created and only its owner can read
    /// it.
    ///
    /// Source: OpenTelemetry Protocol File Exporter.
    public static func file(_ url: URL) -> Destination {
      Destination { message, _ in await append(message, to: url) }
    }

    /// A collector that receives OTLP over HTTP.
    ///
    /// - Parameters:
    ///   - url: The base URL, often `http://localhost:4318`. Messages are sent to `v1/traces` and `v1/metrics` below it.
    ///   - session: Sends the messages. `nil` for the platform's default session.
    ///   - headers: Fields of each message, such as an API key.
    public static func collector(
      _ url: URL, session: (any TransportSession)? = nil, headers: HTTP.Headers = [:]
    ) -> Destination {
      let service = TransportService(session: session ?? DefaultSession.shared)
      return Destination { message, signal in await post(message, signal, to: url, service, headers) }
    }
  }
}

enum OTLPSignal: String {
  case traces, metrics
}

enum OTLPDelivery {
  /// The message was accepted, except for `rejectedCount` of its items.
  case accepted(rejectedCount: Int)
  /// The message was rejected, and sending it again would not help.
  case rejected(any Error)
  /// The message could not be delivered now. The response, if there is one, may state when it can.
  case unavailable(any Error, HTTP.Response?)
}

extension OTLPExporter.Destination {
  /// The time limit of one message. Source: OpenTelemetry Protocol Exporter, `OTEL_EXPORTER_OTLP_TIMEOUT`.
  private static let timeout = Duration.seconds(10)

  /// Appends `message` to `file` on a separate thread, because writing may block.
  private static func append(_ message: JSON, to file: URL) async -> OTLPDelivery {
    await withCheckedContinuation { continuation in
      let work: @Sendable () -> Void = {
        do throws(FileFailure) {
          try PrivateFile.append(message.serializedData() + Data("\n".utf8), to: file)
          continuation.resume(returning: .accepted(rejectedCount: 0))
        } catch {
          continuation.resume(returning: .unavailable(error, nil))
        }
      }
      if let thread = OwnedThread.start(work) { thread.detach() } else { work() }
    }
  }

  private static func post(
    _ message: JSON, _ signal: OTLPSignal, to base: URL, _ service: TransportService, _ headers: HTTP.Headers
  ) async -> OTLPDelivery {
    let request = HTTP.Request(
      method: .post, url: base.appending(path: "v1/\(signal.rawValue)"), headers: headers,
      body: HTTP.Body(message.serializedData(), contentType: .applicationJSON))
    let result = await OTLPExporter.$isExporting.withValue(true) {
      await service.execute(request, options: TransportOptions(timeout: timeout))
    }
    switch result {
    case .success(let success): return .accepted(rejectedCount: rejectedCount(success.response.body.data))
    case .failure(let failure):
      // Source: OTLP/HTTP, retryable response codes.
      let isFinal = failure.response.map { ![429, 502, 503, 504].contains($0.code) } ?? false
      return isFinal ? .rejected(failure.error) : .unavailable(failure.error, failure.response)
    }
  }

  /// Returns the number of rejected spans that a response with a partial success states. The number may be written as a string.
  private static func rejectedCount(_ body: Data?) -> Int {
    guard let body, let reply = try? JSON(parsing: body),
      let count = reply["partialSuccess"]?["rejectedSpans"]
    else { return 0 }
    return max(0, count.int ?? count.string.flatMap { Int($0) } ?? 0)
  }
}
