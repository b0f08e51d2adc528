import Synchronization

/// The errors that the run has found. Each is printed immediately.
final class Findings: Sendable {
  /// The maximum number of printed findings, because a broken run repeats the same ones.
  private static let limit = 40

  private let seed: UInt64
  private let number = Atomic(0)

  init(seed: UInt64) {
    self.seed = seed
  }

  /// The number of findings so far.
  var count: Int { number.load(ordering: .relaxed) }

  /// Adds a finding.
  func add(_ text: String) {
    let number = number.add(1, ordering: .relaxed).newValue
    if number <= Self.limit { report("FINDING \(number) (seed \(seed)): \(text)") }
  }

  /// Adds a finding unless `condition` holds.
  func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
    if !condition { add(text()) }
  }
}
