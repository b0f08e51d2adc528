/// A command line that cannot be carried out, in words that name the offending argument.
struct UsageError: Error {
  /// What is wrong, in one line without a full stop.
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
