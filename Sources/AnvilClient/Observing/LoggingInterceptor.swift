public import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes what happens to requests to a log, in lines with values and without secrets.
///
///     let logging = LoggingInterceptor { entry in logger.log(level: entry.level, "\(entry)") }
///
/// A line for each exchange at its end, by how it ended; one for each retry and each redirect, of those interceptors that follow
/// it: let it be the first to hear of all, the last to see each attempt by itself; and, where `details` ask, one for
/// each head with its fields, as ``HTTP/Redaction`` shows them. Bodies are never logged.
public struct LoggingInterceptor: Interceptor {
  /// What is written beside how each exchange ended.
  public enum Details: Hashable, Sendable {
    /// Nothing.
    case outcomes
    /// Requests and heads as they go and come, with their fields, at level `debug`.
    case heads
  }

  private let observer: ExchangeObserver

  /// Writes to `log`.
  ///
  /// - Parameters:
  ///   - details: what is written beside how each exchange ended.
  ///   - redaction: what of messages is shown.
  ///   - clock: what times are measured by.
  ///   - log: takes the lines, from whichever thread makes them.
  public init(
    details: Details = .outcomes, redaction: HTTP.Redaction = HTTP.Redaction(),
    clock: any Clock<Duration> = ContinuousClock(), log: @escaping @Sendable (LogEntry) -> Void
  ) {
    let lines = Mutex<[Int: ExchangeLines]>([:])
    observer = ExchangeObserver(clock: clock) { event in
      let entry = lines.withLock { lines -> LogEntry? in
        if case .started = event.kind { lines[event.id] = ExchangeLines(details: details, redaction: redaction) }
        // Metrics may come when it is over.
        guard var exchange = lines[event.id] else { return nil }
        let entry = exchange.entry(for: event)
        lines[event.id] = exchange.isOver ? nil : exchange
        return entry
      }
      if let entry { log(entry) }
    }
  }

  /// Passes the request on, and writes.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    try await observer.intercept(request, options: options, next: next)
  }
}

/// The lines of one exchange.
private struct ExchangeLines {
  private let details: LoggingInterceptor.Details
  private let redaction: HTTP.Redaction
  private var request: HTTP.Request?
  private var response: HTTP.Response?
  private(set) var isOver = false

  init(details: LoggingInterceptor.Details, redaction: HTTP.Redaction) {
    self.details = details
    self.redaction = redaction
  }

  mutating func entry(for event: ExchangeEvent) -> LogEntry? {
    switch event.kind {
    case .started(let request):
      self.request = request
      guard details == .heads else { return nil }
      return entry(.debug, event, "\(line) started", values(of: request.headers, prefix: "request"))
    case .head(let response):
      self.response = response
      guard details == .heads else { return nil }
      return entry(.debug, event, "\(line) began", values(of: response.headers, prefix: "response"))
    case .transfer(.retrying(let attempt)): return entry(.warning, event, "\(line), attempt failed: \(attempt)")
    case .transfer(.redirecting(let redirection)):
      return entry(.info, event, "\(line), redirected by \(redirection.status)")
    case .transfer, .body: return nil
    case .completed(let count):
      isOver = true
      return entry(level(of: response), event, line, [("bytes", "\(count)")])
    case .abandoned(let count):
      isOver = true
      return entry(.info, event, "\(line), not read to its end", [("bytes", "\(count)")])
    case .failed(let error):
      isOver = true
      return entry(
        error.code == .cancelled ? .warning : .error, event, "\(line), \(error)", [("error", "\(error.code)")])
    }
  }

  private var line: String {
    guard let request else { return "" }
    let start = "\(request.method) \(redaction.shown(request.url))"
    return response.map { "\(start) → \($0.status)" } ?? start
  }

  private func level(of response: HTTP.Response?) -> LogEntry.Level {
    switch response?.status {
    case .clientError: .warning
    case .serverError, .unknown: .error
    default: .info
    }
  }

  private func entry(
    _ level: LogEntry.Level, _ event: ExchangeEvent, _ message: String, _ more: [(String, String)] = []
  ) -> LogEntry {
    var values: [(name: String, value: String)] = [("exchange", "\(event.id)")]
    if let request { values += [("method", "\(request.method)"), ("url", redaction.shown(request.url))] }
    if let response {
      values.append(("status", "\(response.code)"))
      let history = response.history
      if !history.attempts.isEmpty { values.append(("attempt", "\(history.attempts.count + 1)")) }
      if let outcome = history.cacheOutcome { values.append(("cache", outcome.rawValue)) }
    }
    values.append(("elapsed", event.elapsed.secondsDescription))
    values += more.map { (name: $0.0, value: $0.1) }
    // Servers and callers have chosen parts of all of them.
    return LogEntry(
      level: level, message: message.printable,
      metadata: values.map { (name: $0.name.printable, value: $0.value.printable) })
  }

  private func values(of headers: HTTP.Headers, prefix: String) -> [(String, String)] {
    headers.map { ("\(prefix).header.\($0.key.rawValue.lowercased())", redaction.shown($0)) }
  }
}
