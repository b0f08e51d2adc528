import Anvil
import AnvilPostgres
import AnvilStore
import AnvilSync
import Foundation
import Rounds
import Synchronization

/// A row of the simulated listing.
@StoredModel
struct ScaleRow: Identifiable {
  @MatchKey var id: Int
  var name: String
  var team: String
  var size: Int
}

/// The settings of a simulation of many workers.
struct ScaleSettings {
  var partitions: Int
  /// The number of pages of a partition.
  var pages: Int
  /// The number of rows of a page.
  var rows: Int
  /// The time that the API takes for a page.
  var latency: Duration
  /// The time after which workers stop.
  var limit: Duration
  var deletesMissing: Bool

  init(_ options: [String: String]) {
    func number(_ name: String, _ fallback: Int) -> Int { max(Int(options["--\(name)"] ?? "") ?? fallback, 1) }
    partitions = number("partitions", 10_000)
    pages = number("pages", 2)
    rows = number("rows", 20)
    latency = .milliseconds(number("latency", 50))
    limit = .seconds(number("seconds", 40))
    deletesMissing = options["--missing"] == "deleted"
  }

  var arguments: [String] {
    [
      "--partitions", "\(partitions)", "--pages", "\(pages)", "--rows", "\(rows)", "--latency",
      "\(Int(latency / .milliseconds(1)))", "--seconds", "\(Int(limit / .seconds(1)))", "--missing",
      deletesMissing ? "deleted" : "kept",
    ]
  }

  func pull() throws -> Pull<ScaleRow> {
    guard let url = URL(string: "http://api.example") else { throw BenchmarkError("the URL is invalid") }
    let gateway = Gateway(baseURL: url, session: ListingSession(settings: self), configuration: .bare)
    var requests: [String: GatewayRequest] = [:]
    for number in 0..<partitions {
      requests["team \(number)"] = gateway.request("rows", query: ["team": "\(number)", "page": "0"])
    }
    return Pull(
      "scale", partitions: requests, of: ScaleRow.self, by: .nextURL(at: "next"), items: "rows",
      missing: deletesMissing ? .deleted : .kept)
  }
}

/// An API in memory, which takes the same time for each page and no connection.
private struct ListingSession: TransportSession {
  let settings: ScaleSettings

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    do {
      try await Task.sleep(for: settings.latency)
    } catch {
      throw TransportError(code: .cancelled)
    }
    let numbers = (request.url.query() ?? "").split { !("0"..."9" ~= $0) }.compactMap { Int($0) }
    let isTeamFirst = (request.url.query() ?? "").hasPrefix("team")
    let (team, page) = isTeamFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
    let first = (team * settings.pages + page) * settings.rows
    let rows = (first..<first + settings.rows).map {
      #"{"id":\#($0),"name":"row \#($0) of a listing","team":"team \#(team)","size":\#($0 % 977)}"#
    }
    let next = page + 1 < settings.pages ? #""/rows?team=\#(team)&page=\#(page + 1)""# : "null"
    let body = #"{"rows":[\#(rows.joined(separator: ","))],"next":\#(next)}"#
    let response = HTTP.Response(request: request, status: 200, headers: [.contentType: "application/json"])
    return TransportResponse(response, body: Data(body.utf8))
  }
}

/// The work of all workers of a process.
struct ScaleReport: Codable {
  var pages = 0
  var rows = 0
  /// The seconds from the start to the first page of each worker that has stored one.
  var firstPages: [Double] = []
  /// The seconds from the start to the end of the last worker.
  var elapsed = 0.0
  var processor = 0.0
  var memory = 0
  /// The texts of errors with their numbers.
  var errors: [String: Int] = [:]

  mutating func add(_ other: ScaleReport) {
    pages += other.pages
    rows += other.rows
    firstPages += other.firstPages
    elapsed = max(elapsed, other.elapsed)
    processor += other.processor
    memory = max(memory, other.memory)
    errors.merge(other.errors) { $0 + $1 }
  }
}

/// The workers of one process, as tasks that share the connections of a store.
final class ScaleWorkers: Sendable {
  private struct State {
    var report = ScaleReport()
    /// The pages and rows of each worker.
    var progress: [Int: (pages: Int, rows: Int)] = [:]
  }

  private let settings: ScaleSettings
  private let store: Store
  private let count: Int
  private let state = Mutex(State())

  init(_ settings: ScaleSettings, url: String, connections: Int, count: Int) async throws {
    self.settings = settings
    self.count = count
    store = try await Store(.postgres(url, connections: connections, busyTimeout: .seconds(300)))
  }

  /// Runs the pull with each worker, from a moment on that is the same in all processes.
  func run(from moment: Date) async throws -> ScaleReport {
    let pull = try settings.pull()
    try await Task.sleep(for: .seconds(max(moment.timeIntervalSinceNow, 0)))
    let start = Seconds.now()
    let workers = Task {
      await withDiscardingTaskGroup { group in
        for number in 0..<count { group.addTask { await self.run(pull, worker: number, since: start.elapsed) } }
      }
    }
    let limit = Task {
      try await Task.sleep(for: settings.limit)
      workers.cancel()
    }
    await workers.value
    limit.cancel()
    let spent = Seconds.now() - start
    await store.close()
    return state.withLock { state in
      var report = state.report
      for worker in state.progress.values {
        report.pages += worker.pages
        report.rows += worker.rows
      }
      (report.elapsed, report.processor, report.memory) = (spent.elapsed, spent.processor, PeakMemory.byteCount())
      return report
    }
  }

  private func run(_ pull: Pull<ScaleRow>, worker: Int, since start: Double) async {
    do {
      try await store.run(pull, leases: .seconds(30)) { [self] report in
        state.withLock { state in
          if state.progress[worker] == nil { state.report.firstPages.append(Seconds.clock() - start) }
          let counts = report.counts
          state.progress[worker] = (report.pages, counts.inserted + counts.updated + counts.unchanged)
        }
      }
    } catch is CancellationError {
      // The time is over.
    } catch {
      guard !Task.isCancelled else { return }
      state.withLock { $0.report.errors[String("\(error)".prefix(200)), default: 0] += 1 }
    }
  }
}
