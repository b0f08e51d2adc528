import Foundation

/// An implementation that is measured on a case, in a separate process.
struct Contender {
  var implementation: String
  /// Runs the case so many times and returns the seconds that each run took.
  var round: (_ repetitions: Int) throws -> Double
}

/// The length of a round.
private let roundSeconds = 0.02

/// Runs the contenders of a case in interleaved rounds, so that changes of the machine's speed affect all of them, and
/// returns the medians.
func measure(
  suite: String, test: String, bytes: Int, rounds: Int, contenders: [Contender]
) throws -> [Figure] {
  // Rounds of equal time, not of equal counts: the effect of the previous contender on the caches is then short
  // for all of them, fast or slow.
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
