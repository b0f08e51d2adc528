/// An invalid command line, or a file named by an option that cannot be read. No request was sent.
struct UsageError: Error {
  /// The problem in one line, without a full stop.
  let message: String
  /// ``ExitStatus/usage``, or ``ExitStatus/inputOutput`` for a file that cannot be read.
  let status: ExitStatus

  init(_ message: String, status: ExitStatus = .usage) {
    self.message = message
    self.status = status
  }

  /// Creates the error for the file `name`, which cannot be read.
  ///
  /// - Parameters:
  ///   - option: The option that names the file, such as `--cacert`.
  ///   - error: The error of the system.
  init(unreadable name: String, of option: String, _ error: any Error) {
    let reason = DocumentReader.words(for: error, of: .file(name))
    self.init("\(option) \(name.quotedExcerpt) cannot be read: \(reason)", status: .inputOutput)
  }
}
