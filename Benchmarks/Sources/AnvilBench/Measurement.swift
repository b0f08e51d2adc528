import Foundation

/// One way to do a case, in a process of its own.
struct Contender {
  var implementation: String
  /// Does the case so many times, and says how many seconds each took.
  var round: (_ repetitions: Int) throws -> Double
}

/// How long a round is.
private let roundSeconds = 0.02

/// Runs the contenders of a case in interleaved rounds, so that a machine that changes its speed changes all alike, and
/// gives the medians.
func measure(
  suite: String, test: String, bytes: Int, rounds: Int, contenders: [Contender]
) throws -> [Figure] {
  // Rounds of equal time, not of equal counts: what the one before has left in caches is soon gone, for the
  // fast ones as for the slow.
  let repetitions = try contenders.map { contender in
    _ = try contender.round(1)
    return max(1, min(100_000, Int(roundSeconds / max(try contender.round(2), 1e-7))))
  }
  var seconds = contenders.map { _ in [Double]() }
  for _ in 0..<rounds {
    for (index, contender) in contenders.enumerated() {
      seconds[index].append(try contender.round(repetitions[index]))
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
