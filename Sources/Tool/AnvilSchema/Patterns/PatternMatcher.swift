/// A compiled regular expression.
///
/// A pattern without references is matched in linear time by simulating an automaton (``PatternSimulation``). A pattern
/// with references may have to backtrack (``PatternBacktracking``). Both count their work and stop when it exceeds a
/// limit.
struct PatternMatcher {
  private let program: PatternProgram
  private let lookaheads: [(program: PatternProgram, isNegative: Bool)]
  private let sets: [PatternSet]
  private let groupCount: Int
  private let hasReferences: Bool

  init(_ pattern: SchemaPattern) {
    hasReferences = !pattern.references.isEmpty
    let references = hasReferences ? pattern.references : nil
    sets = pattern.sets
    groupCount = pattern.groupCount
    var markCount = 0
    var lookaheads: [(PatternProgram, Bool)] = []
    for lookahead in pattern.lookaheads {
      let program = PatternProgram(
        lookahead.body, isReversed: !hasReferences, references: references, markCount: markCount)
      markCount = program.markCount
      lookaheads.append((program, lookahead.isNegative))
    }
    self.lookaheads = lookaheads
    program = PatternProgram(pattern.root, references: references, markCount: markCount)
  }

  /// The number of instructions. The memory that the matcher uses is proportional to it.
  var size: Int { lookaheads.reduce(program.instructions.count) { $0 + $1.program.instructions.count } }

  /// Returns whether the pattern matches somewhere in `text`.
  ///
  /// - Parameter work: The work that may still be done. It is reduced by the work of this call.
  /// - Throws: ``PatternWork/Exhausted`` if the work was not enough.
  /// - Complexity: O(*n* · *m*), *n* the number of scalars, *m* ``size``. With references, it is limited only by
  ///   `work`.
  func matches(_ text: String, _ work: inout PatternWork) throws(PatternWork.Exhausted) -> Bool {
    let scalars = text.unicodeScalars.map(\.value)
    if hasReferences {
      var backtracking = PatternBacktracking(
        program: program, lookaheads: lookaheads, sets: sets, groupCount: groupCount, text: scalars)
      return try backtracking.matches(&work)
    }
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
  /// The error if no work or no time remains.
  struct Exhausted: Error {}

  /// The number of instructions between two readings of the clock.
  private static let interval = 1 << 18

  private(set) var remaining: Int
  private let deadline: CheckDeadline?
  /// The remaining work at which the clock is read; 0 if there is no deadline.
  private var checkpoint = 0

  init(_ remaining: Int, until deadline: CheckDeadline? = nil) {
    self.remaining = remaining
    self.deadline = deadline
    if deadline != nil { checkpoint = max(remaining - Self.interval, 0) }
  }

  mutating func take(_ amount: Int = 1) throws(Exhausted) {
    remaining -= amount
    if remaining < checkpoint { try pause() }
    guard remaining >= 0 else { throw Exhausted() }
  }

  private mutating func pause() throws(Exhausted) {
    if deadline?.hasPassed == true { throw Exhausted() }
    checkpoint = max(remaining - Self.interval, 0)
  }
}
