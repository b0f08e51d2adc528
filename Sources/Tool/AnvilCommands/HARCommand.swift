internal import AnvilBase
internal import AnvilClient
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilServer
internal import Foundation

struct HARCommand {
  enum Destination: Sendable {
    /// The page is written to a file, or to standard output for `-`.
    case file(String)
    case temporary
    /// The page is served on this port and follows the archive. The port 0 lets the system choose one.
    case server(port: UInt16)
  }

  let source: DocumentSource
  let destination: Destination
  let opensBrowser: Bool
  /// The standard that JSON bodies of responses are compared with. It is empty if they are not checked.
  let against: [DocumentSource]
  /// The text that the URL of a response must contain for its body to be checked. `nil` matches all responses.
  let checkedURL: String?
  let errorStyle: JSON.Diagnosis.Style
  let console: Console

  init(_ arguments: ArgumentParser, console: Console) throws(CommandError) {
    self.console = console
    let operand = try arguments.operand("a file")
    let names = arguments.values(of: .bodiesAgainst)
    let sources = try ([operand] + names).map { name throws(CommandError) in
      try DocumentSource(file: name, "anvil har reads files")
    }
    try DocumentSource.checkStandardInput([operand] + names, arguments)
    (source, against) = (sources[0], Array(sources.dropFirst()))
    checkedURL = arguments.value(of: .bodiesOfURL)
    if checkedURL != nil, names.isEmpty { throw CommandError("--url needs --against") }
    destination = try Self.destination(arguments)
    if case .server = destination, operand == "-" { throw CommandError("--follow needs a file, not standard input") }
    let isWritten = if case .file = destination { true } else { false }
    opensBrowser = !isWritten && !arguments.contains(.noOpen)
    errorStyle = JSON.Diagnosis.Style(
      values: .shown, colors: Colors(nil, console).error, width: console.outputColumns)
  }

  private static func destination(_ arguments: ArgumentParser) throws(CommandError) -> Destination {
    let port = try arguments.port(of: .inspectorPort)
    try arguments.exclude([.html, .followsFile])
    switch (try arguments.file(of: .html), arguments.contains(.followsFile)) {
    case (_, false) where arguments.contains(.inspectorPort): throw CommandError("--port needs --follow")
    case (let name?, _): return .file(name)
    case (nil, false): return .temporary
    case (nil, true): return .server(port: port)
    }
  }

  func run() async throws(CommandError) -> ExitStatus {
    let notes = ArchiveNotes(standard: try await standard(), url: checkedURL)
    switch destination {
    case .file(let name): try write(try page(notes), to: name)
    case .temporary: try show(try page(notes))
    case .server(let port): try await serve(notes, port: port)
    }
    return .success
  }

  /// The name of the archive, which is the title of the page.
  var title: String {
    guard case .file(let name) = source else { return "standard input" }
    return URL(filePath: name).lastPathComponent.printable
  }

  private func standard() async throws(CommandError) -> CheckStandard? {
    guard !against.isEmpty else { return nil }
    let standards = StandardReader(reference: .inferred, errorStyle: errorStyle, console: console)
    return try await standards.standard(in: against)
  }

  private func page(_ notes: ArchiveNotes) throws(CommandError) -> Data {
    do throws(ArchiveFile.Failure) {
      let archive = try ArchiveFile(ArchiveFile.bytes(of: source, console), from: source)
      let data = InspectorPage.data(
        file: title, archive: archive.bytes, notes: notes.notes(of: archive.document), .none)
      return InspectorPage.page(title: title, data: data, .none)
    } catch {
      throw report(error)
    }
  }

  private func report(_ failure: ArchiveFile.Failure) -> CommandError {
    guard case .broken(let diagnosis, let text) = failure else { return CommandError(failure, of: source) }
    let shown = CheckReport.rendered(
      diagnosis, of: text, title: "not JSON, and therefore not an HTTP archive", errorStyle)
    console.writeError(shown + "\n")
    return CommandError(printed: .decoding)
  }
}

extension HARCommand {
  private func write(_ page: Data, to name: String) throws(CommandError) {
    if OutputFile.isStandardOutput(name) { return console.write(page) }
    do {
      try OutputFile.write(page, to: URL(filePath: name))
    } catch let failure as FileFailure {
      throw CommandError("\(failure)", status: .inputOutput)
    } catch {
      throw CommandError(
        "the file \(name) cannot be written: \(OutputFile.words(for: error, of: name))", status: .inputOutput)
    }
  }

  /// Writes the page to a new temporary folder, where it can have the name that the browser is to show, and opens it.
  private func show(_ page: Data) throws(CommandError) {
    try CommandError.explaining("the page cannot be written", status: .inputOutput) {
      let file = try Self.temporaryFolder().appending(path: "\(title).html")
      try PrivateFile.write(page, to: file)
      console.write("\(file.path(percentEncoded: false))\n")
      open(file)
    }
  }

  /// Opens a URL that other users must not see in the arguments of a process, with a private file that leads to it. Returns the folder of
  /// the file; `nil` if no browser is started.
  private func open(secret url: URL) -> URL? {
    guard opensBrowser else { return nil }
    do {
      let folder = try Self.temporaryFolder()
      let file = folder.appending(path: "open.html")
      try PrivateFile.write(Data(InspectorPage.redirect(to: url).utf8), to: file)
      open(file)
      return folder
    } catch {
      console.fail("no browser could be started: \(error)")
      return nil
    }
  }

  private static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func open(_ url: URL) {
    guard opensBrowser, !Browser.open(url, environment: console.environment) else { return }
    console.fail("no browser could be started: open the page yourself")
  }

  private func serve(_ notes: ArchiveNotes, port: UInt16) async throws(CommandError) {
    guard case .file(let name) = source else { return }
    let followed = FollowedArchive(
      file: URL(filePath: name), source: source, title: title, notes: notes, console: console)
    // The file may be missing, but it must be an archive if it exists.
    if let failure = followed.failure { throw report(failure) }
    let server = try Listener(port: port, tls: nil).server
    // Other users of the machine can reach the port, but do not know the path.
    let secret = (0..<4).map { _ in String(UInt32.random(in: 0 ... .max), radix: 36) }.joined()
    let inspector = InspectorServer(archive: followed, path: "/\(secret)/")
    server.onAnythingElse { inspector.reply(to: $0) }
    let end = TerminationSignals()
    let url = server.url("/\(secret)/")
    console.write("listening on \(url.absoluteString)\n")
    let folder = open(secret: url)
    await end.wait()
    await server.stopped()
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }
}

enum Browser {
  #if os(macOS)
  private static let opener = "open"
  #else
  private static let opener = "xdg-open"
  #endif

  /// Opens `url` with the system's program in the `PATH` of `environment`. Returns whether it was started.
  static func open(_ url: URL, environment: [String: String]) -> Bool {
    let folders = environment["PATH"]?.split(separator: ":").map(String.init) ?? []
    let path = folders.map { "\($0)/\(opener)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else { return false }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = [url.absoluteString]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      return true
    } catch {
      return false
    }
  }
}

extension CommandOption {
  static let html = value(
    "html", nil, "OUT", completion: .files,
    "write the page to OUT, or to standard output for -, without starting a browser")
  static let followsFile = flag(
    "follow", nil,
    "serve the page on the loopback interface and show new exchanges as they are recorded, until SIGINT or SIGTERM; FILE "
      + "need not exist yet")
  static let inspectorPort = value(
    "port", nil, "N", "listen on port N of 127.0.0.1; a free port by default; needs --follow")
  static let noOpen = flag("no-open", nil, "do not start a browser")
  static let bodiesAgainst = values(
    "against", nil, "FILE", completion: .files,
    "show where JSON bodies of 2xx responses depart from a sample or a JSON Schema, as anvil check does; several samples "
      + "are combined")
  static let bodiesOfURL = value("url", nil, "TEXT", "check only bodies of URLs that contain TEXT; needs --against")
}

extension CommandEntry {
  static let har = CommandEntry(
    name: "har", operands: "FILE", operandCompletion: .files, summary: "show an HTTP archive in a browser",
    discussion: [
      "Shows an HTTP archive (HAR) in a browser: a waterfall, header fields, bodies as trees with each problem at its "
        + "value, the time of each phase, cache and retries. Archives are written by anvil get --har, anvil proxy "
        + "--record, HARRecorder and the developer tools of browsers. FILE is - for standard input.",
      "The page is one file and loads no other resources. It contains the whole archive, with its secrets. Without "
        + "--html and --follow it is written to the folder for temporary files, where only you can read it, and its "
        + "name is printed.",
      "With --follow, the first line on standard output is the address: listening on http://127.0.0.1:PORT/PATH/",
    ],
    groups: ["Options": [.html, .followsFile, .inspectorPort, .noOpen, .bodiesAgainst, .bodiesOfURL]],
    exitStatuses: [
      ExitStatusHelp(.success, "success"),
      .listening,
      ExitStatusHelp(.decoding, "decoding: FILE is not an HTTP archive, or --against is not a sample or schema"),
      .usage,
      ExitStatusHelp(.inputOutput, "input or output: a file cannot be read or written (EX_IOERR)"),
    ]
  ) { arguments, console throws(CommandError) in
    try await HARCommand(arguments, console: console).run()
  }
}

struct InspectorServer: Sendable {
  let archive: FollowedArchive
  /// The path of the page, which ends with a slash and cannot be guessed.
  let path: String

  func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    guard request.isForLoopback(or: []) else { return .unknownHost }
    guard request.method == .get || request.method == .head else {
      return .text("anvil: only GET is allowed\n", status: .clientError(.methodNotAllowed))
    }
    switch request.target {
    case path: return page()
    case path + "archive": return data(request.headers[.ifNoneMatch]?.rawValue)
    default: return .text("anvil: not found\n", status: .clientError(.notFound))
    }
  }

  private func page() -> LoopbackServer.Reply {
    switch archive.current.data {
    case .success(let data):
      let page = InspectorPage.page(title: archive.title, data: data, .polled)
      return .status(.success(.ok), headers: Self.headers("text/html; charset=utf-8"), body: page)
    case .failure(let failure): return broken(failure)
    }
  }

  private func data(_ known: String?) -> LoopbackServer.Reply {
    let version = archive.current
    if known == version.tag {
      return .status(.redirection(.notModified), headers: [.eTag: .init(rawValue: version.tag)])
    }
    switch version.data {
    case .success(let data):
      var headers = Self.headers("application/json")
      headers[.eTag] = HTTP.HeaderValue(rawValue: version.tag)
      return .status(.success(.ok), headers: headers, body: Data(data))
    case .failure(let failure): return broken(failure)
    }
  }

  private func broken(_ failure: ArchiveFile.Failure) -> LoopbackServer.Reply {
    .text(failure.message(archive.title) + "\n", status: .serverError(.internalServerError))
  }

  private static func headers(_ type: HTTP.HeaderValue) -> HTTP.Headers {
    [
      .contentType: type, .cacheControl: "no-store", "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": "frame-ancestors 'none'",
    ]
  }
}
