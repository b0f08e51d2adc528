import AnvilTestSupport
import Synchronization

/// A generator of the soak test's random choices, which are the same for the same seed.
struct RandomSource: RandomNumberGenerator, Sendable {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func next() -> UInt64 { generator.next() }

  /// Returns a number below `bound`.
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &self) }

  /// Returns `true` once in `count` times.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// Returns a duration within `range` of milliseconds.
  mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(Int.random(in: range, using: &self))
  }

  /// Returns one of `choices`, each as often as its weight says.
  mutating func pick<Choice>(_ choices: [(weight: Int, choice: Choice)]) -> Choice {
    var rest = below(choices.reduce(0) { $0 + $1.weight })
    for (weight, choice) in choices {
      rest -= weight
      if rest < 0 { return choice }
    }
    return choices[0].choice
  }
}

/// A generator that several threads share.
final class SharedRandomSource: Sendable {
  private let source: Mutex<RandomSource>

  init(seed: UInt64) {
    source = Mutex(RandomSource(seed: seed))
  }

  /// Returns a generator of numbers that no other one returned by this function has.
  func fork() -> RandomSource {
    source.withLock { RandomSource(seed: $0.next()) }
  }
}
