import AnvilPostgres
import AnvilStore
import AnvilSync
import Foundation
import Rounds

/// Measures a pull whose partitions are shared by more and more workers: the ratios of pages per second, and the work of the server.
///
/// A few processes run the workers as tasks, and an API in memory answers them after a fixed time. The database is real.
struct ScaleRun {
  private static let schema = "anvil_scale"

  let settings: ScaleSettings
  let workers: [Int]
  let processes: Int
  /// The number of connections of all processes together.
  let connections: Int
  let showsStatements: Bool
  private let url: String

  init(_ options: [String: String]) throws {
    url = try WorkerProcess.serverURL(schema: Self.schema)
    settings = ScaleSettings(options)
    workers = (options["--workers"] ?? "1,10,100,1000").split(separator: ",").compactMap { Int($0) }
    processes = max(Int(options["--processes"] ?? "") ?? 2, 1)
    connections = max(Int(options["--connections"] ?? "") ?? 32, processes)
    showsStatements = options["--statements"] != nil
  }

  func run() async throws {
    let watch = try await ServerWatch(url: url)
    let setting = settings.arguments.joined(separator: " ").replacing("--", with: "")
    print("\(setting), \(processes) processes, \(connections) connections")
    print(
      "workers   pages/s   ratio   of first     rows/s  claims/s  first page s (half, last)  server ms/page"
        + "  ours ms/page  commits/page  WAL KB/page  seconds")
    var base: Double?
    for count in workers {
      try await watch.execute("DROP SCHEMA IF EXISTS anvil_scale CASCADE")
      try await watch.execute("CREATE SCHEMA anvil_scale")
      // The tables exist, as after an earlier run.
      var one = settings
      (one.partitions, one.pages) = (1, 1)
      _ = try await ScaleWorkers(one, url: url, connections: 1, count: 1).run(from: Date())
      try await watch.execute("DELETE FROM anvil_pulls")
      let (report, figures) = try await watch.measure(schema: Self.schema) { try await run(count) }
      try await watch.execute("ANALYZE")
      print(line(of: count, report, figures, &base))
      print(
        String(
          format: "        processors of workers %.2f, %d MB", report.processor / report.elapsed,
          report.memory / 1_000_000))
      for (error, number) in report.errors { print("        \(number) × \(error)") }
      figures.show(seconds: report.elapsed, statements: showsStatements)
    }
  }

  /// Runs the workers in several processes, which begin at the same time.
  private func run(_ count: Int) async throws -> ScaleReport {
    let used = min(processes, count)
    let moment = Date().addingTimeInterval(1.5).timeIntervalSince1970
    return try await withThrowingTaskGroup { group in
      for number in 0..<used {
        let own = (count + used - 1 - number) / used
        let arguments =
          [
            "scale-worker", "--from", "\(moment)", "--workers", "\(own)", "--connections",
            "\(min(own, max(connections / used, 1)))", "--url", url,
          ] + settings.arguments
        group.addTask { try await WorkerProcess.report(ScaleReport.self, of: arguments) }
      }
      return try await group.reduce(into: ScaleReport()) { $0.add($1) }
    }
  }

  private func line(
    of count: Int, _ report: ScaleReport, _ figures: ServerWatch.Figures, _ base: inout Double?
  ) -> String {
    let rate = Double(report.pages) / report.elapsed
    let first = base ?? rate / Double(count)
    base = first
    let firstPages = report.firstPages.sorted()
    let pages = Double(max(report.pages, 1))
    let claims = Double(figures.calls(of: "anvil_pull_leases", "SKIP LOCKED").rows)
    return String(
      format: "%7d %9.0f %7.1f %10.2f %10.0f %9.0f %13.2f %13.2f %15.2f %13.2f %13.2f %12.1f %8.1f", count, rate,
      rate / first, rate / first / Double(count), Double(report.rows) / report.elapsed, claims / report.elapsed,
      firstPages.isEmpty ? 0 : firstPages[firstPages.count / 2], firstPages.last ?? 0, figures.processor * 1e3 / pages,
      report.processor * 1e3 / pages, Double(figures.commits) / pages, figures.walBytes / 1e3 / pages, report.elapsed)
  }
}

/// Other processes of this program, which report as JSON.
enum WorkerProcess {
  /// Runs this program on a thread that may wait.
  static func report<Report: Decodable & Sendable>(
    _ type: Report.Type, of arguments: [String]
  ) async throws -> Report {
    let text: String = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try Tool.run(Tool.ownPath, arguments).output }) }
    }
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  static func serverURL(schema: String) throws -> String {
    guard let server = ProcessInfo.processInfo.environment["ANVIL_POSTGRES_URL"] else {
      throw BenchmarkError("ANVIL_POSTGRES_URL is not set: run this in scripts/with-postgres")
    }
    return server + (server.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(schema)"
  }
}
