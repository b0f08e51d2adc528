// The fuzzer is in another package and compiles the generator's file itself.
#if canImport(AnvilTestSupport)
import AnvilTestSupport
#endif

/// A generator of random values that are the same in each run. It takes its choices from the given bytes first, so that
/// a fuzzer can determine the values.
struct RandomSource: RandomNumberGenerator {
  private var generator: SeededGenerator
  private var bytes: ArraySlice<UInt8> = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Each byte determines one choice. The number of bytes is the seed of all other choices.
  init(bytes: some Sequence<UInt8>) {
    self.bytes = ArraySlice(bytes)
    generator = SeededGenerator(seed: UInt64(self.bytes.count))
  }

  mutating func next() -> UInt64 {
    if let byte = bytes.popFirst() { return UInt64(byte) &* 0x0101_0101_0101_0101 }
    return generator.next()
  }

  /// A number below `bound`.
  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: (next() >> 11) % UInt64(max(1, bound))) }

  /// True once in `count` times.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of `choices`.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

  /// At most `limit` results of `make`.
  mutating func some<Element>(upTo limit: Int, _ make: (inout RandomSource) -> Element) -> [Element] {
    (0..<below(limit + 1)).map { _ in make(&self) }
  }

  /// The result of `make`, or `nil`.
  mutating func maybe<Wrapped>(_ make: (inout RandomSource) -> Wrapped) -> Wrapped? {
    oneIn(3) ? nil : make(&self)
  }
}

/// Plain values of every size.
extension RandomSource {
  mutating func bool() -> Bool { oneIn(2) }

  /// Any integer, small ones and those at the ends more often.
  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
    switch below(4) {
    case 0: pick([.min, .max, 0, 1])
    case 1: Value(truncatingIfNeeded: next())
    default: Value(truncatingIfNeeded: next() & 0x7F)
    }
  }

  /// Any finite double, short ones more often.
  mutating func double() -> Double {
    switch below(5) {
    case 0: return pick([0, -0.0, 1, 0.1, 1e22, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -1.5, 0x1p53])
    case 1:
      let double = Double(bitPattern: next())
      return double.isFinite ? double : 0
    case 2: return Double(below(1000))
    default: return Double(below(1_000_000)) / 1000
    }
  }

  /// A text with characters of all encoded lengths, and with characters that must be escaped.
  mutating func text() -> String {
    if oneIn(4) {
      let characters = some(upTo: 40) {
        $0.pick(["a", "Z", " ", "/", "\\", "\"", "\n", "\0", "\u{1F}", "\u{7F}", "é", "日", "😀"])
      }
      return characters.joined()
    }
    return pick([
      "", "a", "Ada", "grüße", "日本語", "😀", "\"quoted\"", "back\\slash", "a/b", "line\nbreak\ttab", "\u{1}\u{1F}\u{7F}",
      "0123456789abcdef", "a text that is longer than one vector of bytes, é and all", "e\u{301}", "\u{2028}", "null",
      "12",
      "true", "inf", "2026-11-21T08:00:00Z", "aGk=",
    ])
  }
}
