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
    if options.isVerbose { writeVerbose(MessageHead(options.request), mark: ">") }
    let transport = TransportService()
    switch await transport.execute(options.request, options: TransportOptions(timeout: options.timeout)) {
    case .success(let success):
      writeHead(of: success.response)
      return writeBody(of: success.response)
    case .failure(let failure):
      if let response = failure.response { writeHead(of: response) }
      return report(failure)
    }
  }

  private func writeVerbose(_ head: MessageHead, mark: String) {
    for line in head.redactedLines { console.writeError("\(mark) \(line)\n") }
    console.writeError("\(mark)\n")
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
    let document: JSONText
    do throws(JSONText.Invalid) {
      document = try JSONText(body)
    } catch {
      let reason = body.isEmpty ? "the body is empty" : "the body is not JSON: \(error)"
      console.fail("\(response), \(reason)")
      return .decoding
    }
    do throws(JSONPath.NotFound) {
      write(try path.value(in: document))
      return .success
    } catch {
      console.fail("\(error)")
      return .decoding
    }
  }

  /// A whole body: the exact bytes for a program, for a person readable and with the line ended.
  private func writeWhole(_ body: Data) {
    guard console.outputIsTerminal else { return console.write(body) }
    console.write(Self.readable(body).endingLine)
  }

  private func write(_ value: JSONText) {
    if let text = value.string {
      console.write(text + "\n")
    } else {
      console.write((console.outputIsTerminal ? value.pretty : value.raw) + Data("\n".utf8))
    }
  }

  /// JSON indented, anything else as it is.
  private static func readable(_ body: Data) -> Data {
    (try? JSONText(body))?.pretty ?? body
  }
}

/// What a failure prints.
extension GetCommand {
  private func report(_ failure: TransportFailure) -> ExitStatus {
    switch failure.error.code {
    case .clientError, .serverError, .redirection, .unknownStatus:
      let location = failure.response?.headers[.location].map { "; Location: \($0.withoutSecrets)" } ?? ""
      console.fail("\(failure)\(location)")
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
    guard rest > 0 else {
      return console.writeError((console.errorIsTerminal ? Self.readable(body) : body).endingLine)
    }
    console.writeError(body.prefix(Self.shownFailureBytes).endingLine)
    console.fail("\(rest) more bytes of the body are not shown")
  }
}

extension Data {
  /// The data and a line end, unless it is empty or has one.
  fileprivate var endingLine: Data {
    isEmpty || last == 0x0A ? self : self + Data("\n".utf8)
  }
}
