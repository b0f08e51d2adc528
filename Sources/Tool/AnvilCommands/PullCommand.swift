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
  let options: PullOptions
  let console: Console

  private static let busyTimeout = Duration.seconds(30)

  func run() async -> ExitStatus {
    do {
      let text = try await DocumentReader(console: console).read(.file(options.file))
      let file = try PullFile.read(text.bytes, name: options.file)
      guard let database = options.into ?? file.into else {
        throw CommandError("there is no database: set \"into\" in \(options.file.quotedExcerpt), or use --into")
      }
      let location = try DatabaseLocation(database, acceptsServers: true)
      var plans = try plans(of: file, in: nil)
      if options.printsStatus, !Self.exists(location) {
        console.write(PullStatus(positions: [], names: plans.map(\.name)).text)
        return .success
      }
      let store = try await Self.open(location)
      if options.lease != nil { plans = try self.plans(of: file, in: store) }
      let status = await run(plans, in: store, interval: file.interval ?? 60)
      await store.close()
      return status
    } catch {
      return PullFailure(error).report(to: console)
    }
  }

  private func run(_ plans: [PullPlan], in store: Store, interval: Double) async -> ExitStatus {
    do {
      if options.printsStatus {
        console.write(PullStatus(positions: try await store.pullPositions(), names: plans.map(\.name)).text)
        return .success
      }
      if options.isFresh { for plan in plans { try await store.forgetPosition(of: plan) } }
    } catch {
      return PullFailure(error).report(to: console)
    }
    let round = PullRound(
      plans: plans, store: store, workerCount: options.workerCount, lease: options.lease, console: console)
    guard options.watches else { return await round.run() }
    return await watch(round, interval: interval)
  }

  /// Runs the pulls repeatedly, until the process receives a termination signal or a pull cannot run as the file describes it.
  ///
  /// - Returns: The status of the last run that was not interrupted.
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
    if let credential = try options.credentials.credential(for: file.baseURL) {
      configuration.authentication = [.credential(credential)]
    }
    let gateway = Gateway(baseURL: file.baseURL, configuration: configuration)
    return try file.listings.map { try $0.plan(gateway) }
  }

  private static func open(_ location: DatabaseLocation) async throws -> Store {
    switch location {
    case .file(let path): try await Store(.sqlite(path: path, busyTimeout: busyTimeout))
    case .server(let url): try await Store(.postgres(url))
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

struct PullOptions: Sendable {
  let file: String
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

  init(_ arguments: ArgumentParser, credentials: CredentialOptions) throws(CommandError) {
    var operands = arguments.operands[...]
    printsStatus = operands.count > 1 && operands.first == "status"
    if printsStatus { operands.removeFirst() }
    guard let file = operands.popFirst() else { throw CommandError("the configuration file is missing") }
    if let operand = operands.first {
      throw CommandError("unexpected argument \(operand.quotedExcerpt) after the file")
    }
    self.file = file
    into = arguments.value(of: .database)
    if into == "" { throw CommandError("--into needs the name of a file or a URL") }
    watches = arguments.contains(.watch)
    isFresh = arguments.contains(.fresh)
    workerCount = try arguments.integer(of: .workers, in: 1...64) ?? 4
    lease = try arguments.seconds(of: .lease, in: 0.1...1e6, " of at least 0.1")
    self.credentials = credentials
  }
}

/// Lines on a terminal about the running pulls, one for each listing.
///
/// The lines are redrawn in place, and removed at the end.
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

  /// Runs the pulls and prints a line for each when it ends. A pull that fails does not end the others.
  ///
  /// - Returns: The status of the first failure in the order of the file. A listing whose rows were all skipped is a failure.
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

  /// The text of the table. Each partition has a line with the pull, the state of its listing, the number of pages, the
  /// cursor and the time of the last change.
  var text: String {
    var lines: [[String]] = [["PULL", "LISTING", "PAGES", "CURSOR", "CHANGED"]]
    for name in names {
      let own = positions.filter { $0.pull == name }
      if own.isEmpty { lines.append([name, "never run", "0", "-", "-"]) }
      for position in own {
        let state = position.state
        lines.append([
          position.partition.isEmpty ? name : "\(name)/\(position.partition)",
          state.isListed ? "complete" : "interrupted", "\(state.pages)", position.cursorText ?? "-",
          position.updated.formatted(.iso8601),
        ])
      }
    }
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let last = line.count - 1
      let cells = line.indices.map { index in
        line[index] + String(repeating: " ", count: index == last ? 0 : widths[index] - line[index].count)
      }
      return cells.joined(separator: "  ").printable + "\n"
    }.joined()
  }
}
