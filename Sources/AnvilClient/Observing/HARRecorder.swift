public import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Records exchanges as an HTTP Archive (HAR 1.2), which browsers' developer tools open.
///
///     let recorder = HARRecorder()
///     let service = TransportService(interceptors: [redirects, retries, recorder])
///     …
///     try recorder.write(to: file)
///
/// Secrets are left out as the redaction says: header values that are not known to be harmless, cookies, and values of queries,
/// forms and JSON whose names say that they are secret. So are the header values that the request's
/// ``RequestPolicy/sensitiveHeaders`` name. Other bodies are recorded as they are. As the last interceptor it sees each
/// attempt and each redirect as an entry of its own. The comment of an entry says so when its response did not decode, was refused, or
/// lost rows to lenient types. Copies record into the same archive.
///
/// Source: HTTP Archive 1.2.
public struct HARRecorder: Interceptor {
  /// How much is kept.
  public struct Limits: Hashable, Sendable {
    /// The most exchanges: beyond it those that began first are dropped.
    public var exchanges = 10_000
    /// The most bytes of all bodies together: beyond it, too.
    public var totalBytes = 64 << 20
    /// The most bytes of one body; a longer one is cut, and the entry says so.
    public var bodyBytes = 1 << 20

    /// The limits as they are above.
    public init() {}
  }

  private let redaction: HTTP.Redaction
  private let records: RecordList
  private let observer: ExchangeObserver

  /// A recorder without entries.
  ///
  /// - Parameters:
  ///   - redaction: what of messages is shown.
  ///   - limits: how much is kept.
  ///   - clock: what times are measured by.
  ///   - now: what time it is.
  public init(
    redaction: HTTP.Redaction = HTTP.Redaction(queryValues: .shownUnlessSecret), limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.redaction = redaction
    let records = RecordList(limits: limits, now: now)
    self.records = records
    observer = ExchangeObserver(clock: clock) { options in
      let sensitive = options.policy.sensitiveHeaders
      return ExchangeObserver.Handler { records.add($0, hiding: sensitive) }
    }
  }

  /// Passes the request on, and records.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    try await observer.intercept(request, options: options, next: next)
  }

  /// The archive, as JSON. Exchanges that are under way have what there is of them.
  ///
  /// - Throws: what encoding throws.
  public func archive() throws -> Data {
    let entries = records.all.map { $0.entry(redaction) }
    let log = HAR.Log(creator: HAR.Creator(name: "Anvil", version: AnvilVersion.current), entries: entries)
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(HAR(log: log))
  }

  /// Writes the archive to `file`, which is replaced at once and only its owner can read.
  ///
  /// - Throws: what encoding and writing throw.
  public func write(to file: URL) throws {
    try PrivateFile.write(archive(), to: file)
  }
}

/// What a recorder's copies have in common.
private final class RecordList: Sendable {
  private let limits: HARRecorder.Limits
  private let now: @Sendable () -> Date
  private struct State {
    var records: [Int: ExchangeRecord] = [:]
    /// The exchanges in the order in which they began.
    var order: [Int] = []
    var byteCount = 0
  }

  private let state = Mutex(State())

  init(limits: HARRecorder.Limits, now: @escaping @Sendable () -> Date) {
    self.limits = limits
    self.now = now
  }

  var all: [ExchangeRecord] {
    state.withLock { state in state.order.compactMap { state.records[$0] } }
  }

  /// - Parameter sensitive: the fields whose values are hidden in the event's entry.
  func add(_ event: ExchangeEvent, hiding sensitive: Set<HTTP.HeaderKey>) {
    // Made before the lock is taken: it looks into the body.
    if let summary = event.kind.outcomeSummary {
      state.withLock { $0.records[event.id]?.outcome = summary.text?.printable }
      return
    }
    state.withLock { state in
      if case .started(let request) = event.kind {
        let record = ExchangeRecord(
          id: event.id, request: request, began: now(), bodyLimit: limits.bodyBytes, sensitive: sensitive)
        state.records[event.id] = record
        state.order.append(event.id)
        state.byteCount += record.byteCount
      } else if var record = state.records[event.id] {
        // So that the body is not copied with each chunk.
        state.records[event.id] = nil
        state.byteCount -= record.byteCount
        record.add(event)
        state.byteCount += record.byteCount
        state.records[event.id] = record
      }
      while state.order.count > max(1, limits.exchanges) || state.byteCount > limits.totalBytes,
        let first = state.order.first
      {
        state.order.removeFirst()
        state.byteCount -= state.records.removeValue(forKey: first)?.byteCount ?? 0
      }
    }
  }
}
