internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilPostgres
internal import AnvilSQLite
internal import AnvilStore
internal import AnvilSync
internal import Foundation
internal import Synchronization

struct PullCommand {
  private static let busyTimeout = Duration.seconds(30)

  let source: DocumentSource
  /// True if the saved positions of the pulls are printed instead of running the pulls.
  let printsStatus: Bool
  /// The database to use instead of the one in the configuration file; `nil` for the one in the file.
  let into: String?
  let workerCount: Int
  /// The duration of leases, or `nil` if no other process pulls the listings.
  let lease: Duration?
  let watches: Bool
  /// True if the saved positions are removed first, so that all listings are pulled from the beginning.
  let isFresh: Bool
  let credentials: CredentialOptions
  let console: Console

  init(_ arguments: ArgumentParser, console: Console) throws(CommandError) {
    self.console = console
    credentials = try CredentialOptions(arguments, console: console)
    var operands = arguments.operands[...]
    printsStatus = operands.count > 1 && operands.first == "status"
    if printsStatus { operands.removeFirst() }
    guard let file = operands.popFirst() else { throw CommandError("the configuration file is missing") }
    if let operand = operands.first {
      throw CommandError("unexpected argument \(operand.quotedExcerpt) after the file")
    }
    source = try DocumentSource(file: file, "anvil pull reads files")
    try DocumentSource.checkStandardInput([file], arguments)
    into = arguments.value(of: .database)
    if into == "" { throw CommandError("--into needs the name of a file or a URL") }
    watches = arguments.contains(.watch)
    isFresh = arguments.contains(.fresh)
    workerCount = try arguments.integer(of: .workers, in: 1...64) ?? 4
    lease = try arguments.seconds(of: .lease, in: 0.1...1e6, " of at least 0.1")
  }

  func run() async -> ExitStatus {
    do {
      let text = try await console.read(source)
      let file = try PullFile.read(text.bytes, name: text.source.shortName)
      guard let database = into ?? file.into else {
        throw CommandError(
          "there is no database: set \"into\" in \(text.source.description.quotedExcerpt), or use --into")
      }
      let location = try DatabaseLocation(database, acceptsServers: true)
      var plans = try plans(of: file, in: nil)
      if printsStatus, !Self.exists(location) {
        console.write(PullStatus(positions: [], names: plans.map(\.name)).text)
        return .success
      }
      let store = try await Self.open(location)
      if lease != nil { plans = try self.plans(of: file, in: store) }
      let status = await run(plans, in: store, interval: file.interval ?? 60)
      await store.close()
      return status
    } catch {
      return PullFailure(error).report(to: console)
    }
  }

  private func run(_ plans: [PullPlan], in store: Store, interval: Double) async -> ExitStatus {
    do {
      if printsStatus {
        console.write(PullStatus(positions: try await store.pullPositions(), names: plans.map(\.name)).text)
        return .success
      }
      if isFresh { for plan in plans { try await store.forgetPosition(of: plan) } }
    } catch {
      return PullFailure(error).report(to: console)
    }
    let round = PullRound(
      plans: plans, store: store, workerCount: workerCount, lease: lease, console: console)
    guard watches else { return await round.run() }
    return await watch(round, interval: interval)
  }

  /// Runs the pulls until a termination signal, or until a pull cannot run as described. Returns the status of the last full run.
  private func watch(_ round: PullRound, interval: Double) async -> ExitStatus {
    let (status, _) = await TerminationSignals.interrupting {
      var last = ExitStatus.success
      while true {
        let status = await round.run()
        guard !Task.isCancelled else { return last }
        if status == .usage { return status }
        last = status
        try? await Task.sleep(for: .seconds(interval))
      }
    }
    return status ?? .success
  }

  /// Returns the pulls of the file. With a store, their requests share rate limits with other processes.
  private func plans(of file: PullFile, in store: Store?) throws -> [PullPlan] {
    var configuration = ClientConfiguration.standard
    let coordinator = store.map { StoreCoordinator($0) }
    if let limit = file.rateLimit {
      configuration.rateLimit = RateLimiter(
        requests: limit.requests, per: .seconds(limit.seconds), coordinator: coordinator)
    } else if let coordinator {
      configuration.rateLimit = RateLimiter(coordinator: coordinator)
    }
    for (name, value) in file.headers ?? [:] {
      configuration.headers.add(HTTP.HeaderKey(rawValue: name), HTTP.HeaderValue(rawValue: value))
    }
    if let credential = try credentials.credential(for: file.baseURL) {
      configuration.authentication = [.credential(credential)]
    }
    let gateway = Gateway(baseURL: file.baseURL, configuration: configuration)
    return try file.listings.map { try $0.plan(gateway) }
  }

  private static func open(_ location: DatabaseLocation) async throws -> Store {
    do {
      switch location {
      case .file(let path): return try await Store(.sqlite(path: path, busyTimeout: busyTimeout))
      case .server(let url): return try await Store(.postgres(url))
      }
    } catch {
      throw CommandError("cannot store in \(location): \(error)", status: .store)
    }
  }

  private static func exists(_ location: DatabaseLocation) -> Bool {
    switch location {
    case .file(let path): FileManager.default.fileExists(atPath: path)
    case .server: true
    }
  }
}

struct PullFailure {
  let status: ExitStatus
  let message: String
  /// True if the message is the diagnosis of a file, which has several lines.
  private var isDiagnosis = false

  init(_ error: any Error) {
    switch error {
    case let error as CommandError: (status, message) = (error.status, error.message ?? "")
    case let error as JSON.Diagnosis:
      (status, message) = (.usage, "\(error)")
      isDiagnosis = true
    case let failure as TransportFailure: (status, message) = (failure.exitStatus, "\(failure)")
    case let error as PullError:
      (status, message) = (
        error.code == .invalidPull ? .usage : error.code == .overtaken ? .store : .decoding, "\(error)"
      )
    case is DecodingFailure, is PaginationError: (status, message) = (.decoding, "\(error)")
    default: (status, message) = (.store, "\(error)")
    }
  }

  func report(to console: Console) -> ExitStatus {
    if isDiagnosis { console.writeError("anvil: \(message.printableLines)\n") } else { console.fail(message) }
    return status
  }
}

/// Lines on a terminal about the running pulls, one for each listing. They are redrawn in place, and removed at the end.
final class PullProgress: Sendable {
  private static let interval = Duration.milliseconds(100)
  private static let maximumLineCount = 16

  private struct State {
    var texts: [Int: String] = [:]
    var lineCount = 0
    var lastDrawing: ContinuousClock.Instant?
  }

  private let console: Console
  private let isShown: Bool
  private let state = Mutex(State())

  init(console: Console) {
    self.console = console
    isShown = console.errorIsTerminal && console.environment["TERM"] != "dumb"
  }

  func begin(_ index: Int, name: String) {
    state.withLock { $0.texts[index] = "\(name): no page yet" }
  }

  /// Draws the lines, at most ten times per second.
  func update(_ index: Int, name: String, _ report: PullReport) {
    guard isShown else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      state.texts[index] = "\(name): \(report)"
      guard state.lastDrawing.map({ now - $0 >= Self.interval }) ?? true else { return }
      state.lastDrawing = now
      draw(&state)
    }
  }

  /// Removes the line of a listing, and writes its result above the other lines.
  func end(_ index: Int, writingResult body: () -> Void) {
    state.withLock { state in
      state.texts[index] = nil
      let wasDrawn = state.lineCount > 0
      erase(&state)
      body()
      if wasDrawn { draw(&state) }
    }
  }

  private func draw(_ state: inout State) {
    erase(&state)
    let lines = state.texts.sorted { $0.key < $1.key }.prefix(Self.maximumLineCount)
      .map { $0.value.printable.prefix(max(0, console.errorColumns - 1)) + "\n" }
    console.writeError(lines.joined())
    state.lineCount = lines.count
  }

  private func erase(_ state: inout State) {
    if state.lineCount > 0 { console.writeError("\u{1B}[\(state.lineCount)A\r\u{1B}[J") }
    state.lineCount = 0
  }
}

struct PullRound: Sendable {
  let plans: [PullPlan]
  let store: Store
  let workerCount: Int
  let lease: Duration?
  let console: Console

  /// Runs the pulls and prints a line for each when it ends. Returns the status of the first failure in the order of the file, of which a
  /// listing whose rows were all skipped is one.
  func run() async -> ExitStatus {
    var results: [Int: Result<PullReport, any Error>] = [:]
    let progress = PullProgress(console: console)
    await withTaskGroup(of: (Int, Result<PullReport, any Error>).self) { group in
      var rest = plans.indices[...]
      func addTask() {
        guard let index = rest.popFirst(), !Task.isCancelled else { return }
        progress.begin(index, name: plans[index].name)
        group.addTask { (index, await pull(index, progress)) }
      }
      for _ in 0..<workerCount { addTask() }
      for await (index, result) in group {
        results[index] = result
        progress.end(index) { write(result, of: plans[index]) }
        addTask()
      }
    }
    for index in plans.indices {
      switch results[index] {
      case .failure(let error): return PullFailure(error).status
      case .success(let report) where report.hasOnlySkippedRows: return .decoding
      default: break
      }
    }
    return .success
  }

  private func pull(_ index: Int, _ progress: PullProgress) async -> Result<PullReport, any Error> {
    let plan = plans[index]
    do {
      let report = try await store.run(plan, leases: lease) { progress.update(index, name: plan.name, $0) }
      return .success(report)
    } catch {
      return .failure(error)
    }
  }

  private func write(_ result: Result<PullReport, any Error>, of plan: PullPlan) {
    switch result {
    case .success(let report):
      console.write("\(plan.name): \(report)".printable + "\n")
      for row in report.skipped { console.writeError("  \(row)".printable + "\n") }
      let rest = report.skippedCount - report.skipped.count
      if rest > 0 { console.writeError("  and \(rest) more rows that were skipped\n") }
      for drift in report.drift { console.writeError("  \(drift)".printable + "\n") }
      if report.hasOnlySkippedRows { console.fail("\(plan.name): no row could be stored") }
    case .failure(let error) where error is CancellationError: break
    case .failure(let error): console.fail("\(plan.name): \(PullFailure(error).message)")
    }
  }
}

extension PullReport {
  fileprivate var hasOnlySkippedRows: Bool {
    skippedCount > 0 && counts.inserted + counts.updated + counts.unchanged + counts.deleted == 0
  }
}

struct PullStatus {
  let positions: [PullPosition]
  let names: [String]

  /// A table with a line for each partition.
  var text: String {
    var lines: [[String]] = [["PULL", "LISTING", "PAGES", "CURSOR", "CHANGED"]]
    for name in names {
      let own = positions.filter { $0.pull == name }
      let name = name.printable
      if own.isEmpty { lines.append([name, "never run", "0", "-", "-"]) }
      for position in own {
        let state = position.state
        lines.append([
          position.partition.isEmpty ? name : "\(name)/\(position.partition.printable)",
          state.isListed ? "complete" : "interrupted", "\(state.pages)", position.cursorText?.printable ?? "-",
          position.updated.formatted(.iso8601),
        ])
      }
    }
    let widths = lines[0].indices.map { column in lines.map { $0[column].displayWidth }.max() ?? 0 }
    return lines.map { line in
      let last = line.count - 1
      let cells = line.indices.map { index in
        line[index] + String(repeating: " ", count: index == last ? 0 : widths[index] - line[index].displayWidth)
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }
}

extension CommandOption {
  static let database = value(
    "into", nil, "FILE|URL", completion: .files,
    "the database, instead of the one in FILE: a SQLite file, which is created if needed, or postgres://…")
  static let workers = value("workers", nil, "N", "pull up to N listings at the same time; 4 by default")
  static let lease = value(
    "lease", nil, "SECONDS",
    "share the partitions of the listings with other processes that pull FILE, also on other machines: a partition is "
      + "claimed for SECONDS, and the claim is renewed while the partition is pulled; if a process dies, others continue "
      + "it. The processes share \"rate_limit\", and all wait when the server answers 429 to one of them")
  static let watch = flag(
    "watch", nil,
    "run again after the \"interval\" of FILE, 60 seconds by default, until SIGINT or SIGTERM, or until a listing cannot be "
      + "pulled as FILE describes it; the exit status is that of the last run that was not interrupted")
  static let fresh = flag(
    "fresh", nil,
    "remove the stored positions first, so that everything is listed again; columns that the table has lost are added")
  static let pullSchema = flag("schema", nil, "print the JSON Schema of FILE")
}

extension CommandEntry {
  static let pull = CommandEntry(
    name: "pull", operands: "FILE", operandCompletion: .files,
    firstOperandCompletion: .choicesOrFiles(["status"]),
    summary: "keep a database up to date with the listings of an API",
    synopses: ["pull FILE [options]", "pull status FILE [options]"],
    discussion: [
      "Stores the listings of an API in a database and keeps them up to date. FILE describes the listings: the URL, the "
        + "paths, the tables, the keys of the rows, the pagination. Each page is stored in one transaction with the "
        + "position after it, so that an interrupted run continues where it stopped. Columns are created for the members "
        + "of the rows. A row that cannot be stored is skipped and reported.",
      "Prints a line for each listing when it ends: the pages, and the rows inserted, updated, unchanged, deleted and "
        + "skipped. On a terminal, each running listing has a line with the same numbers so far. A failed listing does "
        + "not end the others. With status, the stored positions are printed instead, and no request is sent.",
    ],
    groups: [
      "Options": [.database, .workers, .lease, .watch, .fresh, .pullSchema],
      "Credentials": CommandOption.credentials + [.secretPath],
    ],
    sections: [
      HelpSection(
        "Example",
        .paragraph("ANVIL_USER and ANVIL_BEARER are used if no option names credentials. The smallest FILE:"),
        .verbatim([
          #"{"base_url": "https://api.example.com/v1", "into": "members.db","#,
          #" "listings": [{"name": "members", "path": "members","#,
          #"               "table": "Member", "keys": ["id"]}]}"#,
        ]))
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "success; some rows may have been skipped"), .transport, .status,
      ExitStatusHelp(
        .decoding,
        "decoding: a page is not JSON, has no list, or its pagination or cursor is invalid; a page or a row does not fit a path "
          + "of FILE; or all rows of a listing were skipped"
      ),
      ExitStatusHelp(.store, "store: the database cannot be opened or written, or another run stored a page first"),
      ExitStatusHelp(.usage, "usage: the command line or FILE is invalid (EX_USAGE of sysexits.h)"),
      ExitStatusHelp(.inputOutput, "input: FILE cannot be read (EX_IOERR)"),
    ]
  ) { arguments, console throws(CommandError) in
    if arguments.contains(.pullSchema) {
      console.write(PullFile.schema)
      return .success
    }
    return try await PullCommand(arguments, console: console).run()
  }
}
