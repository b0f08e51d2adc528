internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import Foundation

/// The options of `anvil get`, after validation.
struct GetOptions: Sendable {
  /// The request, with its body.
  let request: HTTP.Request
  /// The time limit of the exchange, or `nil` if the command line sets no limit.
  let timeout: Duration?
  /// The source of credentials.
  let credentials: CredentialOptions
  let connection: ConnectionOptions
  /// The options for repeated requests and for state between runs.
  let client: ClientOptions
  let output: OutputOptions
  let entityTags: EntityTagFiles
  /// True if the curl command line that sends the request is printed instead of sending it.
  let printsCurlCommand: Bool
  /// The words of a curl command line for a multipart form with files; empty if the request has another body.
  let curlForm: [String]
  /// The table that stores the value, or `nil` if the value is printed.
  let destination: StoreDestination?
  /// The treatment of secrets in the messages on standard error, or `nil` if messages are not shown.
  let verbosity: WireLog.Secrets?

  /// Creates the options from `arguments`.
  ///
  /// - Parameters:
  ///   - method: The method of the command, which `--method` replaces.
  ///   - credentials: The credentials for the URL's server.
  /// - Throws: ``UsageError`` for an option with an invalid value, a URL that is missing or cannot be requested, and a
  ///   second operand.
  init(
    _ arguments: ArgumentParser, method: HTTP.Method = .get, credentials: CredentialOptions, console: Console
  ) throws(UsageError) {
    let operands = try RequestOperands(arguments)
    try Self.checkStandardInput(arguments)
    output = try OutputOptions(arguments, isHead: method == .head, console: console)
    destination = try StoreDestination(arguments)
    timeout = try Self.timeout(arguments.value(of: .timeout))
    printsCurlCommand = arguments.contains(.curl)
    if arguments.contains(.showSecrets), !arguments.contains(.verbose) {
      throw UsageError("--show-secrets needs --verbose")
    }
    verbosity = arguments.contains(.verbose) ? arguments.contains(.showSecrets) ? .shown : .redacted : nil
    entityTags = try EntityTagFiles(arguments)
    request = try Self.request(operands, method, arguments, entityTags, console)
    curlForm = try RequestBody.curlForm(arguments)
    connection = try ConnectionOptions(arguments)
    self.credentials = credentials
    client = try ClientOptions(arguments, credential: credentials.credential(for: request.url))
  }

  /// The default time limit of an exchange whose response is read as a whole.
  static let defaultTimeout = Duration.seconds(60)

  /// The options of an exchange whose response is read as a whole.
  var transportOptions: TransportOptions {
    var options = TransportOptions(timeout: timeout ?? Self.defaultTimeout)
    options.sensitiveHeaders = sensitiveHeaders
    return options
  }

  /// The fields of the command line. They are not sent to other servers, because they may contain secrets. The fields of the body are sent
  /// together with it.
  var sensitiveHeaders: Set<HTTP.HeaderKey> {
    Set(request.headers.map(\.key)).subtracting([.contentType, .contentEncoding])
  }

  private static func request(
    _ operands: RequestOperands, _ method: HTTP.Method, _ arguments: ArgumentParser, _ tags: EntityTagFiles,
    _ console: Console
  ) throws(UsageError) -> HTTP.Request {
    var request = HTTP.Request(method: method, url: operands.url)
    let headers = try HeaderArguments(arguments)
    request.headers = headers.fields
    if let tag = tags.compared { request.headers[.ifNoneMatch] = tag }
    request.body = try RequestBody(console: console).body(arguments, fields: operands.fields)
    if headers.removed.contains(.contentType) { request.body.contentType = nil }
    if let method = arguments.value(of: .method) { request.method = HTTP.Method(rawValue: method) }
    do throws(HTTP.InvalidMessage) {
      try request.validate()
    } catch {
      throw UsageError(error == .url ? "\(operands.target.quotedExcerpt): \(error)" : "\(error)")
    }
    return request
  }

  private static func timeout(_ text: String?) throws(UsageError) -> Duration? {
    guard let text else { return nil }
    guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
      throw UsageError("--timeout \(text.quotedExcerpt) is not a number of seconds above 0")
    }
    return .seconds(seconds)
  }

  /// Checks that at most one option reads standard input.
  ///
  /// - Throws: ``UsageError`` if two options read standard input.
  private static func checkStandardInput(_ arguments: ArgumentParser) throws(UsageError) {
    let files = arguments.options.count { option, value in
      switch option {
      case .userFile, .bearerFile: value == "-"
      case .data, .json: value == "@-"
      case .multipart: value.contains(/=@"?-"?(;|$)/)
      default: false
      }
    }
    if files > 1 { throw UsageError("standard input can be read only once") }
  }
}

/// The values of `--header`: the fields to send, and those to leave out.
///
/// `Name: value` is a field, `Name;` a field with an empty value, and `Name:` removes a field that the command would send by itself.
/// Source: curl(1), `--header`.
struct HeaderArguments {
  private(set) var fields = HTTP.Headers()
  private(set) var removed: Set<HTTP.HeaderKey> = []

  /// Reads the options in `arguments`.
  ///
  /// - Throws: ``UsageError`` for another form. The message contains only the name, because the value may be a secret.
  init(_ arguments: ArgumentParser) throws(UsageError) {
    for text in arguments.values(of: .header) {
      guard let end = text.firstIndex(of: ":") else {
        guard text.count > 1, text.hasSuffix(";"), !text.contains(where: \.isWhitespace) else {
          let name = text.prefix { !$0.isWhitespace }
          let shown = name.endIndex == text.endIndex ? String(name) : "\(name) …"
          throw UsageError("--header \(shown.quotedExcerpt) is not 'Name: value'")
        }
        fields.add(HTTP.HeaderKey(rawValue: String(text.dropLast())), "")
        continue
      }
      let key = HTTP.HeaderKey(rawValue: String(text[..<end]))
      let value = String(text[text.index(after: end)...]).trimmingBlanks
      if value.isEmpty { removed.insert(key) } else { fields.add(key, HTTP.HeaderValue(rawValue: value)) }
    }
  }
}
