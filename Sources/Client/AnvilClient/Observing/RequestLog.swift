internal import AnvilBase
public import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A log with a line for each exchange, with structured values and without secrets.
///
///     configuration.logging = RequestLog { entry in logger.log(level: entry.level, "\(entry)") }
///
/// Each exchange has a line when it ends, at a level that depends on the outcome. It logs whole calls, with separate
/// lines for their retries and redirects; an ``ExchangeObserver`` at ``InterceptorPosition/attempt`` observes each attempt. With ``Details/heads``, each request and
/// response head has a line with its fields, as ``HTTP/Redaction`` shows them. Bodies are never logged.
///
/// For a call that returns a typed value, the line of a successful response is written when the value is available. A response that cannot
/// be decoded, or that a validator rejects, has one line for that failure and none for the success. A promise delivers the response first,
/// so its exchange is logged at once; decoding that fails later adds a second line with the same `exchange`. Decoding the body of a
/// response that you already have, such as `response.body.decode(as:)` or `response.body.elements(of:)`, is not logged.
///
/// The values of header fields that the request's ``RequestSettings/sensitiveHeaders`` name are hidden, even if the redaction shows them.
public struct RequestLog: Sendable {
  /// The lines that are written in addition to the outcome of each exchange.
  public enum Details: Hashable, Sendable {
    /// No additional lines.
    case outcomes
    /// Requests and response heads with their fields, at level `debug`.
    case heads
  }

  /// The interceptor that writes the log.
  package let interceptor: ExchangeObserver

  /// Creates a log that passes its entries to `log`.
  ///
  /// - Parameters:
  ///   - details: The lines that are written in addition to the outcome of each exchange.
  ///   - redaction: Decides which parts of messages are shown.
  ///   - clock: The clock that measures elapsed times. `nil` for that of the configuration.
  ///   - log: Receives the entries, on the thread that produces them.
  public init(
    details: Details = .outcomes, redaction: HTTP.Redaction = HTTP.Redaction(),
    clock: (any Clock<Duration>)? = nil, log: @escaping @Sendable (LogEntry) -> Void
  ) {
    interceptor = ExchangeObserver(clock: clock) { options in
      let exchange = ExchangeLog(
        details: details, redaction: redaction.hiding(options.sensitiveHeaders),
        awaitsOutcome: options.reportsOutcome, log: log)
      return ExchangeObserver.Handler(observe: { exchange.add($0) }, reportUndecoded: { exchange.reportUndecoded() })
    }
  }
}

/// The log of one exchange.
private final class ExchangeLog: Sendable {
  private struct State {
    var request: HTTP.Request?
    var response: HTTP.Response?
    /// The line of a successful response, held until its outcome is known.
    var held: LogEntry?
    var awaitsOutcome: Bool
  }

  private let details: RequestLog.Details
  private let redaction: HTTP.Redaction
  private let log: @Sendable (LogEntry) -> Void
  private let state: Mutex<State>

  init(
    details: RequestLog.Details, redaction: HTTP.Redaction, awaitsOutcome: Bool,
    log: @escaping @Sendable (LogEntry) -> Void
  ) {
    self.details = details
    self.redaction = redaction
    self.log = log
    state = Mutex(State(awaitsOutcome: awaitsOutcome))
  }

  /// Writes the line that is still held, because no outcome is reported for a response that an interceptor before this one has replaced.
  deinit {
    if let held = state.withLock({ $0.held }) { log(held) }
  }

  func add(_ event: ExchangeEvent) {
    let outcome = event.kind.outcomeSummary
    let entry = state.withLock { state -> LogEntry? in
      if let outcome { self.entry(for: outcome, event, &state) } else { self.entry(for: event, &state) }
    }
    if let entry { log(entry) }
  }

  /// Writes the line of a response that the caller receives without decoding it.
  func reportUndecoded() {
    let held = state.withLock { state in
      state.awaitsOutcome = false
      return state.held.take()
    }
    if let held { log(held) }
  }

  /// Returns the line of an outcome: the held line, or one that reports the failure.
  private func entry(for outcome: OutcomeSummary, _ event: ExchangeEvent, _ state: inout State) -> LogEntry? {
    state.awaitsOutcome = false
    var held = state.held.take()
    guard let text = outcome.text else {
      held?.metadata += outcome.metadata.map { (name: $0.logName, value: $1.printable) }
      return held
    }
    let bytes = held?.metadata.first { $0.name == ExchangeAttribute.byteCount.logName }
    let values = bytes.map { [(ExchangeAttribute.byteCount, $0.value)] } ?? []
    return entry(outcome.level, event, state, ", \(text)", values + outcome.metadata)
  }

  private func entry(for event: ExchangeEvent, _ state: inout State) -> LogEntry? {
    switch event.kind {
    case .started(let request):
      state.request = request
      guard details == .heads else { return nil }
      return entry(.debug, event, state, " started", fields: values(of: request.headers, prefix: "request"))
    case .head(let response):
      state.response = response
      guard details == .heads else { return nil }
      return entry(.debug, event, state, " began", fields: values(of: response.headers, prefix: "response"))
    case .transfer(.retrying(let attempt)): return entry(.warning, event, state, ", attempt failed: \(attempt)")
    case .transfer(.redirecting(let redirection)):
      return entry(.info, event, state, ", redirected by \(redirection.status)")
    case .transfer, .body, .accepted, .undecodable, .rejected: return nil
    case .completed(let count):
      let entry = self.entry(level(of: state.response), event, state, "", [(.byteCount, "\(count)")])
      guard state.awaitsOutcome, state.response?.status.isSuccess == true else { return entry }
      state.held = entry
      return nil
    case .abandoned(let count):
      return entry(.info, event, state, ", not read to its end", [(.byteCount, "\(count)")])
    case .failed(let error):
      return entry(
        error.code == .cancelled ? .warning : .error, event, state, ", \(error)", [(.errorType, "\(error.code)")])
    }
  }

  private func level(of response: HTTP.Response?) -> LogEntry.Level {
    switch response?.status {
    case .clientError: .warning
    case .serverError, .unknown: .error
    default: .info
    }
  }

  private func entry(
    _ level: LogEntry.Level, _ event: ExchangeEvent, _ state: State, _ end: String,
    _ more: [(ExchangeAttribute, String)] = [], fields: [(String, String)] = []
  ) -> LogEntry {
    var line = ""
    var values: [(ExchangeAttribute, String)] = [(.exchange, "\(event.id)")]
    if let request = state.request {
      let url = redaction.shown(request.url)
      line = "\(request.method) \(url)"
      values += [(.method, "\(request.method)"), (.url, url)]
    }
    if let response = state.response {
      line += " → \(response.status)"
      values.append((.status, "\(response.code)"))
      let history = response.history
      if !history.attempts.isEmpty { values.append((.attempt, "\(history.attempts.count + 1)")) }
      if let outcome = history.cacheOutcome { values.append((.cacheOutcome, outcome.rawValue)) }
    }
    values.append((.elapsed, event.elapsed.secondsDescription))
    values += more
    let named = values.map { ($0.logName, $1) } + fields
    // Servers and callers control parts of these strings, so control characters are escaped.
    return LogEntry(
      level: level, message: (line + end).printable,
      metadata: named.map { (name: $0.printable, value: $1.printable) })
  }

  private func values(of headers: HTTP.Headers, prefix: String) -> [(String, String)] {
    headers.map { ("\(prefix).header.\($0.key.rawValue.lowercased())", redaction.shown($0)) }
  }
}
