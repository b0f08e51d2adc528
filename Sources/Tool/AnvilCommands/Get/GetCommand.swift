internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// Implements `anvil get`: sends one request, and prints its response or the layer that failed.
struct GetCommand {
  /// The maximum number of bytes to show of the body of a failed response.
  private static let shownFailureBytes = 64 * 1024

  let options: GetOptions
  let console: Console

  /// Sends the request and prints the response as it is received.
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
      console.fail("the cookies cannot be read: \(error)")
      return .inputOutput
    }
    let status = await exchange(storing)
    do {
      try options.client.save()
    } catch {
      console.fail("the cookies or the recording cannot be written: \(error)")
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
      console.fail("the file \(file.lastPathComponent) cannot be written: \(error.localizedDescription)")
      return .inputOutput
    }
  }

  /// Prints the body to the standard output of `output`, or stores it.
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

  /// Ends an exchange that has failed, or whose body was already received. Reports a failure, and returns the exit status.
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
      console.fail("the entity tag cannot be written: \(error)")
      return .inputOutput
    }
  }

  private func writeHead(of response: HTTP.Response) {
    guard options.output.includesHead else { return }
    console.write(MessageHead(response).lines.joined(separator: "\n") + "\n\n")
  }
}

/// The report of a failure.
extension GetCommand {
  private func report(_ failure: TransportFailure) -> ExitStatus {
    switch failure.error.code {
    case .clientError, .serverError, .redirection, .unknownStatus:
      console.fail(failure.descriptionWithLocation)
      writeFailureBody(failure.response?.body.data ?? Data())
      return .status
    case .invalidRequest:
      // The request was not sent, because the command line cannot be carried out.
      console.fail("\(failure.error)")
      return .usage
    case .fileNotWritten:
      console.fail("\(failure.error)")
      return .inputOutput
    default:
      console.fail("\(failure)")
      return .transport
    }
  }

  private func writeFailureBody(_ body: Data) {
    let rest = body.count - Self.shownFailureBytes
    var shown = body.prefix(Self.shownFailureBytes)
    if console.errorIsTerminal {
      shown =
        if rest <= 0, let value = try? JSON(parsing: body) {
          JSONText(.pretty, hasColors: false, isForTerminal: true).data(value)
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
  /// True if the data is not empty and does not end with a line end.
  var lacksLineEnd: Bool { !isEmpty && last != 0x0A }
}
