#if SwiftLog
public import AnvilClient
public import AnvilHTTP
public import Logging

extension RequestLog {
  /// Creates a log that writes its entries to a logger of swift-log.
  ///
  ///     configuration.logging = .init(Logger(label: "api"))
  ///
  /// - Parameters:
  ///   - logger: The logger. Its level decides which entries are written.
  ///   - details: The lines that are written in addition to the outcome of each exchange.
  ///   - redaction: Decides which parts of messages are shown.
  public init(_ logger: Logger, details: Details = .outcomes, redaction: HTTP.Redaction = HTTP.Redaction()) {
    self.init(details: details, redaction: redaction) { logger.log($0) }
  }
}

extension Logger {
  /// Writes an entry. Values that have the same name, such as those of a repeated header field, are joined with a comma.
  public func log(_ entry: RequestLog.Entry) {
    log(level: Level(entry.level), "\(entry.message)", metadata: Self.metadata(of: entry), source: "Anvil")
  }

  private static func metadata(of entry: RequestLog.Entry) -> Metadata {
    Dictionary(entry.metadata.map { ($0.name, $0.value) }) { "\($0), \($1)" }.mapValues { .string($0) }
  }
}

extension Logger.Level {
  /// Creates the level with the same meaning.
  public init(_ level: RequestLog.Entry.Level) {
    self =
      switch level {
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
  }
}
#endif
