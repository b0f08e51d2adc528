/// One line of a log, with what it says as values: hand it to whatever logger the program has.
public struct LogEntry: Sendable {
  /// How much it matters.
  public enum Level: Int, Comparable, Sendable {
    /// For who looks for a fault.
    case debug
    /// What happened.
    case info
    /// A failure of the client's or one that may pass: 4xx, a retry, a cancelled request, a success that a validator refuses or that
    /// lost rows to lenient types.
    case warning
    /// A failure of the server's or of the network, and a success that does not decode.
    case error

    /// Whether `lhs` matters less.
    public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// How much it matters.
  public var level: Level
  /// What happened, in one line.
  public var message: String
  /// What it says as values by name, in a fixed order: `exchange`, `method`, `url`, `status`, `elapsed`, `bytes`, `error`, `attempt`,
  /// `cache`, `lenient` (how often lenient types left out, replaced or converted a value), and header fields as `request.header.accept`.
  public var metadata: [(name: String, value: String)]
}

extension LogEntry: CustomStringConvertible {
  /// The line with its values: `GET https://api.example.com/users → 200 OK  exchange=7 elapsed=0.041 s`.
  public var description: String {
    metadata.isEmpty ? message : message + "  " + metadata.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }
}
