internal import AnvilHTTP
internal import Foundation

/// The source of a document.
enum DocumentSource: Sendable {
  case standardInput
  /// A file, by the name in the command line.
  case file(String)
  /// The response of a server.
  case url(GetOptions)

  /// The source that `operand` names: a URL where it begins like one, standard input for `-`, else a file.
  ///
  /// - Parameters:
  ///   - requestOptions: what `anvil get` would be given for a URL.
  ///   - credentials: what answers its server.
  ///   - console: The console whose standard input bodies of requests are read from.
  /// - Throws: ``UsageError`` for a URL that cannot be requested, or not with these options.
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

  /// The short name for messages about its lines.
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
