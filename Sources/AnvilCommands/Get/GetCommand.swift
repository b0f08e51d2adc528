internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// `anvil get`: sends one request and prints its response, or says which layer failed.
struct GetCommand {
  /// The most bytes of a failed response's body that are shown.
  private static let shownFailureBytes = 64 * 1024

  let options: GetOptions
  let console: Console

  /// Sends the request and prints. A failure prints nothing to standard output but the head that `--include` asks for.
  func run() async -> ExitStatus {
    if options.printsCurlCommand {
      let words = [options.request.curlCommand()] + options.credentials.curlWords.map(\.quotedForShell)
      console.write(words.joined(separator: " ") + "\n")
      return .success
    }
    if options.isVerbose { writeVerbose(MessageHead(options.request), mark: ">") }
    var storing: StoringCommand?
    if let destination = options.destination {
      storing = StoringCommand(destination: destination, path: options.path, console: console)
      // A file that is no database is found out before anything is sent.
      if let failure = await storing?.openExisting() { return failure }
    }
    do {
      try options.client.load()
    } catch {
      console.fail("the cookies cannot be read: \(error)")
      return .inputOutput
    }
    let status = await exchange(storing)
    do {
      try options.client.save()
    } catch {
      console.fail("cookies or recording cannot be written: \(error)")
      return .inputOutput
    }
    return status
  }

  private func exchange(_ storing: StoringCommand?) async -> ExitStatus {
    let interceptors = options.client.interceptors(for: options.request.url)
    let transport =
      options.transport?.session.map { TransportService(session: $0, interceptors: interceptors) }
      ?? TransportService(interceptors: interceptors)
    switch await transport.execute(options.request, options: options.transportOptions) {
    case .success(let success):
      writeHistory(success.response.history)
      writeHead(of: success.response)
      return if let storing { await store(success.response, storing) } else { writeBody(of: success.response) }
    case .failure(let failure):
      writeHistory(failure.history)
      if let response = failure.response { writeHead(of: response) }
      return report(failure)
    }
  }

  private func writeVerbose(_ head: MessageHead, mark: String) {
    for line in head.redactedLines { console.writeError("\(mark) \(line)\n") }
    console.writeError("\(mark)\n")
  }

  private func writeHistory(_ history: HTTP.History) {
    guard options.isVerbose else { return }
    for redirection in history.redirections { console.writeError("* \(redirection)\n") }
    for attempt in history.attempts { console.writeError("* attempt failed: \(attempt)\n") }
  }

  private func writeHead(of response: HTTP.Response) {
    if options.isVerbose { writeVerbose(MessageHead(response), mark: "<") }
    if options.includesHead {
      console.write(MessageHead(response).lines.joined(separator: "\n") + "\n\n")
    }
  }
}

/// What a success prints.
extension GetCommand {
  private func writeBody(of response: HTTP.Response) -> ExitStatus {
    let body = response.body.data ?? Data()
    guard let path = options.path else {
      writeWhole(body)
      return .success
    }
    guard let value = value(at: path, of: response) else { return .decoding }
    write(value)
    return .success
  }

  private func store(_ response: HTTP.Response, _ storing: StoringCommand) async -> ExitStatus {
    guard let value = value(at: options.path, of: response) else { return .decoding }
    return await storing.store(value)
  }

  /// The value at the path of a body that is JSON; `nil` after having said why there is none.
  private func value(at path: JSONPath?, of response: HTTP.Response) -> JSON? {
    let body = response.body.data ?? Data()
    let document: JSON
    do throws(JSON.SyntaxError) {
      document = try JSON(parsing: body)
    } catch {
      let reason = body.isEmpty ? "the body is empty" : "the body is not JSON: \(error)"
      console.fail("\(response), \(reason)")
      return nil
    }
    do throws(JSONPath.NotFound) {
      return try path?.value(in: document) ?? document
    } catch {
      console.fail("\(error)")
      return nil
    }
  }

  /// A whole body: the exact bytes for a program, for a person readable and with the line ended.
  private func writeWhole(_ body: Data) {
    guard console.outputIsTerminal else { return console.write(body) }
    let text = Self.readable(body)
    console.write(text)
    if text.lacksLineEnd { console.write("\n") }
  }

  /// A string as the text it is, anything else as JSON: in one line for a program, indented for a person.
  private func write(_ value: JSON) {
    if let text = value.string {
      console.write(text)
    } else {
      console.write(value.serializedData(console.outputIsTerminal ? .pretty() : .compact))
    }
    console.write("\n")
  }

  /// JSON indented, anything else as it is.
  private static func readable(_ body: Data) -> Data {
    (try? JSON(parsing: body))?.serializedData(.pretty()) ?? body
  }
}

/// What a failure prints.
extension GetCommand {
  private func report(_ failure: TransportFailure) -> ExitStatus {
    switch failure.error.code {
    case .clientError, .serverError, .redirection, .unknownStatus:
      console.fail(failure.descriptionWithLocation)
      writeFailureBody(failure.response?.body.data ?? Data())
      return .status
    case .invalidRequest:
      // Nothing was sent: it is the command line that asks for what cannot be.
      console.fail("\(failure.error)")
      return .usage
    default:
      console.fail("\(failure)")
      return .transport
    }
  }

  private func writeFailureBody(_ body: Data) {
    let rest = body.count - Self.shownFailureBytes
    let shown =
      if rest > 0 {
        body.prefix(Self.shownFailureBytes)
      } else {
        console.errorIsTerminal ? Self.readable(body) : body
      }
    console.writeError(shown)
    if shown.lacksLineEnd { console.writeError("\n") }
    if rest > 0 { console.fail("\(rest) more bytes of the body are not shown") }
  }
}

extension Data {
  /// Whether there is text and it ends within a line.
  fileprivate var lacksLineEnd: Bool { !isEmpty && last != 0x0A }
}
