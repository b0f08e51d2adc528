internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilSQLite
internal import Foundation

struct GetCommand {
  private static let shownFailureBytes = 64 * 1024

  let options: GetOptions
  let console: Console

  func run() async -> ExitStatus {
    if options.printsCurlCommand {
      console.write(curlCommand + "\n")
      return .success
    }
    var storing: StoringCommand?
    if let destination = options.destination {
      storing = StoringCommand(destination: destination, path: options.output.path, console: console)
      // A file that is not a database is reported before the request is sent.
      if let failure = await storing?.openExisting() { return failure }
    }
    do {
      let skipped = try options.client.load()
      if !skipped.isEmpty {
        let numbers = skipped.prefix(5).map(String.init).joined(separator: ", ") + (skipped.count > 5 ? ", …" : "")
        let subject = skipped.count == 1 ? "line \(numbers) is not a cookie" : "lines \(numbers) are not cookies"
        console.fail("\(subject): skipped, and removed from the file of --cookies when it is saved")
      }
    } catch {
      console.fail("the cookies cannot be read: \(OutputFile.words(for: error, of: options.client.cookieFile?.path))")
      return .inputOutput
    }
    // A download handles signals itself.
    guard options.client.keepsFiles, !options.output.isReplaced else { return await exchangeAndSave(storing) }
    // Files are also written if a signal, or a reader that closes the output, ends the exchange.
    _ = signal(SIGPIPE, SIG_IGN)
    return await TerminationSignals.interrupting { [storing] in await exchangeAndSave(storing) }.value ?? .transport
  }

  private func exchangeAndSave(_ storing: StoringCommand?) async -> ExitStatus {
    let status = await exchange(storing)
    do {
      try options.client.save()
    } catch {
      console.fail("the cookies or the recording cannot be written: \(OutputFile.words(for: error, of: nil))")
      return .inputOutput
    }
    return status
  }

  private var curlCommand: String {
    var request = options.request
    let words = options.credentials.curlWords + options.connection.curlWords
    guard !options.curlForm.isEmpty else { return request.curlCommand(words: words) }
    // curl creates the form, and the boundary for its media type.
    request.body = .empty
    return request.curlCommand(words: options.curlForm + words)
  }

  private func exchange(_ storing: StoringCommand?) async -> ExitStatus {
    let log = options.verbosity.map {
      WireLog(secrets: $0, reportsHeads: options.connection.reportsHeads, console: console)
    }
    let service = TransportService(
      session: options.connection.session,
      interceptors: options.client.interceptors(for: options.request.url) + (log.map { [$0] } ?? []))
    let bar = options.output.showsProgress && !isMixed ? ProgressBar(console: console) : nil
    let eventHandler = log?.handler
    if case .file(let file) = options.output.destination {
      let download = FileDownload(options: options, console: console)
      let status = finish(await download.run(service, to: file, bar, eventHandler), bar)
      if status == .success, let bar { console.writeError("\(bar.summary(of: file.lastPathComponent))\n") }
      let keptSize = status == .success ? 0 : download.keptSize(of: file)
      if keptSize > 0 {
        let size = ProgressBar.size(Double(keptSize))
        console.fail("the \(size) received so far are kept: --continue resumes the download")
      }
      return status
    }
    var transport = TransportOptions(
      timeout: options.timeout, responseDelivery: storing == nil ? .streamed : .collected,
      progressHandler: bar?.handler, eventHandler: eventHandler)
    transport.sensitiveHeaders = options.sensitiveHeaders
    if storing != nil { transport.timeout = options.timeout ?? GetOptions.defaultTimeout }
    switch await service.execute(options.request, options: transport) {
    case .failure(let failure):
      return finish(.failure(failure), bar)
    case .success(let success):
      writeHead(of: success.response)
      let status = await receive(success.response, storing)
      bar?.end()
      return status == .success ? save(success.response) : status
    }
  }

  /// True if the progress bar might be printed to the same terminal as other text, which is the body or the heads of messages.
  private var isMixed: Bool {
    if options.verbosity != nil { return true }
    return switch options.output.destination {
    case .file: false
    // It may be the terminal.
    case .stream: true
    case .standardOutput, .standardOutputForced: console.outputIsTerminal
    }
  }

  private func receive(_ response: HTTP.Response, _ storing: StoringCommand?) async -> ExitStatus {
    guard case .stream(let file) = options.output.destination else {
      return await receive(response, storing, on: console)
    }
    do {
      let handle = try await OutputFile.openStream(file)
      defer { try? handle.close() }
      let output = Console(
        output: .pipe { try handle.write(contentsOf: $0) }, error: .pipe { console.writeError($0) },
        environment: console.environment)
      let status = await receive(response, storing, on: output)
      if let failure = output.outputFailure { throw failure }
      return status
    } catch {
      console.fail("the file \(file.lastPathComponent) cannot be written: \(OutputFile.words(for: error, of: nil))")
      return .inputOutput
    }
  }

  private func receive(
    _ response: HTTP.Response, _ storing: StoringCommand?, on output: Console
  ) async -> ExitStatus {
    let printer = ResponsePrinter(options: options.output, console: output)
    do {
      guard let storing else { return try await printer.print(response) }
      guard let value = try await printer.value(of: response) else { return .decoding }
      return await storing.store(value)
    } catch let error as TransportError {
      console.fail("\(TransportFailure(error: error, request: response.request, response: response))")
      return .transport
    } catch {
      console.fail("\(response): \(error)")
      return .decoding
    }
  }

  private func finish(_ result: Result<TransportSuccess, TransportFailure>, _ bar: ProgressBar?) -> ExitStatus {
    bar?.end()
    switch result {
    case .success(let success):
      writeHead(of: success.response)
      return save(success.response)
    case .failure(let failure):
      if failure.response?.code == 304, options.entityTags.compared != nil { return .success }
      if let response = failure.response { writeHead(of: response) }
      return report(failure)
    }
  }

  private func save(_ response: HTTP.Response) -> ExitStatus {
    do {
      try options.entityTags.save(response)
      return .success
    } catch {
      console.fail("the entity tag cannot be written: \(OutputFile.words(for: error, of: nil))")
      return .inputOutput
    }
  }

  private func writeHead(of response: HTTP.Response) {
    guard options.output.includesHead else { return }
    console.write(MessageHead(response).lines.joined(separator: "\n") + "\n\n")
  }
}

extension GetCommand {
  private func report(_ failure: TransportFailure) -> ExitStatus {
    let status = failure.report(to: console)
    if status == .status { writeFailureBody(failure.response?.body.data ?? Data()) }
    return status
  }

  private func writeFailureBody(_ body: Data) {
    let rest = body.count - Self.shownFailureBytes
    var shown = body.prefix(Self.shownFailureBytes)
    if console.errorIsTerminal {
      shown =
        if rest <= 0, let value = try? JSON(parsing: body) {
          JSONText(.pretty(), hasColors: false, isForTerminal: true).data(value)
        } else {
          Data(String(decoding: shown, as: UTF8.self).printableLines.utf8)
        }
    }
    console.writeError(shown)
    if shown.lacksLineEnd { console.writeError("\n") }
    if rest > 0 { console.fail("\(rest) more bytes of the body are not shown") }
  }
}

extension Data {
  var lacksLineEnd: Bool { !isEmpty && last != .lineFeed }
}

/// Implements `anvil get --output FILE`: a download to a file, which is replaced when the download is complete.
struct FileDownload {
  /// The longest time without received data if the command line sets no limit.
  private static let idleTimeout = Duration.seconds(60)

  let options: GetOptions
  let console: Console

  /// Downloads the response to `file`. An interrupted download is continued with `--continue`, and removed without it.
  func run(
    _ service: TransportService, to file: URL, _ bar: ProgressBar?, _ eventHandler: TransferEvent.Handler?
  ) async -> Result<TransportSuccess, TransportFailure> {
    if !options.output.resumes { removeParts(of: file) }
    var download = DownloadOptions()
    download.idleTimeout = Self.idleTimeout
    // The limit of --retries does not count attempts that continue a download with new data.
    download.fruitlessAttemptLimit = options.output.resumes ? options.client.retries + 2 : options.client.retries + 1
    download.progressHandler = bar?.handler
    download.eventHandler = eventHandler
    download.sensitiveHeaders = options.sensitiveHeaders
    // The data received so far is kept.
    let (result, ending) = await TerminationSignals.interrupting(after: options.timeout) { [download] in
      await service.download(options.request, to: file, options: download)
    }
    if let result, ending == .finished { return result }
    let error =
      ending == .timeout
      ? TransportError(code: .timedOut, elapsed: options.timeout, reason: "the download was not complete")
      : TransportError(code: .cancelled, reason: "the download was interrupted by a signal")
    return .failure(TransportFailure(error: error, request: options.request))
  }

  func keptSize(of file: URL) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: Self.part(of: file).path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private func removeParts(of file: URL) {
    for part in [Self.part(of: file), Self.part(of: file).appendingPathExtension("json")] {
      try? FileManager.default.removeItem(at: part)
    }
  }

  private static func part(of file: URL) -> URL { file.appendingPathExtension("anvilpart") }
}

struct StoringCommand {
  /// The longest time to wait for other processes that write to the same database.
  private static let busyTimeout = Duration.seconds(30)

  let destination: StoreDestination
  let path: JSONPath?
  let console: Console
  fileprivate var opened: Store?

  mutating func openExisting() async -> ExitStatus? {
    guard FileManager.default.fileExists(atPath: destination.path) else { return nil }
    do {
      opened = try await open()
      return nil
    } catch {
      return fail(error)
    }
  }

  /// Stores the object, or the objects in the array, in one transaction.
  func store(_ value: JSON) async -> ExitStatus {
    // The kind is checked before a database file is created.
    guard value.kind == .object || value.kind == .array else {
      console.fail("\(path.map { "\($0)" } ?? "the body") is neither an object nor an array of objects: \(value.kind)")
      return .decoding
    }
    do {
      let store = if let opened { opened } else { try await open() }
      let stored: StoredObjects
      do {
        stored = try await store.context.store(value, as: destination.entity, keys: destination.keys)
      } catch {
        await store.close()
        throw error
      }
      await store.close()
      console.writeError(report(stored).printable + "\n")
      return .success
    } catch {
      return fail(error)
    }
  }

  private func open() async throws -> Store {
    try await Store(.sqlite(path: destination.path, busyTimeout: Self.busyTimeout))
  }
}

extension StoringCommand {
  private static let mostNames = 20

  /// Returns a line: `stored 3 rows of User in a.db: 2 inserted, 1 updated, 0 unchanged; widened: score (integer to real)`.
  private func report(_ stored: StoredObjects) -> String {
    let counts = stored.counts
    let count = counts.inserted + counts.updated + counts.unchanged
    var text = """
      stored \(count) \(count == 1 ? "row" : "rows") of \(destination.entity) in \(destination.shownPath): \
      \(counts.inserted) inserted, \(counts.updated) updated, \(counts.unchanged) unchanged
      """
    let new = stored.newColumns
    if !new.isEmpty { text += "; new \(new.count == 1 ? "column" : "columns"): \(Self.list(new))" }
    let widenings = stored.widenings.map { "\($0.name) (\($0.from.rawValue) to \($0.to.rawValue))" }
    if !widenings.isEmpty { text += "; widened: \(Self.list(widenings))" }
    return text
  }

  private static func list(_ names: [String]) -> String {
    let rest = names.count - mostNames
    let shown = names.prefix(mostNames).map { $0.printable(limit: 60) }
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private func fail(_ error: any Error) -> ExitStatus {
    switch error {
    case let error as UnstorableObject:
      console.fail("\(place(of: error)): \(error.reason)")
      return .decoding
    case let error as StoreError where error.code == .schemaMismatch:
      console.fail("cannot store in \(destination.shownPath): \(error.reason ?? "\(error)")")
      return .store
    default:
      console.fail("cannot store in \(destination.shownPath): \(error)")
      return .store
    }
  }

  private func place(of error: UnstorableObject) -> String {
    let place = path.map { $0.isTopLevel ? "" : "\($0)" } ?? ""
    guard let index = error.index else { return place.isEmpty ? "the top level" : place }
    return "\(place)[\(index)]"
  }
}

extension TransportFailure {
  var exitStatus: ExitStatus {
    switch error.code {
    case .clientError, .serverError, .redirection, .unknownStatus: .status
    // The request was not sent, because the command line cannot be carried out.
    case .invalidRequest: .usage
    case .fileNotWritten: .inputOutput
    default: .transport
    }
  }

  func report(to console: Console) -> ExitStatus {
    switch exitStatus {
    case .status: console.fail(descriptionWithLocation)
    case .transport: console.fail("\(self)")
    default: console.fail("\(error)")
    }
    return exitStatus
  }

  /// The failure in one line, without secrets. It includes the location of a redirect that was not followed.
  private var descriptionWithLocation: String {
    guard let location = response?.headers[.location] else { return "\(self)" }
    return "\(self); Location: \(HTTP.Redaction().shown(HTTP.Headers.Field(.location, location)))"
  }
}
