internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// What `anvil get` is asked to do, checked so far that it can be sent.
struct GetOptions: Sendable {
  /// The request, with its body.
  let request: HTTP.Request
  /// The most time that the exchange may take.
  private let timeout: Duration
  /// Where credentials come from.
  let credentials: CredentialOptions
  /// What moves the bytes; `nil` for the platform's default.
  let transport: TransportChoice?
  /// What is done beyond sending the request once.
  let client: ClientOptions
  /// Whether the curl command line that sends the request is printed instead of sending it.
  let printsCurlCommand: Bool
  /// Where the value is that is printed; `nil` for the whole body.
  let path: JSONPath?
  /// Where the value is stored instead of being printed; `nil` where it is printed.
  let destination: StoreDestination?
  /// Whether the response's head is printed before its body.
  let includesHead: Bool
  /// Whether both heads are shown on standard error.
  let isVerbose: Bool

  /// The options in `arguments`.
  ///
  /// - Parameter credentials: the credentials for the URL's server.
  /// - Throws: ``UsageError`` for an option's value that is not what it should be, a URL that is missing or cannot be
  ///   requested, and a second operand.
  init(
    _ arguments: ArgumentParser, method: HTTP.Method = .get, credentials: CredentialOptions
  ) throws(UsageError) {
    guard let target = arguments.operands.first else { throw UsageError("the URL is missing") }
    if arguments.operands.count > 1 {
      throw UsageError("unexpected argument \(arguments.operands[1].quotedExcerpt) after the URL")
    }
    path = if let text = arguments.value(of: .path) { try JSONPath(text) } else { nil }
    destination = try StoreDestination(arguments)
    timeout = try Self.timeout(arguments.value(of: .timeout))
    transport = if let name = arguments.value(of: .transport) { try TransportChoice(name) } else { nil }
    printsCurlCommand = arguments.contains(.curl)
    includesHead = arguments.contains(.include)
    isVerbose = arguments.contains(.verbose)
    request = try Self.request(for: target, method, arguments)
    self.credentials = credentials
    client = try ClientOptions(arguments, credential: credentials.credential(for: request.url))
  }

  /// What the exchange is to be like. No field of the command line goes to another server, since nobody but its author knows which are
  /// secret; those of the body go where it goes.
  var transportOptions: TransportOptions {
    var options = TransportOptions(timeout: timeout)
    options.policy.sensitiveHeaders = Set(request.headers.map(\.key)).subtracting([.contentType, .contentEncoding])
    return options
  }

  private static func request(
    for target: String, _ method: HTTP.Method, _ arguments: ArgumentParser
  ) throws(UsageError) -> HTTP.Request {
    guard let url = URL(string: target) else { throw UsageError("\(target.quotedExcerpt) is not a URL") }
    var request = HTTP.Request(method: method, url: url)
    for header in arguments.values(of: .header) {
      let (key, value) = try field(header)
      request.headers.add(key, value)
    }
    if let text = arguments.value(of: .json) {
      request.body = try body(text)
      if method == .get { request.method = .post }
    }
    if let method = arguments.value(of: .method) { request.method = HTTP.Method(rawValue: method) }
    do throws(HTTP.InvalidMessage) {
      try request.validate()
    } catch {
      throw UsageError(error == .url ? "\(target.quotedExcerpt): \(error)" : "\(error)")
    }
    return request
  }

  /// `Name: value`; the value may be empty. An error shows the name only, because the value may be a secret.
  private static func field(_ text: String) throws(UsageError) -> (HTTP.HeaderKey, HTTP.HeaderValue) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      let name = text.prefix { !$0.isWhitespace }
      let shown = name.endIndex == text.endIndex ? String(name) : "\(name) …"
      throw UsageError("--header \(shown.quotedExcerpt) is not 'Name: value'")
    }
    return (
      HTTP.HeaderKey(rawValue: String(parts[0])),
      HTTP.HeaderValue(rawValue: parts[1].trimmingCharacters(in: .whitespaces))
    )
  }

  private static func body(_ text: String) throws(UsageError) -> HTTP.Body {
    let data = Data(text.utf8)
    do throws(JSON.SyntaxError) {
      _ = try JSON(parsing: data)
    } catch {
      throw UsageError("--json is not JSON: \(error)")
    }
    return HTTP.Body(data, contentType: .applicationJSON)
  }

  private static func timeout(_ text: String?) throws(UsageError) -> Duration {
    guard let text else { return .seconds(60) }
    guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
      throw UsageError("--timeout \(text.quotedExcerpt) is not a number of seconds above 0")
    }
    return .seconds(seconds)
  }
}
