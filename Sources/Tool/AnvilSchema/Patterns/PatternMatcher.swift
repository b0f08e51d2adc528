internal import AnvilBase

/// A compiled regular expression, matched in linear time by simulating an automaton (``PatternSimulation``).
struct PatternMatcher {
  private let program: PatternProgram
  private let lookaheads: [(program: PatternProgram, isNegative: Bool)]
  private let sets: [PatternSet]

  init(_ pattern: SchemaPattern) {
    sets = pattern.sets
    lookaheads = pattern.lookaheads.map { (PatternProgram($0.body, isReversed: true), $0.isNegative) }
    program = PatternProgram(pattern.root)
  }

  /// The number of instructions. The memory that the matcher uses is proportional to it.
  var size: Int { lookaheads.reduce(program.instructions.count) { $0 + $1.program.instructions.count } }

  /// Returns whether the pattern matches somewhere in `text`, and reduces `work` by what was done.
  ///
  /// - Complexity: O(*n* · *m*), *n* the number of scalars, *m* ``size``.
  func matches(_ text: String, _ work: inout PatternWork) throws(PatternWork.Exhausted) -> Bool {
    let scalars = text.unicodeScalars.map(\.value)
    // The positions at which each look-ahead holds. A nested look-ahead comes before the one that contains it.
    var holding: [[Bool]] = []
    for (program, isNegative) in lookaheads {
      var places = [Bool](repeating: isNegative, count: scalars.count + 1)
      var simulation = PatternSimulation(program: program, sets: sets, holding: holding, text: scalars)
      try simulation.run(&work) { place in
        places[place] = !isNegative
        return true
      }
      holding.append(places)
    }
    var simulation = PatternSimulation(program: program, sets: sets, holding: holding, text: scalars)
    var isMatch = false
    try simulation.run(&work) { _ in
      isMatch = true
      return false
    }
    return isMatch
  }
}

/// The amount of work that matching may still do, in executed instructions, and the time at which it ends.
struct PatternWork {
  struct Exhausted: Error {}

  /// The number of instructions between two readings of the clock.
  private static let interval = 1 << 18

  private(set) var remaining: Int
  private let deadline: Deadline
  /// The remaining work at which the clock is read; 0 if there is no deadline.
  private var checkpoint = 0

  init(_ remaining: Int, until deadline: Deadline = .never) {
    self.remaining = remaining
    self.deadline = deadline
    if deadline.end != nil { checkpoint = max(remaining - Self.interval, 0) }
  }

  mutating func take(_ amount: Int = 1) throws(Exhausted) {
    remaining -= amount
    if remaining < checkpoint { try pause() }
    guard remaining >= 0 else { throw Exhausted() }
  }

  private mutating func pause() throws(Exhausted) {
    if deadline.hasPassed { throw Exhausted() }
    checkpoint = max(remaining - Self.interval, 0)
  }
}

/// A regular expression of I-Regexp, matched in linear time, with assertions and sets of ECMA-262 such as `^` and `\d`. Source: RFC 9485.
package struct IRegexp {
  private static let mostInstructions = 10_000

  private let matcher: PatternMatcher

  /// Returns `nil` if the expression is invalid or too large, or contains a look-ahead. If `isWhole` is true, it must match a whole text.
  package init?(_ text: String, isWhole: Bool) {
    guard let pattern = try? SchemaPattern(text, isInteroperable: true, isWhole: isWhole), pattern.lookaheads.isEmpty
    else {
      return nil
    }
    matcher = PatternMatcher(pattern)
    guard matcher.size <= Self.mostInstructions else { return nil }
  }

  /// Returns whether the expression matches `text`. Reduces `instructions` by those executed; if they were not enough, returns false.
  ///
  /// - Complexity: O(*n*), *n* the number of scalars of `text`.
  package func matches(_ text: String, instructions: inout Int) -> Bool {
    var work = PatternWork(instructions)
    defer { instructions = work.remaining }
    return (try? matcher.matches(text, &work)) == true
  }

  /// The number of instructions of the expression.
  package var size: Int { matcher.size }
}

struct PatternSet {
  /// The ranges in ascending order, without overlaps. Searching them takes a tenth of the time of `RangeSet.contains`.
  private let ranges: [Range<UInt32>]
  private let properties: [PatternProperty]
  private let isNegated: Bool

  init(_ scalars: RangeSet<UInt32>, properties: [PatternProperty] = [], isNegated: Bool = false) {
    ranges = Array(scalars.ranges)
    self.properties = properties
    self.isNegated = isNegated
  }

  /// Returns whether `scalar` is in the set.
  ///
  /// - Complexity: O(log *n*) in the number of ranges, and O(*m*) in the number of properties.
  func contains(_ scalar: UInt32) -> Bool {
    (hasRange(around: scalar) || properties.contains { $0.contains(scalar) }) != isNegated
  }

  private func hasRange(around scalar: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= scalar { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(scalar)
  }
}

extension RangeSet<UInt32> {
  static let everything = RangeSet(0...0x10FFFF)
  static let digits = RangeSet(0x30...0x39)
  static let wordCharacters = RangeSet(0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A)
  /// The characters that `\s` matches. Source: ECMA-262, CharacterClassEscape `s`: WhiteSpace and LineTerminator.
  static let spaces = RangeSet(
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF)
  static let lineEnds = RangeSet(0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029)
  /// The characters that `.` does not match. Source: RFC 9485 §5.3.
  static let interoperableLineEnds = RangeSet(0x0A...0x0A, 0x0D...0x0D)

  private init(_ ranges: ClosedRange<UInt32>...) { self.init(ranges.map { Range($0) }) }
}

/// A Unicode property, matched by Swift's `Regex`. It matches a single character, so that it cannot backtrack.
final class PatternProperty {
  private let regex: Regex<AnyRegexOutput>
  private var known: [UInt32: Bool] = [:]

  private static let mostKnown = 4096

  /// Compiles an escape such as `\p{Lu}` or `\P{Lu}`.
  init(_ text: String) throws(SchemaPattern.Failure) {
    do {
      regex = try Regex(text).matchingSemantics(.unicodeScalar)
    } catch {
      throw SchemaPattern.Failure(reason: "a regular expression that cannot be used: \(error)")
    }
  }

  func contains(_ value: UInt32) -> Bool {
    if let answer = known[value] { return answer }
    guard let scalar = Unicode.Scalar(value) else { return false }
    let answer = String(Character(scalar)).wholeMatch(of: regex) != nil
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[value] = answer
    return answer
  }
}

/// A simulation of a program as an automaton. Source: Thompson, Regular Expression Search Algorithm (1968), with Pike's list of threads.
struct PatternSimulation {
  let program: PatternProgram
  let sets: [PatternSet]
  /// The result of each look-ahead, by its number and the position in the text.
  let holding: [[Bool]]
  let text: [UInt32]
  private var waiting: [UInt32] = []
  private var candidates: [UInt32] = []
  /// For each instruction, the number of the last round that reached it, counted from 1. There is a round for each position of the text.
  private var reached: [Int]
  private var stack: [UInt32] = []

  init(program: PatternProgram, sets: [PatternSet], holding: [[Bool]], text: [UInt32]) {
    self.program = program
    self.sets = sets
    self.holding = holding
    self.text = text
    reached = [Int](repeating: 0, count: program.instructions.count)
  }

  /// Runs the program from every position of the text. Calls `found` with each end of a match until it returns `false`.
  mutating func run(
    _ work: inout PatternWork, found: (_ place: Int) -> Bool
  ) throws(PatternWork.Exhausted) {
    try work.take(program.instructions.count / 16)
    for round in 0...text.count {
      let place = program.isReversed ? text.count - round : round
      let isMatch = try start(at: place, round: round, &work)
      if isMatch, !found(place) { return }
      guard round < text.count else { return }
      let scalar = text[program.isReversed ? place - 1 : place]
      swap(&candidates, &waiting)
      waiting.removeAll(keepingCapacity: true)
      for instruction in candidates where accepts(instruction, scalar) { stack.append(instruction + 1) }
    }
  }

  /// Runs the waiting threads and a new one until each needs a character. Returns whether a thread reached the program's end.
  private mutating func start(
    at place: Int, round: Int, _ work: inout PatternWork
  ) throws(PatternWork.Exhausted) -> Bool {
    var isMatch = false
    stack.append(0)
    while let instruction = stack.popLast() {
      try work.take()
      guard reached[Int(instruction)] != round + 1 else { continue }
      reached[Int(instruction)] = round + 1
      switch program.instructions[Int(instruction)] {
      case .scalar, .set: waiting.append(instruction)
      case .split(let first, let second):
        stack.append(second)
        stack.append(first)
      case .jump(let target): stack.append(target)
      case .assertion(let assertion):
        if assertion.holds(at: place, in: text) { stack.append(instruction + 1) }
      case .lookahead(let number):
        if holding[Int(number)][place] { stack.append(instruction + 1) }
      case .match: isMatch = true
      }
    }
    return isMatch
  }

  private func accepts(_ instruction: UInt32, _ scalar: UInt32) -> Bool {
    switch program.instructions[Int(instruction)] {
    case .scalar(let wanted): wanted == scalar
    case .set(let number): sets[Int(number)].contains(scalar)
    default: false
    }
  }
}
