internal import AnvilHTTP
internal import Foundation

/// Where a document comes from.
enum DocumentSource: Sendable {
  case standardInput
  /// A file by the name that it was given by.
  case file(String)
  /// What a server answers.
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

  /// Whether `operand` is asked by HTTP.
  static func isURL(_ operand: String) -> Bool {
    let start = operand.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// What messages call it: a request without secrets, or a file's name.
  var description: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): name.withoutURLSecrets
    case .url(let options): "\(options.request)"
    }
  }

  /// What it is called where its lines are named.
  var shortName: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): name.withoutURLSecrets
    case .url: "body"
    }
  }

  /// Whether the name says that it has one document a line.
  var hasLines: Bool {
    guard case .file(let name) = self else { return false }
    return ["ndjson", "jsonl"].contains(URL(filePath: name).pathExtension.lowercased())
  }
}
