/// What one implementation did on one case.
struct Measurement {
  var suite: String
  var test: String
  var implementation: String
  /// Seconds a run, one for each round.
  var seconds: [Double] = []
  /// Bytes of JSON a run.
  var bytes: Int

  var median: Double {
    let sorted = seconds.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  var megabytesPerSecond: Double { Double(bytes) / median / 1e6 }
}

/// One way to do a case.
struct Contender {
  var implementation: String
  var run: () throws -> Void
}

/// Runs the contenders of a case in interleaved rounds, so that a machine that changes its speed changes all alike.
func measure(
  suite: String, test: String, bytes: Int, rounds: Int, contenders: [Contender]
) throws -> [Measurement] {
  var measurements = contenders.map {
    Measurement(suite: suite, test: test, implementation: $0.implementation, bytes: bytes)
  }
  // As many repetitions as make a round of the first, the slowest, some milliseconds long.
  let repetitions = max(1, min(10_000, 2_000_000 / max(bytes, 1)))
  for contender in contenders { try contender.run() }
  for _ in 0..<rounds {
    for (index, contender) in contenders.enumerated() {
      let start = ContinuousClock.now
      for _ in 0..<repetitions { try contender.run() }
      let elapsed = (ContinuousClock.now - start).components
      let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
      measurements[index].seconds.append(seconds / Double(repetitions))
    }
  }
  return measurements
}
