/// A simulation of a program as an automaton that is in several states at once.
///
/// Source: Thompson, Regular Expression Search Algorithm (1968), with Pike's list of threads.
struct PatternSimulation {
  let program: PatternProgram
  let sets: [PatternSet]
  /// The result of each look-ahead, by its number and the position in the text.
  let holding: [[Bool]]
  let text: [UInt32]
  /// The instructions that can read the next character.
  private var waiting: [UInt32] = []
  /// The instructions that could read the previous character.
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

  /// Runs the program from every position of the text. Calls `found` with each position at which a match ends, until `found` returns
  /// `false`.
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

  /// Runs the instructions on the stack, and the program from its start, until each thread needs a character. Returns
  /// whether a thread reached the end of the program.
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
      // Programs without references do not contain these instructions.
      case .save, .clear, .reference, .mark, .check: stack.append(instruction + 1)
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
