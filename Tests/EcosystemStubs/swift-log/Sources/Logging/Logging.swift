/// Writes messages with metadata to a handler.
public struct Logger: Sendable {
  public enum Level: String, CaseIterable, Comparable, Sendable {
    case trace, debug, info, notice, warning, error, critical

    public static func < (lhs: Level, rhs: Level) -> Bool { lhs.order < rhs.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  public struct Message: ExpressibleByStringInterpolation, Equatable, CustomStringConvertible, Sendable {
    public let description: String

    public init(stringLiteral value: String) { description = value }
  }

  public typealias Metadata = [String: MetadataValue]

  public enum MetadataValue: Sendable, CustomStringConvertible {
    case string(String)

    public var description: String {
      switch self {
      case .string(let text): text
      }
    }
  }

  public let label: String
  public var handler: any LogHandler

  public init(label: String) { self.init(label: label) { _ in PrintingHandler(label: label) } }

  public init(label: String, factory: (String) -> any LogHandler) {
    self.label = label
    handler = factory(label)
  }

  public var logLevel: Level {
    get { handler.logLevel }
    set { handler.logLevel = newValue }
  }

  public func log(
    level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
    source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard level >= logLevel else { return }
    handler.log(
      event: LogEvent(
        level: level, message: message(), metadata: metadata(), source: source() ?? "", file: file, function: function,
        line: line))
  }
}

public struct LogEvent: Sendable {
  public var level: Logger.Level
  public var message: Logger.Message
  public var metadata: Logger.Metadata?
  public var source: String
  public var file: String
  public var function: String
  public var line: UInt
}

public protocol LogHandler: Sendable {
  var logLevel: Logger.Level { get set }
  var metadata: Logger.Metadata { get set }
  subscript(metadataKey _: String) -> Logger.Metadata.Value? { get set }
  func log(event: LogEvent)
}

private struct PrintingHandler: LogHandler {
  let label: String
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { print("\(event.level.rawValue) \(label): \(event.message)") }
}
