internal import AnvilHTTP
internal import Foundation

/// The source of a document.
enum DocumentSource: Sendable {
  case standardInput
  /// A file, by the name in the command line.
  case file(String)
  /// The response of a server.
  case url(GetOptions)

  /// Creates the source that `operand` names: a URL if it begins like one, standard input for `-`, otherwise a file.
  ///
  /// - Parameters:
  ///   - requestOptions: The options of `anvil get` that apply to a URL.
  ///   - credentials: The credentials for the server of a URL.
  ///   - console: The console from whose standard input bodies of requests are read.
  /// - Throws: ``UsageError`` for a URL that cannot be requested, and for options that cannot be used.
  init(_ operand: String, requestOptions: [String], credentials: CredentialOptions, console: Console) throws(UsageError)
  {
    if Self.isURL(operand) {
      self = .url(
        try GetOptions(
          ArgumentParser(requestOptions + ["--", operand], of: RequestEntries.options), credentials: credentials,
          console: console))
    } else {
      self = operand == "-" ? .standardInput : .file(operand)
    }
  }

  /// Returns `true` if `operand` is a URL that is requested by HTTP.
  static func isURL(_ operand: String) -> Bool {
    let start = operand.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// The name for messages: a request without secrets, or the name of a file.
  var description: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): name.withoutURLSecrets
    case .url(let options): "\(options.request)"
    }
  }

  /// The short name of the source, for messages about lines of its text.
  var shortName: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): name.withoutURLSecrets
    case .url: "body"
    }
  }

  /// True if the name indicates a document in each line.
  var hasLines: Bool {
    guard case .file(let name) = self else { return false }
    return ["ndjson", "jsonl"].contains(URL(filePath: name).pathExtension.lowercased())
  }
}
