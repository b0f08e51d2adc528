/// What the process tells its caller: which layer failed.
///
/// Stable: scripts depend on the numbers.
public enum ExitStatus: Int32, Sendable {
  /// All went well.
  case success = 0
  /// A document departs from what it was checked against. Source: `diff` and `cmp`, POSIX.1-2024 XCU.
  case departure = 1
  /// No complete response came: not connected, timed out, cut short, not HTTP.
  case transport = 3
  /// A response came whose status is not 2xx.
  case status = 4
  /// What came is not what was asked for: not JSON, nothing at the path, or no schema.
  case decoding = 5
  /// A response could not be stored: the database cannot be opened or written, or its table is another.
  case store = 6
  /// The command line is wrong; nothing was sent. Source: `EX_USAGE` of sysexits(3).
  case usage = 64
  /// A file could not be read, or standard output not written. Source: `EX_IOERR` of sysexits(3).
  case inputOutput = 74
}
