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
  /// The context of the task that sends the request.
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

  /// True if the trace is recorded.
  var isSampled: Bool { context.flags & 1 == 1 }

  /// Records the event. Returns `true` once, for the event that ends the exchange.
  mutating func add(_ event: ExchangeEvent) -> Bool {
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
