/// The exit status of the process. It identifies the layer that failed.
///
/// The numbers are stable, because scripts depend on them.
public enum ExitStatus: Int32, Sendable {
  /// The command succeeded.
  case success = 0
  /// A document departs from its standard. Source: `diff` and `cmp`, POSIX.1-2024 XCU.
  case departure = 1
  /// The response is missing or incomplete: the connection failed, timed out, was interrupted or did not use HTTP.
  case transport = 3
  /// The status of the response is not 2xx.
  case status = 4
  /// The received data cannot be used: it is not JSON, has no value at the path, or is not a schema.
  case decoding = 5
  /// A response could not be stored: the database cannot be opened or written, or its table does not fit.
  case store = 6
  /// The command line is invalid, and no request was sent. Source: `EX_USAGE` of sysexits(3).
  case usage = 64
  /// A file could not be read, or standard output could not be written. Source: `EX_IOERR` of sysexits(3).
  case inputOutput = 74
}
