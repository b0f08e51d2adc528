public import AnvilBase
public import AnvilClient
public import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

/// Records exchanges as an HTTP Archive (HAR 1.2), which browser developer tools can open.
///
///     let recorder = HARRecorder()
///     configuration.interceptors = [(recorder, at: .attempt)]
///     …
///     try recorder.write(to: file)
///
/// The redaction hides secrets: header values that are not known to be harmless, cookies, and values in queries, forms and JSON whose names
/// mark them as secret. The header values that the request's `RequestSettings.sensitiveHeaders` name are hidden as well. Bodies of other
/// types are recorded unchanged.
///
/// At `.attempt` it records each attempt and each redirect as a separate entry. The comment of an entry reports a response that
/// could not be decoded, was rejected, or contained values that lenient types left out, replaced or converted. Copies record into the same
/// archive.
///
/// The property `_anvil` of an entry has what the format does not: the number of the attempt, whether the connection was reused, the
/// decisions of interceptors (retries, redirects, answers from a cache), and the places where a body does not match the requested type.
/// `anvil har` shows it.
///
/// Source: HTTP Archive 1.2.
public struct HARRecorder: Interceptor {
  /// The beginning of the comment of a response body of which only the beginning was recorded.
  package static let cutBodyMark = "Only the first"

  private let redaction: HTTP.Redaction
  private let records: RecordList
  private let observer: any Interceptor

  /// Creates a recorder without entries.
  ///
  /// - Parameters:
  ///   - redaction: Decides which parts of messages are shown.
  ///   - exchangeLimit: The maximum number of exchanges. Beyond it the oldest exchanges are dropped.
  ///   - sizeLimit: The maximum number of bytes of all bodies together. Beyond it the oldest exchanges are dropped.
  ///   - bodySizeLimit: The maximum number of bytes of one body. A longer request body is left out. A longer response body is truncated or,
  ///     if it is JSON or a form, left out. A comment in the entry states this.
  ///   - clock: The clock that measures elapsed times. `nil` for that of the configuration.
  ///   - now: Returns the current time. `nil` for that of the clock.
  public init(
    redaction: HTTP.Redaction = HTTP.Redaction(queryValues: .shownUnlessSecret),
    exchangeLimit: Int = 10_000, sizeLimit: Int = 64 << 20, bodySizeLimit: Int = 1 << 20,
    clock: (any Clock<Duration>)? = nil, now: (@Sendable () -> Date)? = nil
  ) {
    self.redaction = redaction
    let time = SharedTime(clock, now: now)
    let records = RecordList(
      exchangeLimit: max(1, exchangeLimit), sizeLimit: sizeLimit, bodySizeLimit: bodySizeLimit, now: { time.now() })
    self.records = records
    let observer = ExchangeObserver(clock: clock) { options in
      time.begin(options)
      let sensitive = options.sensitiveHeaders
      let history = options.history
      return ExchangeObserver.Handler { records.add($0, after: history, hiding: sensitive) }
    }
    self.observer = observer.interceptor
  }

  /// Passes the request on and records its exchange.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    try await observer.intercept(request, options: options, next: next)
  }

  /// Returns the archive as JSON. Exchanges that are in progress contain the data received so far.
  ///
  /// - Throws: The errors of encoding.
  public func archive() throws -> Data {
    let entries = records.all.map { $0.entry(redaction) }
    let log = HAR.Log(creator: HAR.Creator(name: "Anvil", version: AnvilVersion.current), entries: entries)
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(HAR(log: log))
  }

  /// Writes the archive to `file`. The file is replaced atomically and only its owner can read it.
  ///
  /// - Throws: The errors of encoding and writing.
  public func write(to file: URL) throws {
    try PrivateFile.write(archive(), to: file)
  }
}

private final class RecordList: Sendable {
  private let exchangeLimit: Int
  private let sizeLimit: Int
  private let bodySizeLimit: Int
  private let now: @Sendable () -> Date
  private struct State {
    var records: [Int: ExchangeRecord] = [:]
    /// The exchanges in the order in which they began.
    var order = Queue<Int>()
    var byteCount = 0
  }

  private let state = Mutex(State())

  init(exchangeLimit: Int, sizeLimit: Int, bodySizeLimit: Int, now: @escaping @Sendable () -> Date) {
    self.exchangeLimit = exchangeLimit
    self.sizeLimit = sizeLimit
    self.bodySizeLimit = bodySizeLimit
    self.now = now
  }

  var all: [ExchangeRecord] {
    state.withLock { state in state.order.compactMap { state.records[$0] } }
  }

  func add(_ event: ExchangeObserver.Event, after history: HTTP.History, hiding sensitive: Set<HTTP.HeaderKey>) {
    // The summary is made before the lock is taken, because it inspects the body.
    if let summary = event.kind.outcomeSummary {
      let outcome = HAR.Outcome(event.kind, summary)
      state.withLock { $0.records[event.id]?.outcome = outcome }
      return
    }
    state.withLock { state in
      if case .started(let request) = event.kind {
        let record = ExchangeRecord(
          id: event.id, request: request, after: history, began: now(), bodyLimit: bodySizeLimit,
          sensitive: sensitive)
        state.records[event.id] = record
        state.order.append(event.id)
        state.byteCount += record.byteCount
      } else if var record = state.records[event.id] {
        // Removing the record first avoids a copy of the body with each chunk.
        state.records[event.id] = nil
        state.byteCount -= record.byteCount
        record.add(event)
        state.byteCount += record.byteCount
        state.records[event.id] = record
      }
      while state.order.count > exchangeLimit || state.byteCount > sizeLimit,
        let first = state.order.first
      {
        state.order.popFirst()
        state.byteCount -= state.records.removeValue(forKey: first)?.byteCount ?? 0
      }
    }
  }
}
