/// A line of a log and its values, which can be passed to any logger.
public struct LogEntry: Sendable {
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
  /// `error`, `lenient` (the number of values that lenient types left out, replaced or converted), and header fields such as
  /// `request.header.accept`.
  public var metadata: [(name: String, value: String)]

  /// Creates an entry.
  public init(level: Level, message: String, metadata: [(name: String, value: String)] = []) {
    self.level = level
    self.message = message
    self.metadata = metadata
  }
}

extension LogEntry: CustomStringConvertible {
  /// The line and its values, such as `GET https://api.example.com/users → 200 OK  exchange=7 elapsed=0.041 s`.
  public var description: String {
    metadata.isEmpty ? message : message + "  " + metadata.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }
}
