internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The data of a span.
struct OTLPSpan: Sendable {
  let start: Date
  private let resendCount: Int
  /// The context of the task that sends the request.
  private let task: TraceContext?
  private(set) var context = TraceContext(traceID: 0, parentID: 0)
  /// The ID of the parent span; `nil` for a span without a parent.
  private(set) var parentID: UInt64?
  private var request: (method: HTTP.Method, url: URL)?
  private var status: Int?
  private var failure: TransportError?
  private var metrics: TransferMetrics?
  /// The time from the start to the end; `nil` before the end.
  private(set) var duration: Duration?

  init(start: Date, resendCount: Int, task: TraceContext?) {
    self.start = start
    self.resendCount = resendCount
    self.task = task
  }

  /// Records the event. Returns `true` once, for the event that ends the exchange.
  mutating func add(_ event: ExchangeEvent) -> Bool {
    switch event.kind {
    case .started(let request):
      self.request = (request.method, request.url)
      identify(request.headers)
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

  /// Takes the identifiers from the `traceparent` that was sent. Without this field, creates the identifiers of a new span.
  private mutating func identify(_ headers: HTTP.Headers) {
    var generator = SystemRandomNumberGenerator()
    context = TraceContext(parsing: headers) ?? task?.child(using: &generator) ?? TraceContext(using: &generator)
    if let task, task.traceID == context.traceID, task.parentID != context.parentID { parentID = task.parentID }
  }
}

extension OTLPSpan {
  /// True if the trace is recorded.
  var isSampled: Bool { context.flags & 1 == 1 }

  /// The value of `error.type`: the name of the error's code, or a status of 400 or more; `nil` if the exchange succeeded.
  private var errorType: String? {
    if let failure { return failure.code.kind.rawValue }
    return status.flatMap { $0 >= 400 ? "\($0)" : nil }
  }

  /// The method if it is a known one, otherwise `_OTHER`. Source: HTTP semantic conventions, `http.request.method`.
  private var method: String {
    let known: Set<HTTP.Method> = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch, .query]
    return request.flatMap { known.contains($0.method) ? $0.method.rawValue : nil } ?? "_OTHER"
  }

  /// The attributes of the metric. Only attributes with few different values are included.
  var series: OTLPDurations.Series {
    let origin = request.flatMap { HTTP.Origin($0.url) }
    return OTLPDurations.Series(
      method: method, host: origin?.host, port: origin?.port, status: status, errorType: errorType)
  }

  /// The version as the conventions write it: `1.1`, `2`.
  private var protocolVersion: String? {
    switch metrics?.protocolName {
    case "h2", "h2c": "2"
    case "h3": "3"
    case let name?: name.split(separator: "/").last.map(String.init)
    case nil: nil
    }
  }

  func attributes(_ redaction: HTTP.Redaction) -> OTLPAttributes {
    var attributes = series.attributes
    if let request {
      attributes.add("url.full", redaction.shown(request.url))
      if method == "_OTHER" { attributes.add("http.request.method_original", request.method.rawValue) }
    }
    if resendCount > 0 { attributes.add("http.request.resend_count", resendCount) }
    attributes.add("network.protocol.version", protocolVersion)
    attributes.add("network.peer.address", metrics?.remoteAddress)
    return attributes
  }

  /// The name of the span. URLs are not part of it, because they have too many values.
  var name: String { method == "_OTHER" ? "HTTP" : method }

  /// Whether the exchange failed, and the description of the error, which is safe to log. A status has no description, because the
  /// attributes contain it.
  var problem: (isError: Bool, text: String?) {
    (errorType != nil, failure.map { "\($0)" })
  }
}
