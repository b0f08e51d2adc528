internal import AnvilBase
package import AnvilClient
package import AnvilHTTP

/// The values of an exchange that spans and metrics report, collected from its events.
package struct ExchangeSummary: Sendable {
  private let resendCount: Int
  private var request: (method: HTTP.Method, url: URL)?
  private var status: Int?
  private var failure: TransportError?
  /// The metrics of the transfer; `nil` before its end, and for a session that reports none.
  package private(set) var metrics: TransferEvent.Metrics?
  /// The time from the start to the end; `nil` before the end.
  package private(set) var duration: Duration?

  package init(history: HTTP.History) {
    resendCount = history.attempts.count + history.redirections.count
  }

  /// Records the event. Returns `true` once, for the event that ends the exchange.
  package mutating func add(_ event: ExchangeObserver.Event) -> Bool {
    switch event.kind {
    case .started(let request):
      self.request = (request.method, request.url)
      return false
    case .head(let response):
      status = response.code
      return false
    case .transfer(.finished(let metrics)):
      self.metrics = metrics
      return false
    case .failed(let error):
      if duration == nil { failure = error }
    case .completed, .abandoned: break
    case .transfer, .body, .accepted, .undecodable, .rejected: return false
    }
    guard duration == nil else { return false }
    duration = event.elapsed
    return true
  }
}

extension ExchangeSummary {
  /// The value of `error.type`: the name of the error's code, or a status of 400 or more; `nil` if the exchange succeeded.
  private var errorType: String? {
    if let failure { return failure.code.name }
    return status.flatMap { $0 >= 400 ? "\($0)" : nil }
  }

  /// The method if it is a known one, otherwise `_OTHER`. Source: HTTP semantic conventions, `http.request.method`.
  private var method: String {
    request.flatMap { Self.knownMethods.contains($0.method) ? $0.method.rawValue : nil } ?? "_OTHER"
  }

  private static let knownMethods: Set<HTTP.Method> = [
    .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch, .query,
  ]

  /// The version as the conventions write it: `1.1`, `2`.
  private var protocolVersion: String? {
    switch metrics?.protocolName {
    case "h2", "h2c": "2"
    case "h3": "3"
    case let name?: name.split(separator: "/").last.map(String.init)
    case nil: nil
    }
  }

  /// The attributes of metrics before the response: the method and the server.
  package var targetAttributes: ExchangeAttributes {
    var attributes = ExchangeAttributes()
    let origin = request.flatMap { HTTP.Origin($0.url) }
    attributes.add(.method, method)
    attributes.add(.host, origin?.host)
    if let port = origin?.port, port > 0 { attributes.add(.port, port) }
    return attributes
  }

  /// The attributes of metrics. Only attributes with few different values are included.
  package var metricAttributes: ExchangeAttributes {
    var attributes = targetAttributes
    attributes.add(.status, status)
    attributes.add(.errorType, errorType)
    return attributes
  }

  package func spanAttributes(_ redaction: HTTP.Redaction) -> ExchangeAttributes {
    var attributes = metricAttributes
    if let request {
      attributes.add(.url, redaction.shown(request.url))
      if method == "_OTHER" { attributes.add(.originalMethod, request.method.rawValue) }
    }
    if resendCount > 0 { attributes.add(.resendCount, resendCount) }
    attributes.add(.protocolVersion, protocolVersion)
    attributes.add(.peerAddress, metrics?.remoteAddress)
    return attributes
  }

  /// Returns the name of the span of a request. URLs are not part of it, because they have too many values.
  package static func name(for method: HTTP.Method) -> String {
    knownMethods.contains(method) ? method.rawValue : "HTTP"
  }

  package var name: String { request.map { Self.name(for: $0.method) } ?? "HTTP" }

  /// The description is safe to log. A status has no description, because the attributes contain it.
  package var problem: (isError: Bool, text: String?) {
    (errorType != nil, failure.map { "\($0)" })
  }
}

/// The attributes of a span or a metric, in the order in which they were added.
package struct ExchangeAttributes: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case string(String)
    case int(Int)
    case bool(Bool)
  }

  package struct Entry: Hashable, Sendable {
    package let name: ExchangeAttribute
    package let value: Value
  }

  package private(set) var entries: [Entry] = []

  package init() {}

  /// Adds an attribute unless its value is `nil`.
  package mutating func add(_ name: ExchangeAttribute, _ value: String?) {
    if let value { entries.append(Entry(name: name, value: .string(value))) }
  }

  package mutating func add(_ name: ExchangeAttribute, _ value: Int?) {
    if let value { entries.append(Entry(name: name, value: .int(value))) }
  }

  package mutating func add(_ name: ExchangeAttribute, _ value: Bool) {
    entries.append(Entry(name: name, value: .bool(value)))
  }
}

extension ExchangeAttributes {
  /// One series counts everything beyond the limit. Source: OpenTelemetry metrics SDK, cardinality limits.
  private static let maximumSeriesCount = 2000

  /// The attributes of the series that counts everything beyond the limit.
  package static var overflow: ExchangeAttributes {
    var attributes = ExchangeAttributes()
    attributes.add(.overflow, true)
    return attributes
  }

  /// Returns these attributes, or ``overflow`` if they would add a series beyond the limit to `series`.
  package func limited<Series>(to series: [ExchangeAttributes: Series]) -> ExchangeAttributes {
    series[self] == nil && series.count >= Self.maximumSeriesCount - 1 ? .overflow : self
  }
}

/// The names of attributes in spans and metrics: those of OpenTelemetry's semantic conventions for HTTP, and names that begin with `anvil.` for
/// what the conventions do not have. Log entries use the shorter names of `RequestLog.Entry.Name`, and an HTTP archive those of its format.
///
/// Source: OpenTelemetry semantic conventions 1.23, HTTP.
package enum ExchangeAttribute: String, CaseIterable, Sendable {
  case method = "http.request.method"
  case originalMethod = "http.request.method_original"
  case url = "url.full"
  case host = "server.address"
  case port = "server.port"
  case status = "http.response.status_code"
  case errorType = "error.type"
  case resendCount = "http.request.resend_count"
  case protocolVersion = "network.protocol.version"
  case peerAddress = "network.peer.address"
  case overflow = "otel.metric.overflow"
  case cacheOutcome = "anvil.cache.outcome"
  case pull = "anvil.pull"
  case rowChange = "anvil.row.change"
}

/// The names of the metrics. Those that the conventions define have their names.
package enum ExchangeMetric: String, CaseIterable, Sendable {
  /// The duration of an exchange, in seconds.
  case duration = "http.client.request.duration"
  case requestSize = "http.client.request.body.size"
  /// The number of bytes of a response's body, before decompression.
  case responseSize = "http.client.response.body.size"
  case activeRequests = "http.client.active_requests"
  /// The number of responses for which the cache was consulted, by its outcome.
  case cacheResponses = "anvil.client.cache.responses"
  case pullPages = "anvil.pull.pages"
  /// The number of rows of a pull, by what was done with them.
  case pullRows = "anvil.pull.rows"
  /// The number of runs of a pull, by the type of their error.
  case pullRuns = "anvil.pull.runs"
}
