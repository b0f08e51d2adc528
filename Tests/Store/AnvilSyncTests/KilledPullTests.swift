#if os(Linux) || os(macOS)
import Anvil
import AnvilStore
import AnvilSync
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// Processes of `anvil pull` that are killed at any moment, against a server that fails, limits and drifts now and then, and changes its rows.
@Suite(.timeLimit(.minutes(15)), .serialized) struct KilledPullTests {
  /// A listing in four parts, in pages of 5, sorted in some order.
  private final class Server: Sendable {
    let server: LoopbackServer
    private let rows = Mutex<[Int]>([])
    private let drift = Mutex(true)
    /// The numbers of answers with 429, and of rows with other members or types.
    private let counts = Mutex((limited: 0, drifted: 0))

    init() throws {
      server = try LoopbackServer()
      server.on(.get, "/rows") { [weak self] request in self?.page(request) ?? .status(500) }
    }

    var ids: [Int] {
      get { rows.withLock { $0 } }
      set { rows.withLock { $0 = newValue } }
    }

    /// `true` if rows occasionally have other members or types.
    var drifts: Bool {
      get { drift.withLock { $0 } }
      set { drift.withLock { $0 = newValue } }
    }

    var hasLimitedAndDrifted: Bool { counts.withLock { $0.limited > 0 && $0.drifted > 0 } }

    private func page(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
      switch Int.random(in: 0..<300) {
      case 0..<5: return .status(403)
      case 5..<15: return limited(for: 0)
      case 15: return limited(for: 1)
      default: break
      }
      func value(_ name: String) -> Int { request.query[name].flatMap { Int($0) } ?? 0 }
      let (part, number) = (value("part"), value("page"))
      let ids = ids.filter { $0 % 4 == part }
      let page = ids.dropFirst(number * 5).prefix(5)
      var headers: HTTP.Headers = [:]
      if (number + 1) * 5 < ids.count { headers[.link] = "</rows?part=\(part)&page=\(number + 1)>; rel=next" }
      let body = page.map(row).joined(separator: ",")
      return .status(200, headers: headers, body: Data("[\(body)]".utf8)).after(.milliseconds(2))
    }

    private func limited(for seconds: Int) -> LoopbackServer.Reply {
      counts.withLock { $0.limited += 1 }
      return .status(429, headers: [.retryAfter: "\(seconds)"])
    }

    /// Now and then a row has another member, or a value of another type.
    private func row(_ id: Int) -> String {
      let name = #""name": "row \#(id)""#
      let other =
        switch drifts ? Int.random(in: 0..<200) : .max {
        case 0: #"{"id": \#(id), \#(name), "extra_\#(id % 3)": true}"#
        case 1: #"{"id": \#(id), \#(name), "extra_0": {"text": "x"}}"#
        case 2: #"{"id": [\#(id)], \#(name)}"#
        case 3: #"{"id": \#(id), "name": 7.5}"#
        default: nil as String?
        }
      if other != nil { counts.withLock { $0.drifted += 1 } }
      return other ?? #"{"id": \#(id), \#(name)}"#
    }
  }

  /// A row that `anvil pull` has stored.
  private struct Row: Codable, Sendable, Equatable, ManagedDecodable {
    static let entityName = "Row"
    static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
    var id: Int
    var name: String
  }

  /// A change of a position, recorded by the trigger.
  private struct Step: Decodable {
    var part: String
    var version: Int
    var round: Int
    var state: String

    var pages: Int { (try? JSON(parsing: state))?["pages"]?.int ?? -1 }
  }

  private let server: Server
  private let folder: TemporaryFolder

  init() throws {
    server = try Server()
    folder = try TemporaryFolder()
  }

  private func configuration(into location: String) throws -> String {
    let path = folder.path("pull.json")
    let text = """
      {"base_url": "\(server.server.url.absoluteString)", "into": "\(location)", "listings": [
        {"name": "rows", "partitions": {"a": "rows?part=0", "b": "rows?part=1", "c": "rows?part=2", "d": "rows?part=3"},
         "table": "Row", "keys": ["id"], "missing": "deleted"}]}
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// Runs `anvil pull`, and kills it after the delay unless it has ended. Returns the exit status; `nil` if it was killed.
  private func pull(_ arguments: [String], killedAfter delay: Duration? = nil) async throws -> Int32? {
    let process = Process()
    process.executableURL = BuiltPrograms.folder?.appending(path: "anvil")
    process.arguments = ["pull"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let (endings, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    if let delay {
      try await Task.sleep(for: delay)
      kill(process.processIdentifier, SIGKILL)
    }
    for await _ in endings {}
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  /// Runs the pull until it has succeeded twice: once to end an interrupted listing, and once with the rows of now.
  private func complete(_ arguments: [String]) async throws {
    var successes = 0
    for _ in 0..<200 where successes < 2 { if try await pull(arguments) == 0 { successes += 1 } }
    #expect(successes == 2)
  }

  private func watchPositions(in store: Store, _ backend: SyncBackend) async throws {
    try await store.context.perform { transaction in
      try transaction.execute("CREATE TABLE steps (part TEXT, version BIGINT, round BIGINT, state TEXT)")
      let copy: StoreStatement = "INSERT INTO steps VALUES (new.partition, new.version, new.round, new.state)"
      switch backend {
      case .sqlite:
        try transaction.execute("CREATE TRIGGER note AFTER UPDATE ON anvil_pulls BEGIN \(copy); END")
      case .postgres:
        try transaction.execute(
          "CREATE FUNCTION note() RETURNS trigger AS 'BEGIN \(copy); RETURN new; END' LANGUAGE plpgsql")
        try transaction.execute(
          "CREATE TRIGGER note AFTER UPDATE ON anvil_pulls FOR EACH ROW EXECUTE FUNCTION note()")
      }
    }
  }

  /// Each change of a position begins a listing, stores its next page, or claims it: no page was stored twice or left out.
  private func checkSteps(in store: Store) async throws {
    let steps = try await store.context.read { transaction in
      try transaction.fetch(Step.self, sql: "SELECT part, version, round, state FROM steps ORDER BY part, version")
    }
    #expect(Set(steps.map(\.part)).count == 4)
    for (last, step) in zip(steps, steps.dropFirst()) where last.part == step.part {
      #expect(step.version == last.version + 1)
      let begins = step.round == last.round + 1 && step.pages == 0
      let goesOn = step.round == last.round && (last.pages...last.pages + 1).contains(step.pages)
      #expect(begins || goesOn, "round \(last.round), page \(last.pages) to round \(step.round), page \(step.pages)")
    }
    #expect(steps.count > 80)
  }

  @Test(arguments: SyncBackend.available) func rowsEqualThoseOfTheServerAfterKilledRuns(
    _ backend: SyncBackend
  ) async throws {
    let database = try SyncDatabase(backend)
    let file = try configuration(into: database.location)
    server.ids = [1]
    let arguments = backend == .sqlite ? [file] : [file, "--lease", "0.3"]
    for _ in 0..<20 { if try await pull(arguments) == 0 { break } }
    let store = try await database.open()
    try await watchPositions(in: store, backend)
    let workers = backend == .sqlite ? 1 : 4
    let count = rounds(backend == .sqlite ? 50 : 200) / workers
    for phase in 0..<2 {
      server.ids = (phase * 100..<400 + phase * 100).shuffled()
      try await withThrowingTaskGroup { group in
        for _ in 0..<workers {
          group.addTask {
            // Some of the processes must have sent requests before they are killed, even if they start slowly.
            var (killed, interrupted, longest) = (0, 0, 800)
            while killed < (count + 1) / 2 || interrupted == 0 {
              let requestCount = server.server.requests.count
              guard try await pull(arguments, killedAfter: .milliseconds(Int.random(in: 20...longest))) == nil else {
                continue
              }
              killed += 1
              if server.server.requests.count > requestCount { interrupted += 1 } else { longest += 100 }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    server.drifts = false
    try await complete(arguments)
    let rows = try await store.context.fetch(Row.self)
    #expect(rows == server.ids.sorted().map { Row(id: $0, name: "row \($0)") })
    try await checkSteps(in: store)
    #expect(!isThorough || server.hasLimitedAndDrifted)
  }
}
#endif
