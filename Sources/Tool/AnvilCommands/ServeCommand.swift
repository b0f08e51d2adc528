internal import AnvilBase
internal import AnvilBodies
internal import AnvilDiagnosis
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation
internal import Synchronization

struct ServeOptions: Sendable {
  enum Latency: Sendable {
    case fixed(Duration)
    case recorded
  }

  let source: DocumentSource
  let mode: RecordingPlayer.Mode
  let latency: Latency
  let faults: [ServeFault]
  /// The port. The system chooses one if it is 0.
  let port: UInt16
  let tls: TLSOptions?
  /// The beginning of the URLs whose exchanges are used, or `nil` for all.
  let origin: String?
  let isVerbose: Bool

  init(_ arguments: ArgumentParser) throws(CommandError) {
    let operand = try arguments.operand("a file")
    source = try DocumentSource(file: operand, "anvil serve reads files")
    mode = arguments.contains(.strictReplay) ? .strict : .lenient
    latency = try Self.latency(arguments.value(of: .latency))
    faults = if let text = arguments.value(of: .faults) { try ServeFault.list(text) } else { [] }
    port = try arguments.port(of: .port)
    tls = try TLSOptions(arguments)
    origin = if let text = arguments.value(of: .recordedOrigin) { try ProxyCommand.origin(text) } else { nil }
    isVerbose = arguments.contains(.logsExchanges)
  }

  private static func latency(_ text: String?) throws(CommandError) -> Latency {
    guard let text else { return .fixed(.zero) }
    if text == "recorded" { return .recorded }
    guard let seconds = Double(text), seconds >= 0, seconds <= 3600 else {
      throw CommandError("--latency \(text.quotedExcerpt) is neither a number of seconds up to 3600 nor recorded")
    }
    return .fixed(.seconds(seconds))
  }
}

final class RecordingServer: Sendable {
  let player: RecordingPlayer
  private let options: ServeOptions
  /// The recorded origins. Redirects to them lead to this server.
  private let origins: Set<HTTP.Origin>
  private let log: @Sendable (String) -> Void
  private let replyCount = Mutex(0)

  init(_ recording: Recording, options: ServeOptions, log: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.log = log
    let base = options.origin.map { NormalizedURL($0) }
    let exchanges = recording.exchanges.filter { base?.contains(NormalizedURL($0.url)) ?? true }
    player = RecordingPlayer(exchanges, mode: options.mode)
    origins = Set(exchanges.compactMap { URL(string: $0.url).flatMap { HTTP.Origin($0) } })
  }

  var hosts: [String] { Set(origins.map(\.host)).sorted() }

  func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    guard request.isForLoopback(or: origins.map(\.host)) else {
      log("\(request.method) → 421, unknown host\n")
      return .unknownHost
    }
    let count = replyCount.withLock { count in
      count += 1
      return count
    }
    let shown = "\(request.method) \(HTTP.Redaction(queryValues: .shownUnlessSecret).shown(reference: request.target))"
    let key = RequestKey(
      method: request.method.rawValue, target: request.target, body: request.body,
      contentType: request.headers.contentType)
    if let fault = options.faults.first(where: { count.isMultiple(of: $0.interval) }) {
      if options.isVerbose { log("\(shown) → fault \(fault.description)\n") }
      return fault.reply.after(latency(of: player.peek(key)))
    }
    guard let exchange = player.take(key) else { return unmatched(key, shown).after(latency(of: nil)) }
    if options.isVerbose { log("\(shown) → \(exchange.description)\n") }
    return reply(with: exchange).after(latency(of: exchange))
  }

  private func unmatched(_ key: RequestKey, _ shown: String) -> LoopbackServer.Reply {
    let hint = player.hint(for: key)
    log("\(shown) → 404, not recorded\(hint)\n")
    return .text("anvil: the recording has no response to \(shown)\(hint)\n", status: .clientError(.notFound))
  }

  private func latency(of exchange: RecordedExchange?) -> Duration {
    switch options.latency {
    case .fixed(let latency): latency
    case .recorded: exchange?.time ?? .zero
    }
  }

  private func reply(with exchange: RecordedExchange) -> LoopbackServer.Reply {
    let status = HTTP.Status(code: exchange.status)
    var headers = exchange.headers
    if let location = headers[.location] { headers[.location] = HTTP.HeaderValue(rawValue: local(location.rawValue)) }
    switch exchange.ending {
    case .complete where !exchange.trailers.isEmpty && status.allowsContent:
      // Only chunks have trailers.
      let chunks = [exchange.body]
      return LoopbackServer.Reply(.chunked(chunks, status, headers, trailers: exchange.trailers))
    case .complete: return .status(status, headers: headers, body: exchange.body)
    case .lost: return .fault(.closeBeforeHead)
    case .timedOut: return .fault(.neverAnswers)
    case .withoutBody:
      return .text("anvil: the body of this response was not recorded\n", status: .serverError(.badGateway))
    case .cutShort:
      let rest = Mutex<Data?>(exchange.body.isEmpty ? nil : exchange.body)
      return .streamed(status, headers: headers, length: exchange.body.count + 1) {
        guard let chunk = rest.withLock({ $0.take() }) else { throw CancellationError() }
        return chunk
      }
    }
  }

  /// Returns `location` without its origin if the origin was recorded; otherwise `location` unchanged.
  private func local(_ location: String) -> String {
    guard let url = URL(string: location), let origin = HTTP.Origin(url), origins.contains(origin) else {
      return location
    }
    let path = location.withoutOrigin
    // A path that begins with two slashes would be read as another host.
    if path.hasPrefix("//") { return "/.\(path)" }
    return path.hasPrefix("/") ? String(path) : "/\(path)"
  }
}

struct ServeCommand {
  let options: ServeOptions
  let console: Console

  func run() async throws(CommandError) -> ExitStatus {
    let recording: Recording
    do throws(ArchiveFile.Failure) {
      recording = try Recording(ArchiveFile.bytes(of: options.source, console), from: options.source)
    } catch {
      throw CommandError(error, of: options.source)
    }
    let answers = RecordingServer(recording, options: options, log: console.writeError)
    let listener = try Listener(port: options.port, tls: options.tls, hosts: answers.hosts)
    if recording.missingBodyCount > 0 {
      console.fail(
        "\(recording.missingBodyCount) of \(recording.exchanges.count) responses were recorded without their body")
    }
    listener.server.onAnythingElse { answers.reply(to: $0) }
    let end = TerminationSignals()
    listener.announce(on: console, for: .server)
    await end.wait()
    await listener.stopped()
    return options.mode == .strict ? verify(answers.player) : .success
  }

  private func verify(_ player: RecordingPlayer) -> ExitStatus {
    let unused = player.unused
    let redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
    for exchange in unused.prefix(20) {
      console.fail("not requested: \(exchange.key.method) \(redaction.shown(reference: exchange.url))")
    }
    if unused.count > 20 { console.fail("\(unused.count - 20) more were not requested") }
    return unused.isEmpty && player.unmatchedCount == 0 ? .success : .departure
  }
}

extension CommandOption {
  static let strictReplay = flag(
    "strict", nil, "use each exchange once, in order, for requests that are equal in method, path, query and body")
  static let latency = value(
    "latency", nil, "SECONDS", completion: .choices(["recorded"]),
    "wait SECONDS, such as 0.2, before each reply; recorded: the time that the recorded exchange took")
  static let faults = value(
    "faults", nil, "LIST",
    "reply with faults: NAME, or NAME/N for every Nth request, separated by commas, such as "
      + "503/3,reset-in-body/10; the first one that applies is used")
  static let recordedOrigin = value(
    "origin", nil, "URL", "answer only from exchanges whose URL begins with URL; from all by default")
}

extension CommandEntry {
  static let serve = CommandEntry(
    name: "serve", operands: "FILE", operandCompletion: .files,
    summary: "answer requests from a recording, with faults on demand",
    discussion: [
      "Listens on a port of the loopback interface and answers HTTP requests from a recording: an HTTP archive (HAR) of "
        + "anvil proxy --record, anvil get --har or a browser, or a cassette of CassetteSession. The hosts of the "
        + "recorded URLs are not compared, and redirects to them lead back to this server. FILE is - for standard input.",
      "By default a request is answered with the exchange that has the same method, path and query items, in any order. "
        + "If there are several, those with the same body are preferred. Equal requests receive them in order, and then "
        + "the last one repeatedly. Secrets that the recording does not contain are not compared. A request that was not "
        + "recorded is answered with 404 and printed to standard error. The command ends on SIGINT and SIGTERM.",
      "The first line on standard output is the address: listening on http://127.0.0.1:PORT",
      TLSOptions.discussion + " The server's certificate is for localhost, 127.0.0.1, ::1 and the recorded hosts.",
    ],
    groups: [
      "Options": [
        .strictReplay, .latency, .faults, .recordedOrigin, .port, .tls, .authorityFile, .logsExchanges, .secretPath,
      ]
    ],
    sections: [
      HelpSection(
        "Faults", .paragraph("A status from 400 to 599, or one of \(ServeFault.names.joined(separator: ", "))."))
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "the command was ended by SIGINT or SIGTERM"),
      ExitStatusHelp(.departure, "with --strict: a request was not recorded, or an exchange was not requested"),
      .listening,
      ExitStatusHelp(.decoding, "decoding: FILE is neither an HTTP archive nor a cassette"), .usage, .inputOutput,
    ]
  ) { arguments, console throws(CommandError) in
    try await ServeCommand(options: ServeOptions(arguments), console: console).run()
  }
}

struct ServeFault: Sendable {
  let description: String
  let reply: LoopbackServer.Reply
  /// The number *n*: every *n*th reply has the fault. It is 1 if every reply has it.
  let interval: Int

  static let names = LoopbackServer.Fault.all.map(\.name)

  /// Reads a list such as `503/3,reset-before-head/10`.
  static func list(_ text: String) throws(CommandError) -> [ServeFault] {
    var faults: [ServeFault] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      faults.append(try ServeFault(String(item)))
    }
    return faults
  }

  private init(_ text: String) throws(CommandError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts.first ?? ""
    if name.count == 3, let status = Int(name), (400...599).contains(status) {
      description = "\(status)"
      reply = .json(#"{"error": "a fault of --faults"}"#, status: HTTP.Status(code: status))
    } else if let fault = LoopbackServer.Fault.all.first(where: { $0.name == name }) {
      (description, reply) = (fault.name, .fault(fault.fault))
    } else {
      let suggestion = Suggestion.text(for: name, among: Self.names)
      throw CommandError(
        "--faults \(name.quotedExcerpt) is neither a status from 400 to 599 nor the name of a fault\(suggestion)")
    }
    guard parts.count > 1 else {
      interval = 1
      return
    }
    guard let interval = Int(parts[1]), interval > 0 else {
      throw CommandError("--faults \(text.quotedExcerpt): \(parts[1].quotedExcerpt) is not a number above 0")
    }
    self.interval = interval
  }
}
