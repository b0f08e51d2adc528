import Synchronization

/// What turned out to be wrong. Each is printed when it is found.
final class Findings: Sendable {
  /// The most that are printed; a broken run finds the same again and again.
  private static let limit = 40

  private let seed: UInt64
  private let number = Atomic(0)

  init(seed: UInt64) {
    self.seed = seed
  }

  /// How many there are so far.
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
