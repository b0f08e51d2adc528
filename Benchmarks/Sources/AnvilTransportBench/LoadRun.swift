import Foundation
import Rounds

/// Sends requests for the number of seconds in each line of standard input.
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

  /// Sends `count` requests, for an instruction counter.
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
    // Also for Swift's threads: nil is no preference.
    let latencies = try await withTaskExecutorPreference(executor) {
      try await withThrowingTaskGroup(of: [Double].self) { group in
        for _ in 0..<load.concurrency { group.addTask { try await requests(until: end) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
    return try RoundFigures(latencies: latencies, seconds: Seconds.now() - start)
  }

  /// Sends requests one after the other and returns the latency of each.
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
