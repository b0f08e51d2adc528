internal import AnvilBase
internal import AnvilDiagnosis
public import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

/// A log with a line for each exchange, with structured values and without secrets.
///
///     configuration.logging = RequestLog { entry in logger.log(level: entry.level, "\(entry)") }
///
/// Each exchange has a line when it ends, at a level that depends on the outcome. It logs whole calls, with separate
/// lines for their retries and redirects; an ``ExchangeObserver`` at ``ClientConfiguration/InterceptorPosition/attempt`` observes each
/// attempt. With ``Details/heads``, each request and response head has a line with its fields, as ``HTTP/Redaction`` shows them. Bodies are
/// never logged.
///
/// For a call that returns a typed value, the line of a successful response is written when the value is available. A response that cannot
/// be decoded, or that a validator rejects, has one line for that failure and none for the success. A promise delivers the response first,
/// so its exchange is logged at once; decoding that fails later adds a second line with the same `exchange`. Decoding the body of a
/// response that you already have, such as `response.body.decode(as:)` or `response.body.elements(of:)`, is not logged.
///
/// The values of header fields that the request's ``RequestConfigurable/sensitiveHeaders`` name are hidden, even if the redaction shows them.
public struct RequestLog: Sendable {
  /// The lines that are written in addition to the outcome of each exchange.
  public enum Details: Hashable, Sendable {
    /// No additional lines.
    case outcomes
    /// Requests and response heads with their fields, at level `debug`.
    case heads
  }

  package let interceptor: any Interceptor

  /// Creates a log that passes its entries to `log`.
  ///
  /// - Parameters:
  ///   - details: The lines that are written in addition to the outcome of each exchange.
  ///   - redaction: Decides which parts of messages are shown.
  ///   - clock: The clock that measures elapsed times. `nil` for that of the configuration.
  ///   - log: Receives the entries, on the thread that produces them.
  public init(
    details: Details = .outcomes, redaction: HTTP.Redaction = HTTP.Redaction(),
    clock: (any Clock<Duration>)? = nil, log: @escaping @Sendable (Entry) -> Void
  ) {
    let observer = ExchangeObserver(clock: clock) { options in
      let exchange = ExchangeLog(
        details: details, redaction: redaction.hiding(options.sensitiveHeaders),
        awaitsOutcome: options.reportsOutcome, log: log)
      return ExchangeObserver.Handler(observe: { exchange.add($0) }, reportUndecoded: { exchange.reportUndecoded() })
    }
    interceptor = observer.interceptor
  }
}

private final class ExchangeLog: Sendable {
  fileprivate typealias Entry = RequestLog.Entry
  private typealias Name = Entry.Name

  private struct State {
    var request: HTTP.Request?
    var response: HTTP.Response?
    /// The line of a successful response, held until its outcome is known.
    var held: Entry?
    var awaitsOutcome: Bool
  }

  private let details: RequestLog.Details
  private let redaction: HTTP.Redaction
  private let log: @Sendable (Entry) -> Void
  private let state: Mutex<State>

  init(
    details: RequestLog.Details, redaction: HTTP.Redaction, awaitsOutcome: Bool,
    log: @escaping @Sendable (Entry) -> Void
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

  func add(_ event: ExchangeObserver.Event) {
    let outcome = event.kind.outcomeSummary
    let entry = state.withLock { state -> Entry? in
      if let outcome { self.entry(for: outcome, event, &state) } else { self.entry(for: event, &state) }
    }
    if let entry { log(entry) }
  }

  func reportUndecoded() {
    let held = state.withLock { state in
      state.awaitsOutcome = false
      return state.held.take()
    }
    if let held { log(held) }
  }

  /// Returns the line of an outcome: the held line, or one that reports the failure.
  private func entry(for outcome: OutcomeSummary, _ event: ExchangeObserver.Event, _ state: inout State) -> Entry? {
    state.awaitsOutcome = false
    var held = state.held.take()
    guard let text = outcome.text else {
      held?.metadata += outcome.metadata.map { (name: $0, value: $1.printable) }
      return held
    }
    let bytes = held?.metadata.first { $0.name == Name.byteCount }.map { [($0.name, $0.value)] } ?? []
    return entry(outcome.level, event, state, ", \(text)", bytes + outcome.metadata)
  }

  private func entry(for event: ExchangeObserver.Event, _ state: inout State) -> Entry? {
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
      let entry = self.entry(level(of: state.response), event, state, "", [(Name.byteCount, "\(count)")])
      guard state.awaitsOutcome, state.response?.status.isSuccess == true else { return entry }
      state.held = entry
      return nil
    case .abandoned(let count):
      return entry(.info, event, state, ", not read to its end", [(Name.byteCount, "\(count)")])
    case .failed(let error):
      return entry(
        error.code == .cancelled ? .warning : .error, event, state, ", \(error)", [(Name.error, error.code.name)])
    }
  }

  private func level(of response: HTTP.Response?) -> Entry.Level {
    switch response?.status {
    case .clientError: .warning
    case .serverError, .unknown: .error
    default: .info
    }
  }

  private func entry(
    _ level: Entry.Level, _ event: ExchangeObserver.Event, _ state: State, _ end: String,
    _ more: [(String, String)] = [], fields: [(String, String)] = []
  ) -> Entry {
    var line = ""
    var values: [(String, String)] = [(Name.exchange, "\(event.id)")]
    if let request = state.request {
      let url = redaction.shown(request.url)
      line = "\(request.method) \(url)"
      values += [(Name.method, "\(request.method)"), (Name.url, url)]
    }
    if let response = state.response {
      line += " → \(response.status)"
      values.append((Name.status, "\(response.code)"))
      let history = response.history
      if !history.attempts.isEmpty { values.append((Name.attempt, "\(history.attempts.count + 1)")) }
      if let outcome = history.cacheOutcome { values.append((Name.cache, outcome.rawValue)) }
    }
    values.append((Name.elapsed, event.elapsed.secondsDescription))
    values += more + fields
    // Servers and callers control parts of these strings, so control characters are escaped.
    return Entry(
      level: level, message: (line + end).printable,
      metadata: values.map { (name: $0.printable, value: $1.printable) })
  }

  private func values(of headers: HTTP.Headers, prefix: String) -> [(String, String)] {
    headers.map { ("\(prefix).header.\($0.key.rawValue.lowercased())", redaction.shown($0)) }
  }
}

extension RequestLog {
  /// A line of a log and its values, which can be passed to any logger.
  public struct Entry: Sendable {
    /// The severity of an entry.
    public enum Level: Int, Comparable, Sendable {
      /// Details for debugging.
      case debug
      /// An event in normal operation.
      case info
      /// A failure of the client or one that may be transient: a 4xx status, a retry, a cancelled request, a success that a validator
      /// rejects, or a success in which lenient types left out values.
      case warning
      /// A failure of the server or of the network, and a success that cannot be decoded.
      case error

      /// Returns whether `lhs` is less severe.
      public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The severity.
    public var level: Level
    /// The event, in one line.
    public var message: String
    /// The values of the entry by name, in a fixed order: `exchange`, `method`, `url`, `status`, `attempt`, `cache`, `elapsed`, `bytes`,
    /// `error` (the name of a code such as `timedOut`, or the number of a status), `lenient` (the number of values that lenient types left out,
    /// replaced or converted), and header fields such as `request.header.accept`.
    public var metadata: [(name: String, value: String)]

    /// Creates an entry.
    package init(level: Level, message: String, metadata: [(name: String, value: String)] = []) {
      self.level = level
      self.message = message
      self.metadata = metadata
    }
  }
}

extension RequestLog.Entry {
  /// The names of values in the entries of exchanges. Spans and metrics have the names of `ExchangeAttribute` in `AnvilObservability`, which a program with only
  /// a log does not link.
  package enum Name {
    static let attempt = "attempt"
    static let byteCount = "bytes"
    static let cache = "cache"
    static let elapsed = "elapsed"
    package static let error = "error"
    static let exchange = "exchange"
    static let lenientCount = "lenient"
    static let method = "method"
    static let status = "status"
    static let url = "url"
  }
}

extension RequestLog.Entry: CustomStringConvertible {
  /// The line and its values, such as `GET https://api.example.com/users → 200 OK  exchange=7 elapsed=0.041 s`.
  public var description: String {
    metadata.isEmpty ? message : message + "  " + metadata.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }
}

/// The description of a response's outcome for logs and archives. It contains types, keys and positions, but no values of the body.
package struct OutcomeSummary {
  package var level: RequestLog.Entry.Level
  /// The text to write; `nil` if there is nothing to report.
  package var text: String?
  /// The name of the error, as in ``ErrorSummary``; `nil` for a response that was accepted.
  package var errorName: String?
  /// The number of values that lenient types left out, replaced or converted.
  fileprivate var lenientCount = 0

  /// The values for a log entry.
  fileprivate var metadata: [(String, String)] {
    if let errorName { return [(RequestLog.Entry.Name.error, errorName)] }
    return lenientCount > 0 ? [(RequestLog.Entry.Name.lenientCount, "\(lenientCount)")] : []
  }
}

/// The words for an error in logs, spans and metrics. They contain no values of messages or rows.
package struct ErrorSummary {
  /// The value of `error` in log entries, and of `error.type` in spans and metrics: the name of a code, the number of a status, or the name of the
  /// error's type.
  package var name: String
  /// The description for people.
  package var text: String

  /// Creates the words for `error`. The description is used only for errors of this package, because that of another error may contain values.
  package init(_ error: any Error) {
    switch (error as? AnyError)?.error ?? error {
    case let failure as TransportFailure: (name, text) = (failure.error.code.name, "\(failure)")
    case let error as TransportError: (name, text) = (error.code.name, "\(error)")
    case let failure as DecodingFailure: (name, text) = (failure.problem.code, "\(failure)")
    case is CancellationError: (name, text) = (TransportError.Code.cancelled.name, "\(TransportError.Code.cancelled)")
    case let error:
      name = Self.name(of: error)
      text = name
    }
  }

  /// Returns the error's type, with the case of an enumeration.
  fileprivate static func name(of error: any Error) -> String {
    let type = TypeName.of(Swift.type(of: error))
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return type }
    // A case without values has no child. Its printed form is its name, unless the type has a custom description.
    let name = mirror.children.first.map(\.label) ?? (error is any CustomStringConvertible ? nil : "\(error)")
    return name.map { "\(type).\($0)" } ?? type
  }
}

extension TransportError.Code {
  /// The name of this code in logs, spans and metrics. A status is its number.
  package var name: String { status.map { "\($0)" } ?? kind.rawValue }
}

extension ExchangeObserver.Event.Kind {
  /// The summary of an outcome; `nil` for other events. For a body that could not be decoded, computing the summary takes about as long as
  /// decoding.
  package var outcomeSummary: OutcomeSummary? {
    switch self {
    case .accepted(let report): OutcomeSummary(report)
    case .undecodable(let failure):
      switch failure.problem {
      case (let code, let text): OutcomeSummary(level: .error, text: text, errorName: code)
      }
    case .rejected(let failure as TransportFailure):
      OutcomeSummary(level: .error, text: "\(failure.error)", errorName: failure.error.code.name)
    case .rejected(let error):
      OutcomeSummary(
        level: .warning, text: "refused: \(ErrorSummary.name(of: (error as? AnyError)?.error ?? error))",
        errorName: "refused")
    case .started, .transfer, .head, .body, .completed, .abandoned, .failed: nil
    }
  }
}

extension OutcomeSummary {
  fileprivate init(_ report: DecodingReport) {
    let entries = report.entries
    let count = entries.count + report.omittedCount
    let skipped = entries.filter { $0.code == .skippedElement || $0.code == .skippedMember }
    self.init(level: .info)
    lenientCount = count
    guard let first = skipped.first else { return }
    level = .warning
    text = "decoded with parts left out: \(first)" + (skipped.count > 1 ? " (+\(skipped.count - 1) more)" : "")
  }
}
