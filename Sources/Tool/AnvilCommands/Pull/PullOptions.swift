/// The options of `anvil pull`.
struct PullOptions: Sendable {
  /// The name of the configuration file.
  let file: String
  /// True if the saved positions of the pulls are printed instead of running the pulls.
  let printsStatus: Bool
  /// The database to use instead of the one in the configuration file; `nil` for the one in the file.
  let into: String?
  /// The number of listings that are pulled at the same time.
  let workerCount: Int
  /// The duration of leases, or `nil` if no other process pulls the listings.
  let lease: Duration?
  /// True if the pulls run repeatedly.
  let watches: Bool
  /// True if the saved positions are removed first, so that all listings are pulled from the beginning.
  let isFresh: Bool
  /// The credentials for the server.
  let credentials: CredentialOptions

  /// Creates the options from `arguments`.
  ///
  /// - Throws: ``UsageError`` for invalid arguments.
  init(_ arguments: ArgumentParser, credentials: CredentialOptions) throws(UsageError) {
    var operands = arguments.operands[...]
    printsStatus = operands.count > 1 && operands.first == "status"
    if printsStatus { operands.removeFirst() }
    guard let file = operands.popFirst() else { throw UsageError("the configuration file is missing") }
    if let operand = operands.first { throw UsageError("unexpected argument \(operand.quotedExcerpt) after the file") }
    self.file = file
    into = arguments.value(of: .database)
    if into == "" { throw UsageError("--into needs the name of a file or a URL") }
    watches = arguments.contains(.watch)
    isFresh = arguments.contains(.fresh)
    workerCount = try Self.workerCount(arguments.value(of: .workers))
    lease = if let text = arguments.value(of: .lease) { try Self.lease(text) } else { nil }
    self.credentials = credentials
  }

  private static func lease(_ text: String) throws(UsageError) -> Duration {
    guard let seconds = Double(text), seconds >= 0.1, seconds <= 1e6 else {
      throw UsageError("--lease \(text.quotedExcerpt) is not a number of seconds of at least 0.1")
    }
    return .seconds(seconds)
  }

  private static func workerCount(_ text: String?) throws(UsageError) -> Int {
    guard let text else { return 4 }
    guard let count = Int(text), (1...64).contains(count) else {
      throw UsageError("--workers \(text.quotedExcerpt) is not a number from 1 to 64")
    }
    return count
  }
}
