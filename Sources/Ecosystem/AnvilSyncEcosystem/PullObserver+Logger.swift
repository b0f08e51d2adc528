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
  /// The lines contain no values of rows, except for the key of a row that a migration of the store cannot convert. Errors of your own types are
  /// logged with the name of their type.
  public static func log(_ logger: Logger) -> PullObserver {
    PullObserver { pull, event in
      switch event {
      case .page(let report):
        logger.log(RequestLog.Entry(.debug, "stored page \(report.pages): \(report.counts)", of: pull))
      case .ended(let report):
        let isComplete = report.skippedCount == 0 && report.uncertainEnd == nil
        logger.log(RequestLog.Entry(isComplete ? .info : .warning, "\(report)", of: pull))
      case .failed(let error):
        let summary = ErrorSummary(ofRun: error)
        let isCancelled = summary.name == TransportError.Code.cancelled.name
        logger.log(RequestLog.Entry(isCancelled ? .warning : .error, summary.text, of: pull, error: summary.name))
      }
    }
  }
}

extension RequestLog.Entry {
  fileprivate init(_ level: Level, _ text: String, of pull: String, error: String? = nil) {
    self.init(level: level, message: "pull \(pull): \(text)".printable, metadata: [])
    metadata.append((name: Name.pull, value: pull.printable))
    if let error { metadata.append((name: Name.error, value: error.printable)) }
  }
}

extension RequestLog.Entry.Name {
  fileprivate static let pull = "pull"
  fileprivate static let entity = "entity"
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
        metadata: [RequestLog.Entry.Name.entity: .string(Model.entityName)], source: "Anvil")
    }
  }
}
#endif
