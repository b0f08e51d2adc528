internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilSQLite
internal import AnvilSQLiteCache
internal import AnvilServer
internal import Dispatch
internal import Foundation

struct ProxyCommand {
  /// The port. The system chooses one if it is 0.
  let port: UInt16
  let tls: TLSOptions?
  let hasCache: Bool
  /// The file of the stored responses, or `nil` for memory.
  let storePath: String?
  /// The origin that receives all requests, without a slash at the end. If it is `nil`, each request names its origin.
  let origin: String?
  let recordPath: String?
  let isVerbose: Bool
  let console: Console

  init(_ arguments: ArgumentParser, console: Console) throws(CommandError) {
    self.console = console
    try arguments.refuseOperands()
    hasCache = arguments.contains(.cache)
    storePath = try arguments.file(of: .cacheStore)
    isVerbose = arguments.contains(.logsExchanges)
    recordPath = try arguments.file(of: .recordFile)
    if let recordPath, OutputFile.isStream(recordPath) {
      throw CommandError("--record \(recordPath.quotedExcerpt) is a pipe or device; a recording needs a file")
    }
    if storePath != nil, !hasCache { throw CommandError("--store needs --cache") }
    port = try arguments.port(of: .port)
    tls = try TLSOptions(arguments)
    origin = if let text = arguments.value(of: .origin) { try Self.origin(text) } else { nil }
  }

  /// Returns the URL in `text`, which needs no scheme, without a slash at the end.
  static func origin(_ text: String) throws(CommandError) -> String {
    let full = RequestOperands.withScheme(text)
    guard let url = URL(string: full), url.query() == nil, url.fragment() == nil else {
      throw CommandError("--origin \(text.quotedExcerpt) is not a URL without query and fragment")
    }
    try CommandError.explaining("--origin \(text.quotedExcerpt)") { try HTTP.Request(url: url).validate() }
    return full.hasSuffix("/") ? String(full.dropLast()) : full
  }

  func run() async throws(CommandError) -> ExitStatus {
    guard let path = storePath else { return try await serve(MemoryCacheStorage()) }
    let storage: SQLiteCacheStorage
    do {
      storage = try await SQLiteCacheStorage(path: path)
    } catch {
      throw CommandError(
        "the cache cannot use its store \(path): \(error); name another file with --store", status: .store)
    }
    do throws(CommandError) {
      let status = try await serve(storage)
      await storage.close()
      return status
    } catch {
      await storage.close()
      throw error
    }
  }

  private func serve(_ storage: any CacheStorage) async throws(CommandError) -> ExitStatus {
    let recorder = recordPath.map { ProxyRecorder(file: URL(filePath: $0), console: console) }
    // A file that cannot be written is reported before the first request.
    if let recorder, !recorder.write() { return .inputOutput }
    let listener = try Listener(port: port, tls: tls)
    let cache = hasCache ? CacheInterceptor(storage: storage) : nil
    let forwarder = ProxyForwarder(
      cache: cache, recorder: recorder, origin: origin, log: isVerbose ? console.writeError : nil)
    listener.server.onAnythingElse { forwarder.reply(to: $0) }
    let end = TerminationSignals()
    listener.announce(on: console, for: origin == nil ? .proxy : .server)
    let writing = recorder.map { recorder in Task { await recorder.run() } }
    await end.wait()

    // Running exchanges end first, because the server waits for their threads.
    forwarder.cancelAll()
    await listener.stopped()
    writing?.cancel()
    await writing?.value
    return recorder?.write() == false ? .inputOutput : .success
  }
}

extension CommandOption {
  static let cache = flag("cache", nil, "store responses and reuse them")
  static let cacheStore = value(
    "store", nil, "FILE", completion: .files,
    "store responses in this SQLite database, which is created if needed; in memory by default; needs --cache")
  static let port = value("port", nil, "N", "listen on port N of 127.0.0.1; a free port by default")
  static let recordFile = value(
    "record", nil, "FILE", completion: .files,
    "record the exchanges as an HTTP archive for anvil serve and anvil har --follow, with secrets as <redacted>; bodies "
      + "are requested without compression")
  static let origin = value("origin", nil, "URL", "send every request to this server; a scheme is not needed: :8080")
  static let logsExchanges = flag(
    "verbose", "v", "print a line about each exchange to standard error, with secrets as <redacted>")
}

extension CommandEntry {
  static let proxy = CommandEntry(
    name: "proxy", operands: "", summary: "forward HTTP requests on the loopback interface, with a cache",
    discussion: [
      "Forwards HTTP requests from a port of the loopback interface, either to the server named in each request (HTTP "
        + "proxy) or all to one server (reverse proxy). CONNECT is refused, also with --tls, so clients cannot request "
        + "https URLs through the HTTP proxy; --origin can be an https URL. Redirects are not followed but passed on. "
        + "Request bodies have at most 64 MiB; response bodies have no limit. With --origin, requests whose Host is "
        + "neither of the loopback interface nor that of the server are rejected with 421. TRACE and OPTIONS with "
        + "Max-Forwards: 0 are answered by the proxy.",
      "With --cache, stored responses are reused where RFC 9111 allows it for the private cache of one user. A request "
        + "that cannot be forwarded is answered with 502, or with 504 after a timeout, and with the reason in one line. "
        + "The command ends on SIGINT and SIGTERM.",
      "The first line on standard output is the address: listening on http://127.0.0.1:PORT",
      TLSOptions.discussion + " The server's certificate is for localhost, 127.0.0.1 and ::1.",
    ],
    groups: [
      "Options": [.cache, .cacheStore, .port, .tls, .authorityFile, .origin, .recordFile, .logsExchanges, .secretPath]
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "the command was ended by SIGINT or SIGTERM"),
      .listening,
      ExitStatusHelp(.store, "store: the database cannot be opened, or belongs to another program"), .usage,
      ExitStatusHelp(.inputOutput, "output: the recording or the certificate cannot be written (EX_IOERR)"),
    ]
  ) { arguments, console throws(CommandError) in
    try await ProxyCommand(arguments, console: console).run()
  }
}

/// Waits for the signals SIGINT, SIGHUP and SIGTERM. While it exists, they do not end the process.
///
/// One can be made for each process: on Linux, Dispatch handles a signal only for the first source of a process.
///
/// SIGINT and SIGHUP stay ignored if they were ignored before: a shell ignores the first for a script's commands in the background, and nohup
/// the second. SIGTERM is always waited for.
final class TerminationSignals {
  let numbers: [Int32]
  /// A stream with an element for each received signal. Only one task may read it.
  let signals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init(interruptions: [Int32] = [SIGINT, SIGHUP], termination: Int32 = SIGTERM) {
    let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    // As an ignored signal, it is handled only by the source.
    _ = signal(termination, SIG_IGN)
    numbers = interruptions.filter { !wasIgnored(beforeIgnoring: $0) } + [termination]
    sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.activate()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for number in numbers { _ = signal(number, SIG_DFL) }
  }

  func wait() async {
    for await _ in signals { return }
  }

  enum Ending {
    case finished, timeout, signal
  }

  /// Runs `work`, and cancels it after `limit` or when the process receives a termination signal. Returns when `work` has ended.
  static func interrupting<Value: Sendable>(
    after limit: Duration? = nil, _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value?, ending: Ending) {
    let termination = TerminationSignals()
    defer { extendLifetime(termination) }
    let signals = termination.signals
    return await withTaskGroup(of: (value: Value?, ending: Ending).self) { group in
      group.addTask { (await work(), .finished) }
      group.addTask {
        for await _ in signals { break }
        return (nil, .signal)
      }
      if let limit {
        group.addTask {
          try? await Task.sleep(for: limit)
          return (nil, .timeout)
        }
      }
      var value: Value?
      var ending: Ending?
      for await first in group {
        group.cancelAll()
        (value, ending) = (value ?? first.value, ending ?? first.ending)
      }
      return (value, ending ?? .finished)
    }
  }
}

extension LoopbackServer {
  /// Stops the server, and waits until all of its threads have ended.
  func stopped() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        self.stop()
        continuation.resume()
      }
    }
  }
}
