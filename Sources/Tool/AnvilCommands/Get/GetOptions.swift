internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilObservability
internal import Foundation

struct GetOptions: Sendable {
  let request: HTTP.Request
  /// The time limit of the exchange, or `nil` if the command line sets no limit.
  let timeout: Duration?
  let credentials: CredentialOptions
  let connection: ConnectionOptions
  let client: ClientOptions
  let output: OutputOptions
  let entityTags: EntityTagFiles
  let printsCurlCommand: Bool
  /// The words of a curl command line for a multipart form with files; empty if the request has another body.
  let curlForm: [String]
  let destination: StoreDestination?
  /// The treatment of secrets in the messages on standard error, or `nil` if messages are not shown.
  let verbosity: WireLog.Secrets?

  /// Creates the options. `method` is that of the command, which `--method` replaces.
  init(
    _ arguments: ArgumentParser, method: HTTP.Method = .get, credentials: CredentialOptions, console: Console
  ) throws(CommandError) {
    let operands = try RequestOperands(arguments)
    try Self.checkStandardInput(arguments)
    output = try OutputOptions(arguments, isHead: method == .head, console: console)
    destination = try StoreDestination(arguments)
    timeout = try arguments.seconds(of: .timeout, in: .leastNonzeroMagnitude...1e9, " above 0")
    printsCurlCommand = arguments.contains(.curl)
    if arguments.contains(.showSecrets), !arguments.contains(.verbose) {
      throw CommandError("--show-secrets needs --verbose")
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

  var transportOptions: TransportOptions {
    var options = TransportOptions(timeout: timeout ?? Self.defaultTimeout)
    options.sensitiveHeaders = sensitiveHeaders
    return options
  }

  /// The fields of the command line, except those of the body. They may contain secrets, and are not sent to other servers.
  var sensitiveHeaders: Set<HTTP.HeaderKey> {
    Set(request.headers.map(\.key)).subtracting([.contentType, .contentEncoding])
  }

  private static func request(
    _ operands: RequestOperands, _ method: HTTP.Method, _ arguments: ArgumentParser, _ tags: EntityTagFiles,
    _ console: Console
  ) throws(CommandError) -> HTTP.Request {
    var request = HTTP.Request(method: method, url: operands.url)
    let headers = try HeaderArguments(arguments)
    request.headers = headers.fields
    if let tag = tags.compared { request.headers[.ifNoneMatch] = tag }
    request.body = try RequestBody(console: console).body(arguments, fields: operands.fields)
    if headers.removed.contains(.contentType) { request.body.contentType = nil }
    if let method = arguments.value(of: .method) { request.method = HTTP.Method(rawValue: method) }
    do throws(HTTP.MessageError) {
      try request.validate()
    } catch {
      throw CommandError(error == .url ? "\(operands.target.quotedExcerpt): \(error)" : "\(error)")
    }
    return request
  }

  /// Checks that at most one option reads standard input.
  private static func checkStandardInput(_ arguments: ArgumentParser) throws(CommandError) {
    let files = arguments.options.count { option, value in
      switch option {
      case .userFile, .bearerFile: value == "-"
      case .data, .json: value == "@-"
      case .multipart: value.contains(/=@"?-"?(;|$)/)
      default: false
      }
    }
    if files > 1 { throw CommandError("standard input can be read only once") }
  }
}

/// The values of `--header`. `Name: value` is a field, `Name;` one with an empty value, and `Name:` removes a field that the command would
/// send by itself. Source: curl(1), `--header`.
struct HeaderArguments {
  private(set) var fields = HTTP.Headers()
  private(set) var removed: Set<HTTP.HeaderKey> = []

  /// Reads the options. The message about another form contains only the name, because the value may be a secret.
  init(_ arguments: ArgumentParser) throws(CommandError) {
    for text in arguments.values(of: .header) {
      guard let end = text.firstIndex(of: ":") else {
        guard text.count > 1, text.hasSuffix(";"), !text.contains(where: \.isWhitespace) else {
          let name = text.prefix { !$0.isWhitespace }
          let shown = name.endIndex == text.endIndex ? String(name) : "\(name) …"
          throw CommandError("--header \(shown.quotedExcerpt) is not 'Name: value'")
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

struct ClientOptions: Sendable {
  /// The maximum number of redirects, or `nil` if redirects are not followed.
  let maximumRedirects: Int?
  let credential: Credential?
  let retries: Int
  let cookieFile: CookieFile?
  let archiveFile: URL?

  private let jar: CookieJar?
  private let recorder: HARRecorder?

  init(_ arguments: ArgumentParser, credential: Credential?) throws(CommandError) {
    let maximum = try arguments.integer(of: .maxRedirects, in: 0...1_000)
    maximumRedirects = maximum ?? (arguments.contains(.follow) ? 20 : nil)
    self.credential = credential
    retries = try arguments.integer(of: .retries, in: 0...100) ?? 0
    cookieFile = try arguments.file(of: .cookies).map { CookieFile(url: URL(filePath: $0)) }
    archiveFile = try arguments.file(of: .har).map { URL(filePath: $0) }
    jar = cookieFile.map { _ in CookieJar() }
    recorder = archiveFile.map { _ in HARRecorder() }
  }

  /// Returns the interceptors for a request to `url`, outermost first.
  func interceptors(for url: URL) -> [any Interceptor] {
    var configuration = ClientConfiguration.bare
    if let maximumRedirects { configuration.redirects = .follow(limit: maximumRedirects) }
    if let credential { configuration.authentication = [.credential(credential)] }
    configuration.cookies = jar
    if retries > 0 {
      var policy = RetryPolicy()
      policy.attemptLimit = retries + 1
      // A single command needs no budget, because the user has set the number of retries.
      policy.budget = nil
      configuration.retries = policy
    }
    if let recorder { configuration.interceptors = [(recorder, at: .attempt)] }
    return configuration.orderedInterceptors(for: HTTP.Origin(url))
  }

  /// Reads the cookies of earlier runs, and returns the numbers of the lines that are not cookies. A missing file is treated as empty.
  func load() throws -> [Int] {
    guard let jar, let cookieFile else { return [] }
    return try cookieFile.load(into: jar)
  }

  /// True if files are written after the exchange.
  var keepsFiles: Bool { jar != nil || recorder != nil }

  func save() throws {
    if let jar { try cookieFile?.save(jar) }
    if let archiveFile, let recorder { try OutputFile.write(recorder.archive(), to: archiveFile) }
  }
}

/// The files of `--etag-save` and `--etag-compare`. Each contains an entity tag in the format of curl.
struct EntityTagFiles: Sendable {
  private let saved: URL?
  /// The entity tag to compare with; `nil` if none was saved yet.
  let compared: HTTP.HeaderValue?

  /// Reads the entity tag to compare with. A file that does not exist yet is ignored.
  init(_ arguments: ArgumentParser) throws(CommandError) {
    saved = arguments.value(of: .etagSave).map { URL(filePath: $0) }
    guard let name = arguments.value(of: .etagCompare), FileManager.default.fileExists(atPath: name) else {
      compared = nil
      return
    }
    let data: Data
    do {
      data = try InputFile.read(name)
    } catch {
      throw CommandError(unreadable: name, of: "--etag-compare", error)
    }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.isEmpty || text.isEntityTag else {
      throw CommandError("--etag-compare \(name.quotedExcerpt) is not a file with an entity tag")
    }
    compared = text.isEmpty ? nil : HTTP.HeaderValue(rawValue: text)
  }

  /// Writes the entity tag of a successful response. Without a valid one, the file is emptied: the earlier tag is not of this response.
  func save(_ response: HTTP.Response) throws {
    guard let saved else { return }
    let tag = response.headers[.eTag]?.rawValue.trimmingCharacters(in: .whitespaces)
    guard let tag, tag.isEntityTag else {
      if FileManager.default.fileExists(atPath: saved.path(percentEncoded: false)) {
        try OutputFile.write(Data(), to: saved)
      }
      return
    }
    try OutputFile.write(Data((tag + "\n").utf8), to: saved)
  }
}

extension String {
  /// True if the text is an entity tag. Source: RFC 9110 §8.8.3.
  fileprivate var isEntityTag: Bool { wholeMatch(of: /(W\/)?"[^"\p{Cc}]*"/) != nil }
}

enum RequestEntries {
  static let all = [
    entry("get", .get, "send a GET request and print the response's body, or a part of it"),
    entry("post", .post, "send a POST request"),
    entry("put", .put, "send a PUT request"),
    entry("patch", .patch, "send a PATCH request"),
    entry("delete", .delete, "send a DELETE request"),
    entry("head", .head, "send a HEAD request and print the response's head"),
  ]

  static let options = groups.flatMap(\.value) + [.help]

  private static func entry(_ name: String, _ method: HTTP.Method, _ summary: String) -> CommandEntry {
    CommandEntry(
      name: name, operands: "URL [NAME==VALUE|NAME=TEXT|NAME:=JSON]...", operandCompletion: .attachedFiles,
      summary: summary,
      reference: name == "get" ? nil : "get",
      discussion: discussion, groups: groups, sections: sections, exitStatuses: exitStatuses
    ) { arguments, console throws(CommandError) in
      let credentials = try CredentialOptions(arguments, console: console)
      let options = try GetOptions(arguments, method: method, credentials: credentials, console: console)
      return await GetCommand(options: options, console: console).run()
    }
  }

  private static let discussion = [
    "Sends an HTTP request and prints the response's body as it is received. A pipe or file gets the exact bytes. On a "
      + "terminal, JSON is indented and coloured, events and lines of a stream are printed one by one, and binary data is "
      + "not printed. Redirects are followed only with --follow.",
    "A URL without a scheme is an https URL, or an http URL on the loopback interface; :8080/path is on localhost. The "
      + "command determines the method, also for a request with a body: get always sends a GET request, unless --method "
      + "names another method. NAME==VALUE is added to the query of the URL; NAME=TEXT and NAME:=JSON are members of a JSON "
      + "body.",
    "With --into, an object or an array of objects is stored as rows of a SQLite table, and a summary is printed to "
      + "standard error instead of the body. Columns are created for the members, and change to a wider type if a value "
      + "requires it. If a member is missing from an object, its stored value is kept; null clears it.",
  ]

  private static let groups: KeyValuePairs<String, [CommandOption]> = [
    "Request": [.method, .header] + CommandOption.requestBodies,
    "Output": CommandOption.outputs,
    "Database": [.into, .entity, .key],
    "Exchange": CommandOption.exchange,
    "Connection": CommandOption.connection,
    "Credentials": CommandOption.credentials + [.basic],
  ]

  private static let sections = [
    HelpSection.credentials,
    HelpSection(
      "Paths",
      .terms([
        ("owner.login", "a member of an object; the first one if the key is repeated"),
        ("items[0].name", "an element of an array, counted from 0; items.0.name is the same"),
        ("[\"odd.key\"].id", "a key with dots, brackets or quotation marks"),
        ("items[].name", "the names of all elements of an array, or members of an object, that have one"),
        ("$.items[?@.n > 1].name", "a JSONPath query (RFC 9535), with filters, slices and $..name"),
      ]),
      .paragraph(
        "If a path selects several values, each is printed on a separate line; if it selects none, nothing is "
          + "printed. --into and --table treat the values as an array. Queries follow RFC 9535; the patterns of match and "
          + "search are those of RFC 9485 (I-Regexp).")),
  ]

  private static let exitStatuses = [
    ExitStatusHelp(.success, "success"), .transport,
    ExitStatusHelp(.status, "status: the response is a 3xx, 4xx or 5xx; its body is printed to standard error"),
    ExitStatusHelp(
      .decoding, "decoding: the body is not JSON, has no value at PATH, or the value cannot be stored as rows"),
    ExitStatusHelp(.store, "store: the database cannot be opened or written, or its table does not match"), .usage,
    ExitStatusHelp(
      .inputOutput,
      "input or output: a file cannot be read or written, or the body is binary and the output is a terminal"),
  ]
}
