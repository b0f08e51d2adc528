internal import Anvil
internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import Foundation

/// Reads texts from files, servers and standard input.
extension Console {
  func read(_ source: DocumentSource) async throws(CommandError) -> DocumentText {
    if case .url(let options) = source { return try await fetch(options, as: source) }
    do {
      return DocumentText(source: source, bytes: try source.bytes(self))
    } catch {
      let words = source.words(for: error)
      throw CommandError("cannot read \(source.description): \(words)\(source.hint(words))", status: .inputOutput)
    }
  }

  /// Returns the documents of a sample, or their values at `path`, and whether the sample has a document in each line.
  func samples(
    in source: DocumentSource, at path: JSONPath?
  ) async throws(CommandError) -> (values: [JSON], hasLines: Bool) {
    let text = try await read(source)
    var samples: (values: [JSON], hasLines: Bool)
    var problem = "it is empty"
    do throws(DocumentText.Malformed) {
      samples = try text.samples()
    } catch {
      if !text.bytes.isEmpty { problem = "\(error)" }
      samples = ([], false)
    }
    guard !samples.values.isEmpty else {
      throw CommandError("\(source.description) is not JSON: \(problem)", status: .decoding)
    }
    guard let path else { return samples }
    for (index, document) in samples.values.enumerated() {
      samples.values[index] = try CommandError.explaining(source.description, status: .decoding) {
        try path.value(in: document)
      }
    }
    return samples
  }

  private func fetch(_ options: GetOptions, as source: DocumentSource) async throws(CommandError) -> DocumentText {
    let transport = TransportService(interceptors: options.client.interceptors(for: options.request.url))
    switch await transport.execute(options.request, options: options.transportOptions) {
    case .success(let success):
      let bytes = Array(success.response.body.data ?? Data())
      return DocumentText(source: source, bytes: bytes, response: success.response)
    case .failure(let failure):
      throw CommandError(printed: failure.report(to: self))
    }
  }
}

enum DocumentSource: Sendable {
  case standardInput
  case file(String)
  case url(GetOptions)

  static let discussion =
    "A URL with a port or on the loopback interface needs no scheme, unless a file has that name: :8080/path is "
    + "http://localhost:8080/path."

  /// Creates the source that `operand` names: a URL with the options of `anvil get`, standard input for `-`, otherwise a file.
  init(
    _ operand: String, requestOptions: [String], credentials: CredentialOptions, console: Console
  ) throws(CommandError) {
    if let url = Self.url(operand) {
      self = .url(
        try GetOptions(
          ArgumentParser(requestOptions + ["--", url], of: RequestEntries.options), credentials: credentials,
          console: console))
    } else {
      self = operand == "-" ? .standardInput : .file(operand)
    }
  }

  /// Creates a source that is no URL. The message about a URL ends with `expectation`.
  init(file name: String, _ expectation: String) throws(CommandError) {
    if Self.isURL(name) { throw CommandError("\(name.quotedExcerpt) is a URL; \(expectation)") }
    self = name == "-" ? .standardInput : .file(name)
  }

  /// Returns the source of each operand. Only those on the server of the first URL get the header fields and the credentials. If
  /// `isFollowing` is true, redirects are followed without `--follow`.
  static func sources(
    _ operands: [String], _ arguments: ArgumentParser, _ console: Console, isFollowing: Bool = false
  ) throws(CommandError) -> [DocumentSource] {
    try checkStandardInput(operands, arguments)
    let hasURL = operands.contains(where: isURL)
    let ofRequests = [.header, .follow, .retries, .timeout] + CommandOption.credentials
    if !hasURL, let given = arguments.options.first(where: { ofRequests.contains($0.option) }) {
      throw CommandError("--\(given.option.name) needs a URL")
    }
    let credentials = hasURL ? try CredentialOptions(arguments, console: console) : .none
    let common = (isFollowing ? ["--follow"] : []) + words(arguments, [.follow, .retries, .timeout])
    let headers = words(arguments, [.header])
    let server = operands.first(where: isURL).flatMap { origin($0) }
    var sources: [DocumentSource] = []
    for operand in operands {
      let isMeant = origin(operand) == server
      sources.append(
        try DocumentSource(
          operand, requestOptions: common + (isMeant ? headers : []),
          credentials: isMeant ? credentials : credentials.forNamedServers, console: console))
    }
    return sources
  }

  /// Returns the bytes of the file or of standard input; none for a URL.
  func bytes(_ console: Console) throws -> [UInt8] {
    switch self {
    case .standardInput: Array(try console.readInput())
    case .file(let name): Array(try InputFile.read(name))
    case .url: []
    }
  }

  /// Checks that standard input is read for at most one of `operands` and the files of credentials.
  static func checkStandardInput(_ operands: [String], _ arguments: ArgumentParser) throws(CommandError) {
    let files = [arguments.value(of: .userFile), arguments.value(of: .bearerFile)].compactMap { $0 }
    if (operands + files).count(where: { $0 == "-" }) > 1 { throw CommandError("standard input can be read only once") }
  }

  private static func words(_ arguments: ArgumentParser, _ names: Set<CommandOption>) -> [String] {
    arguments.options.filter { names.contains($0.option) }.flatMap { option, value in
      option.form == .flag ? ["--\(option.name)"] : ["--\(option.name)", value]
    }
  }

  static func isURL(_ operand: String) -> Bool { url(operand) != nil }

  /// Returns the URL that `operand` names, or `nil` if it names a file: `api.example.com/users` could be one, and a mistyped name must not
  /// be requested from a server, so that a URL without a scheme must have a port or be on the loopback interface.
  static func url(_ operand: String) -> String? {
    let start = operand.prefix(8).lowercased()
    if start.hasPrefix("http://") || start.hasPrefix("https://") { return operand }
    let hasPort = operand.contains(/^(|[A-Za-z0-9.\-]+|\[[0-9A-Fa-f:.]+\]):[0-9]+([\/?#]|$)/)
    let authority = operand.prefix { !"/?#".contains($0) }
    let isLoopback = authority == ":" || RequestOperands.isLoopback(authority)
    guard hasPort || isLoopback, !FileManager.default.fileExists(atPath: operand) else { return nil }
    return RequestOperands.withScheme(operand)
  }

  static func origin(_ operand: String) -> HTTP.Origin? {
    url(operand).flatMap { URL(string: $0) }.flatMap { HTTP.Origin($0) }
  }

  /// Returns a short reason for `error`. Foundation's message for a missing file has two sentences, and that for a folder is empty.
  func words(for error: any Error) -> String {
    if case .file(let name) = self, InputFile.isFolder(name) { return "it is a folder" }
    return switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "no such file"
    case .fileReadNoPermission: "permission denied"
    default: error.systemReason
    }
  }

  /// Returns advice for a missing file whose name begins like a host: `api.example.com/users`.
  fileprivate func hint(_ words: String) -> String {
    guard case .file(let name) = self, words == "no such file",
      name.contains(/^[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+\//)
    else { return "" }
    return "; if it is a URL, begin it with https://"
  }

  /// The name for messages: a request without secrets, or the name of a file.
  var description: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): name.withoutURLSecrets
    case .url(let options): "\(options.request)"
    }
  }

  var shortName: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): name.withoutURLSecrets
    case .url: "body"
    }
  }

  var hasLines: Bool {
    guard case .file(let name) = self else { return false }
    return ["ndjson", "jsonl"].contains(URL(filePath: name).pathExtension.lowercased())
  }
}

struct DocumentText: Sendable {
  let source: DocumentSource
  let bytes: [UInt8]
  var response: HTTP.Response?

  struct Document: Sendable {
    let value: JSON
    let start: Int
    /// The line, counted from 1, if the text has a document in each line.
    let line: Int?

    func sourceText(in bytes: [UInt8]) -> SourceText {
      line == nil ? SourceText(bytes) : SourceText(bytes, documentAt: start)
    }
  }

  struct Malformed: Error, CustomStringConvertible {
    let error: JSON.SyntaxError
    /// The offset of the document in the text.
    let start: Int
    let line: Int?

    var description: String {
      line.map { "\(error.code) at line \($0), column \(error.column)" } ?? "\(error)"
    }
  }

  func document() throws(Malformed) -> Document {
    try document(bytes, start: 0, line: nil)
  }

  /// Calls `body` with the document of each line that is not empty.
  func forEachLine(_ body: (Document) -> Void) throws(Malformed) {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: .lineFeed) ?? bytes.count
      let line = bytes[start..<end]
      if line.contains(where: { $0 != .space && $0 != .tab && $0 != .carriageReturn }) {
        body(try document(Array(line), start: start, line: number))
      }
      start = end + 1
      number += 1
    }
  }

  /// Returns the documents, and whether there is one in each line: by the name of the source, or because only the first line is one.
  func samples() throws(Malformed) -> (values: [JSON], hasLines: Bool) {
    if !source.hasLines {
      do throws(Malformed) {
        return ([try document().value], false)
      } catch {
        guard error.error.code == .trailingContent, error.error.line > 1, looksLikeLines else { throw error }
      }
    }
    var values: [JSON] = []
    try forEachLine { values.append($0.value) }
    return (values, true)
  }

  private func document(_ bytes: [UInt8], start: Int, line: Int?) throws(Malformed) -> Document {
    do throws(JSON.SyntaxError) {
      return Document(value: try JSON(parsing: bytes), start: start, line: line)
    } catch {
      throw Malformed(error: error, start: start, line: line)
    }
  }

  func diagnosis(of malformed: Malformed) -> JSON.Diagnosis {
    guard malformed.line != nil else {
      return JSON.Diagnosis(malformed.error, in: Data(bytes), source: source.shortName)
    }
    var fault = Fault(.syntax, at: [])
    fault.offset = malformed.start + malformed.error.offset
    fault.detail = "\(malformed.error.code)"
    return JSON.Diagnosis([fault], in: SourceText(bytes, documentAt: malformed.start), source: source.shortName)
  }

  var looksLikeLines: Bool {
    guard let end = bytes.firstIndex(of: .lineFeed), end + 1 < bytes.count else { return false }
    return (try? JSON(parsing: Array(bytes[..<end]))) != nil
  }
}

enum InputFile {
  /// Reads the file `name`. A pipe or device, such as `/dev/stdin`, is read to its end, and can be read once only.
  static func read(_ name: String) throws -> Data {
    let url = URL(filePath: name)
    // Data(contentsOf:) refuses pipes on Linux.
    guard FileKind.isStream(name) else { return try Data(contentsOf: url) }
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    return try handle.readToEnd() ?? Data()
  }

  /// Checks that `name` can be read and is no folder. A pipe or device is not opened, because it can be opened once only.
  static func check(_ name: String) throws {
    if FileKind.isStream(name) { return }
    try FileHandle(forReadingFrom: URL(filePath: name)).close()
    if isFolder(name) { throw CocoaError(.fileReadUnknown) }
  }

  /// Returns the URL of the file `name` of an option, such as `--cacert`, after ``check(_:)``.
  static func checked(_ name: String, of option: String) throws(CommandError) -> URL {
    do {
      try check(name)
    } catch {
      throw CommandError(unreadable: name, of: option, error)
    }
    return URL(filePath: name)
  }

  static func isFolder(_ name: String) -> Bool {
    let values = try? URL(filePath: name).resourceValues(forKeys: [.isDirectoryKey])
    return values?.isDirectory == true
  }
}
