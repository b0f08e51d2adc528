import Foundation

/// One way to do a case, within this process or in another.
struct Contender {
  var implementation: String
  /// Does the case so many times, and says how many seconds each took.
  var round: (_ repetitions: Int) throws -> Double

  init(implementation: String, round: @escaping (Int) throws -> Double) {
    self.implementation = implementation
    self.round = round
  }

  /// A contender within this process.
  init(implementation: String, run: @escaping () throws -> Void) {
    self.init(implementation: implementation) { repetitions in
      let start = Self.processorSeconds()
      for _ in 0..<repetitions { try run() }
      return (Self.processorSeconds() - start) / Double(repetitions)
    }
  }

  /// How long the thread has had a processor: what other programs do on the machine meanwhile does not count.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Runs the contenders of a case in interleaved rounds, so that a machine that changes its speed changes all alike, and
/// gives the medians.
func measure(
  suite: String, test: String, bytes: Int, rounds: Int, contenders: [Contender]
) throws -> [Figure] {
  // As many repetitions as make a round of the first, the slowest, some milliseconds long.
  let repetitions = max(1, min(10_000, 2_000_000 / max(bytes, 1)))
  var seconds = contenders.map { _ in [Double]() }
  for contender in contenders { _ = try contender.round(1) }
  for _ in 0..<rounds {
    for (index, contender) in contenders.enumerated() {
      seconds[index].append(try contender.round(repetitions))
    }
  }
  return zip(contenders, seconds).flatMap { contender, seconds in
    let median = seconds.sorted()[seconds.count / 2]
    let figure = { metric, value in
      Figure(suite: suite, test: test, implementation: contender.implementation, metric: metric, value: value)
    }
    return [figure(.throughput, Double(bytes) / median / 1e6), figure(.time, median * 1e6)]
  }
}
