/// The error for an invalid command line. Its message names the argument.
struct UsageError: Error {
  /// The problem in one line, without a full stop.
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
