import Foundation
import Rounds

/// Keeps requests under way for as long as each line of standard input says.
struct LoadRun {
  let load: Load
  let requester: Requester
  let executor: (any TaskExecutor)?

  init(_ contender: Contender, road: Road, load: Load) throws {
    let own = try OwnSession(contender, load: load)
    self.load = load
    requester = try Requester(load, road: road, session: own.session)
    executor = own.executor
  }

  func run() async throws {
    while let line = readLine() {
      guard let seconds = Double(line) else { throw BenchmarkError("no number of seconds: \(line)") }
      print(try await round(seconds: seconds).answer)
      fflush(nil)
    }
  }

  /// Does `count` requests, for a counter of instructions.
  func perform(count: Int) async throws {
    let share = count / load.concurrency
    try await withTaskExecutorPreference(executor) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<load.concurrency {
          group.addTask { for _ in 0..<share { try await requester.perform() } }
        }
        try await group.waitForAll()
      }
    }
  }

  private func round(seconds: Double) async throws -> RoundFigures {
    let start = Seconds.now()
    let end = start.elapsed + seconds
    // Also where Swift's own threads are asked for: nil is no preference.
    let latencies = try await withTaskExecutorPreference(executor) {
      try await withThrowingTaskGroup(of: [Double].self) { group in
        for _ in 0..<load.concurrency { group.addTask { try await requests(until: end) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
    return try RoundFigures(latencies: latencies, seconds: Seconds.now() - start)
  }

  /// One request after the other, and how long each took.
  private func requests(until end: Double) async throws -> [Double] {
    var latencies: [Double] = []
    var time = Seconds.clock()
    repeat {
      try await requester.perform()
      let next = Seconds.clock()
      latencies.append(next - time)
      time = next
    } while time < end
    return latencies
  }
}
