import AnvilPostgres
import AnvilStore
import Foundation
import Rounds
import Synchronization

/// Measures the cost of observers of a PostgreSQL database: the ratio of commits per second with more and more stores that listen for
/// changes, and the elements that their observers receive.
struct ObserverRun {
  private static let schema = "anvil_observers"

  /// The numbers of stores that listen, each with a connection as in a separate process.
  let stores: [Int]
  /// The number of observers of each store.
  let observers: Int
  let rows: Int
  /// The number of connections that commit changes without a pause.
  let writers: Int
  let seconds: Double
  let processes: Int
  let showsStatements: Bool
  private let url: String

  init(_ options: [String: String]) throws {
    func number(_ name: String, _ fallback: Int) -> Int { max(Int(options["--\(name)"] ?? "") ?? fallback, 1) }
    url = try WorkerProcess.serverURL(schema: Self.schema)
    stores = (options["--stores"] ?? "0,1,10,100").split(separator: ",").compactMap { Int($0) }
    (observers, rows, writers) = (number("observers", 1), number("rows", 1_000), number("writers", 1))
    (seconds, processes) = (Double(number("seconds", 10)), number("processes", 2))
    showsStatements = options["--statements"] != nil
  }

  func run() async throws {
    let watch = try await ServerWatch(url: url)
    try await watch.execute("DROP SCHEMA IF EXISTS anvil_observers CASCADE")
    try await watch.execute("CREATE SCHEMA anvil_observers")
    let store = try await Store(.postgres(url, connections: writers))
    try await store.save((0..<rows).map { ScaleRow(id: $0, name: "row \($0)", team: "team \($0 % 100)", size: 0) })
    print("\(observers) observers of each store, \(rows) rows, \(writers) connections commit changes of one row")
    print(
      "stores  commits/s   ratio  elements/s  of each  delay ms (half, last)  server ms/commit  listeners ms/commit")
    var base: Double?
    for count in stores {
      let moment = Date().addingTimeInterval(2)
      async let listening = listen(count, from: moment)
      try await Task.sleep(for: .seconds(moment.timeIntervalSinceNow))
      let (commits, figures) = try await watch.measure(schema: Self.schema) { try await commit(to: store) }
      let report = try await listening
      let rate = Double(commits) / seconds
      let first = base ?? rate
      base = first
      let delays = report.delays.sorted()
      let each = Double(report.elements) / seconds / Double(max(count * observers, 1))
      print(
        String(
          format: "%6d %10.0f %7.2f %11.0f %8.1f %10.0f %10.0f %17.3f %20.3f", count, rate, rate / first,
          Double(report.elements) / seconds, each, delays.isEmpty ? 0 : delays[delays.count / 2], delays.last ?? 0,
          figures.processor * 1e3 / Double(max(commits, 1)), report.processor * 1e3 / Double(max(commits, 1))))
      figures.show(seconds: seconds, statements: showsStatements)
    }
    await store.close()
  }

  /// Commits changes of single rows for the time of the measurement. Returns the number of commits.
  private func commit(to store: Store) async throws -> Int {
    let end = Seconds.clock() + seconds
    return try await withThrowingTaskGroup { group in
      for writer in 0..<writers {
        group.addTask {
          var count = 0
          while Seconds.clock() < end {
            let id = (count * writers + writer) % rows
            let now = Int(Date().timeIntervalSince1970 * 1e3)
            try await store.save(ScaleRow(id: id, name: "row \(id)", team: "team \(id % 100)", size: now))
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private func listen(_ count: Int, from moment: Date) async throws -> ObserverReport {
    let used = min(processes, count)
    return try await withThrowingTaskGroup { group in
      for number in 0..<used {
        let arguments = [
          "observer-worker", "--from", "\(moment.timeIntervalSince1970)", "--stores",
          "\((count + used - 1 - number) / used)",
          "--observers", "\(observers)", "--seconds", "\(Int(seconds))", "--url", url,
        ]
        group.addTask { try await WorkerProcess.report(ObserverReport.self, of: arguments) }
      }
      return try await group.reduce(into: ObserverReport()) { $0.add($1) }
    }
  }
}

/// The elements that the observers of a process have received.
struct ObserverReport: Codable {
  var elements = 0
  var processor = 0.0
  /// The milliseconds from a change to the element that contains it, for some of the elements.
  var delays: [Double] = []

  mutating func add(_ other: ObserverReport) {
    elements += other.elements
    processor += other.processor
    delays += other.delays
  }
}

/// Stores with observers, as tasks of one process.
final class ObserverWorkers: Sendable {
  private let url: String
  private let stores: Int
  private let observers: Int
  private let seconds: Double
  private let report = Mutex(ObserverReport())

  init(url: String, stores: Int, observers: Int, seconds: Double) {
    (self.url, self.stores, self.observers, self.seconds) = (url, stores, observers, seconds)
  }

  func run(from moment: Date) async throws -> ObserverReport {
    let opened = try await withThrowingTaskGroup { group in
      for _ in 0..<stores { group.addTask { [url] in try await Store(.postgres(url, connections: 1)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let observing = Task {
      await withDiscardingTaskGroup { group in
        for (number, store) in opened.enumerated() {
          for observer in 0..<observers {
            group.addTask {
              await self.observe(store, team: (number * self.observers + observer) % 100, from: moment)
            }
          }
        }
      }
    }
    try await Task.sleep(for: .seconds(max(moment.timeIntervalSinceNow, 0)))
    let start = Seconds.now()
    try await Task.sleep(for: .seconds(seconds))
    let spent = Seconds.now() - start
    observing.cancel()
    await observing.value
    for store in opened { await store.close() }
    return report.withLock { report in
      report.processor = spent.processor
      return report
    }
  }

  private func observe(_ store: Store, team: Int, from moment: Date) async {
    do {
      for try await rows in store.values(of: ScaleRow.self, where: \.team == "team \(team)") {
        let now = Date()
        guard now > moment else { continue }
        let latest = Double(rows.map(\.size).max() ?? 0)
        report.withLock { report in
          report.elements += 1
          if latest > 0, report.delays.count < 10_000 { report.delays.append(now.timeIntervalSince1970 * 1e3 - latest) }
        }
      }
    } catch {
      note("an observer has ended: \(error)")
    }
  }
}
