internal import AnvilHTTP
internal import Foundation

/// The source of a document.
enum DocumentSource: Sendable {
  case standardInput
  /// A file, by the name in the command line.
  case file(String)
  /// The response of a server.
  case url(GetOptions)

  /// The rule for operands without a scheme, for the help.
  static let discussion =
    "A URL with a port or on the loopback interface needs no scheme, unless a file has that name: :8080/path is "
    + "http://localhost:8080/path."

  /// Creates the source that `operand` names: a URL, standard input for `-`, otherwise a file.
  ///
  /// - Parameters:
  ///   - requestOptions: The options of `anvil get` that apply to a URL.
  ///   - credentials: The credentials for the server of a URL.
  ///   - console: The console from whose standard input bodies of requests are read.
  /// - Throws: ``UsageError`` for a URL that cannot be requested, and for options that cannot be used.
  init(_ operand: String, requestOptions: [String], credentials: CredentialOptions, console: Console) throws(UsageError)
  {
    if let url = Self.url(operand) {
      self = .url(
        try GetOptions(
          ArgumentParser(requestOptions + ["--", url], of: RequestEntries.options), credentials: credentials,
          console: console))
    } else {
      self = operand == "-" ? .standardInput : .file(operand)
    }
  }

  /// Returns `true` if `operand` is a URL that is requested by HTTP.
  static func isURL(_ operand: String) -> Bool { url(operand) != nil }

  /// Returns the URL that `operand` names, or `nil` if it names a file.
  ///
  /// A URL without a scheme must have a port or be on the loopback interface: `api.example.com/users` could be a file, and a mistyped
  /// name of a file must not be requested from a server.
  static func url(_ operand: String) -> String? {
    let start = operand.prefix(8).lowercased()
    if start.hasPrefix("http://") || start.hasPrefix("https://") { return operand }
    let hasPort = operand.contains(/^(|[A-Za-z0-9.\-]+|\[[0-9A-Fa-f:.]+\]):[0-9]+([\/?#]|$)/)
    let isLoopback = operand.contains(/^(:|localhost|127(\.[0-9]+){3}|\[::1\]|[A-Za-z0-9.\-]+\.localhost)([\/?#]|$)/)
    guard hasPort || isLoopback, !FileManager.default.fileExists(atPath: operand) else { return nil }
    return RequestOperands.withScheme(operand)
  }

  /// Returns the server of the URL that `operand` names, or `nil` if it names a file.
  static func origin(_ operand: String) -> HTTP.Origin? {
    url(operand).flatMap { URL(string: $0) }.flatMap { HTTP.Origin($0) }
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
