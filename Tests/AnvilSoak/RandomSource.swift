import Synchronization

/// A generator of the same numbers for the same seed.
///
/// Source: SplitMix64, Steele et al., OOPSLA 2014.
struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed &>> 31
  }

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
