/// The command-line settings of a run.
struct SoakOptions: Sendable {
  /// The duration in minutes for which operations are started.
  var minutes = 60.0
  /// The seed of all random choices. The overlap of operations still differs between runs.
  var seed = UInt64.random(in: 0..<1_000_000)
  /// The average number of operations that are started in a second.
  var pace = 8.0
  /// The number of tasks that run operations, one at a time each.
  let workers = 16

  /// The settings in `arguments`; `nil` when one of them is invalid.
  init?(_ arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let name = arguments.next() {
      guard let value = arguments.next() else { return nil }
      switch name {
      case "--minutes":
        guard let minutes = Double(value), minutes > 0, minutes < 100_000 else { return nil }
        self.minutes = minutes
      case "--seed":
        guard let seed = UInt64(value) else { return nil }
        self.seed = seed
      case "--pace":
        guard let pace = Double(value), pace > 0, pace < 10_000 else { return nil }
        self.pace = pace
      default: return nil
      }
    }
  }

  /// The duration of the run.
  var duration: Duration { .seconds(minutes * 60) }
  /// The time for which one client is used before it is closed and replaced. Memory is compared only after the first ``Meter/warmUp``
  /// clients, so that even a short run has some more.
  var epoch: Duration { min(.seconds(120), duration / (Meter.warmUp + 4)) }
}
