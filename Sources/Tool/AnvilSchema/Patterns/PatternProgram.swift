/// The instructions of a regular expression or of one of its look-aheads.
struct PatternProgram {
  enum Instruction {
    /// Matches one character.
    case scalar(UInt32)
    case set(UInt32)
    /// Tries to continue at the first instruction, then at the second.
    case split(UInt32, UInt32)
    case jump(UInt32)
    case assertion(PatternAssertion)
    case lookahead(UInt32)
    case match
    /// Stores the current position in a slot, as the start or the end of a group.
    case save(UInt32)
    /// Clears the stored positions of the groups from the first number up to, but not including, the second.
    case clear(UInt32, UInt32)
    /// Matches the same text that the group with this number has matched.
    case reference(UInt32)
    /// Stores the position as the start of an iteration. ``check(_:)`` fails if the iteration matched no text.
    case mark(UInt32)
    case check(UInt32)
  }

  private(set) var instructions: [Instruction] = []
  /// The number of slots for ``Instruction/mark(_:)``, including those of earlier programs.
  private(set) var markCount: Int
  /// True if the text is read from its end to its start.
  let isReversed: Bool
  private let references: [Int]?

  /// Creates the program for `node`, which must not need more than ``SchemaPattern/mostInstructions``.
  ///
  /// - Parameters:
  ///   - references: The group that each reference names; `nil` to leave out the instructions that only references
  ///     need.
  ///   - markCount: The number of mark slots that earlier programs of the same pattern use.
  init(_ node: PatternNode, isReversed: Bool = false, references: [Int]?, markCount: Int = 0) {
    self.isReversed = isReversed
    self.references = references
    self.markCount = markCount
    emit(node)
    instructions.append(.match)
  }

  private var next: UInt32 { UInt32(instructions.count) }

  private mutating func emit(_ node: PatternNode) {
    switch node {
    case .scalar(let scalar): instructions.append(.scalar(scalar.value))
    case .set(let number): instructions.append(.set(UInt32(number)))
    case .assertion(let assertion): instructions.append(.assertion(assertion))
    case .sequence(let nodes):
      if isReversed { for node in nodes.reversed() { emit(node) } } else { for node in nodes { emit(node) } }
    case .choice(let nodes): emit(choice: nodes)
    case .group(let body, let number):
      if references != nil { instructions.append(.save(UInt32(2 * number))) }
      emit(body)
      if references != nil { instructions.append(.save(UInt32(2 * number + 1))) }
    case .repetition(let repetition): emit(repetition)
    case .lookahead(let number): instructions.append(.lookahead(UInt32(number)))
    case .reference(let number):
      if let references { instructions.append(.reference(UInt32(references[number]))) }
    }
  }

  private mutating func emit(choice nodes: [PatternNode]) {
    var jumps: [Int] = []
    for (number, node) in nodes.enumerated() {
      guard number < nodes.count - 1 else {
        emit(node)
        continue
      }
      let split = instructions.count
      instructions.append(.split(next + 1, 0))
      emit(node)
      jumps.append(instructions.count)
      instructions.append(.jump(0))
      instructions[split] = .split(UInt32(split + 1), next)
    }
    for jump in jumps { instructions[jump] = .jump(next) }
  }

  private mutating func emit(_ repetition: PatternRepetition) {
    for _ in 0..<repetition.least { emitIteration(of: repetition, isOptional: false) }
    guard let most = repetition.most else {
      let split = instructions.count
      instructions.append(.split(0, 0))
      emitIteration(of: repetition, isOptional: true)
      instructions.append(.jump(UInt32(split)))
      instructions[split] = Self.split(into: UInt32(split + 1), pastTo: next, repetition)
      return
    }
    var splits: [Int] = []
    for _ in repetition.least..<most {
      splits.append(instructions.count)
      instructions.append(.split(0, 0))
      emitIteration(of: repetition, isOptional: true)
    }
    for split in splits { instructions[split] = Self.split(into: UInt32(split + 1), pastTo: next, repetition) }
  }

  private static func split(into body: UInt32, pastTo end: UInt32, _ repetition: PatternRepetition) -> Instruction {
    repetition.isGreedy ? .split(body, end) : .split(end, body)
  }

  /// Emits one iteration of a repetition. It begins by clearing the groups in its body. An optional iteration must match some text. Source:
  /// ECMA-262, RepeatMatcher.
  private mutating func emitIteration(of repetition: PatternRepetition, isOptional: Bool) {
    guard references != nil else { return emit(repetition.body) }
    if !repetition.groups.isEmpty {
      instructions.append(.clear(UInt32(repetition.groups.lowerBound), UInt32(repetition.groups.upperBound)))
    }
    guard isOptional else { return emit(repetition.body) }
    let mark = UInt32(markCount)
    markCount += 1
    instructions.append(.mark(mark))
    emit(repetition.body)
    instructions.append(.check(mark))
  }
}
