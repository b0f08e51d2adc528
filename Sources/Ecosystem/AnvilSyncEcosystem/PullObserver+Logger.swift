#if SwiftLog
internal import AnvilBase
internal import AnvilClient
internal import AnvilEcosystem
public import AnvilStore
internal import AnvilSync
public import Logging

extension PullObserver {
  /// An observer that writes the runs of pulls to a logger of swift-log: each page at level `debug`, the end of a run at `info`, and at
  /// `warning` if rows were skipped or the end of the listing is uncertain. A failed run is an `error`, a cancelled one a `warning`.
  ///
  /// The lines contain no values of rows.
  public static func log(_ logger: Logger) -> PullObserver {
    PullObserver { pull, event in
      switch event {
      case .page(let report):
        logger.log(LogEntry(.debug, "stored page \(report.pages): \(report.counts)", of: pull))
      case .ended(let report):
        let isComplete = report.skippedCount == 0 && report.uncertainEnd == nil
        logger.log(LogEntry(isComplete ? .info : .warning, "\(report)", of: pull))
      case .failed(let error):
        let isCancelled = error is CancellationError || (error as? TransportFailure)?.error.code == .cancelled
        logger.log(
          LogEntry(isCancelled ? .warning : .error, "\(error)", of: pull, error: isCancelled ? "cancelled" : error.kind)
        )
      }
    }
  }
}

extension LogEntry {
  fileprivate init(_ level: Level, _ text: String, of pull: String, error: String? = nil) {
    self.init(level: level, message: "pull \(pull): \(text)".printable, metadata: [])
    metadata.append((name: "pull", value: pull.printable))
    if let error { metadata.append((name: LogEntry.Name.error, value: error.printable)) }
  }
}

extension Store {
  /// Writes a line for each later transaction of this store that changes rows of the model's entity. Returns when the store is closed or the task is
  /// cancelled.
  ///
  ///     let log = Task { await store.logChanges(of: Member.self, to: logger) }
  ///
  /// - Parameter level: The level of the lines.
  public func logChanges<Model: ManagedDecodable>(
    of type: Model.Type, to logger: Logger, at level: Logger.Level = .debug
  ) async {
    for await counts in changes(of: type) {
      logger.log(
        level: level, "\(Model.entityName): \(counts)",
        metadata: ["entity": .string(Model.entityName)], source: "Anvil")
    }
  }
}
#endif
