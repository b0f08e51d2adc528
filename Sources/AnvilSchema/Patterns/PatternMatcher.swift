/// A regular expression that is ready to be matched.
///
/// One without references takes time that is linear in the length of the text, whatever it is: it is matched by simulating an
/// automaton (``PatternSimulation``). One with references may have to backtrack (``PatternBacktracking``). Both count their
/// work, and give up when there is too much.
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

  /// The number of instructions, which the memory that the matcher takes is proportional to.
  var size: Int { lookaheads.reduce(program.instructions.count) { $0 + $1.program.instructions.count } }

  /// Whether the pattern matches somewhere in `text`.
  ///
  /// - Parameter work: how much may be done, of which what is done is taken off.
  /// - Throws: ``PatternWork/Exhausted`` when it was not enough.
  /// - Complexity: O(*n* · *m*), *n* the number of scalars, *m* ``size``; with references limited by `work` only.
  func matches(_ text: String, _ work: inout PatternWork) throws(PatternWork.Exhausted) -> Bool {
    let scalars = text.unicodeScalars.map(\.value)
    if hasReferences {
      var backtracking = PatternBacktracking(
        program: program, lookaheads: lookaheads, sets: sets, groupCount: groupCount, text: scalars)
      return try backtracking.matches(&work)
    }
    // Where each look-ahead holds, those first that others depend on.
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

/// How much work matching may do: instructions that are looked at.
struct PatternWork {
  /// There was more to do.
  struct Exhausted: Error {}

  private(set) var remaining: Int

  init(_ remaining: Int) { self.remaining = remaining }

  mutating func take(_ amount: Int = 1) throws(Exhausted) {
    remaining -= amount
    guard remaining >= 0 else { throw Exhausted() }
  }
}
