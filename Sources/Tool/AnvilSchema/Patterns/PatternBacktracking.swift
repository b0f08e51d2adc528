/// A backtracking matcher for patterns with back references.
struct PatternBacktracking {
  /// An instruction that is tried at a position of the text if the current attempt fails.
  private struct Choice {
    let instruction: UInt32
    let place: Int
    let changeCount: Int
  }

  /// The value of a slot before a change.
  private struct Change {
    let slot: Int
    let value: Int
  }

  private static let none = -1
  /// The maximum number of choices, and of changes. It limits memory to about 50 MB.
  private static let mostEntries = 1 << 20

  let program: PatternProgram
  let lookaheads: [(program: PatternProgram, isNegative: Bool)]
  let sets: [PatternSet]
  let text: [UInt32]
  /// The starts and ends of groups, followed by the starts of iterations.
  private var slots: [Int]
  private let firstMark: Int
  private var choices: [Choice] = []
  private var changes: [Change] = []

  init(
    program: PatternProgram, lookaheads: [(program: PatternProgram, isNegative: Bool)], sets: [PatternSet],
    groupCount: Int, text: [UInt32]
  ) {
    self.program = program
    self.lookaheads = lookaheads
    self.sets = sets
    self.text = text
    firstMark = 2 * (groupCount + 1)
    slots = [Int](repeating: Self.none, count: firstMark + program.markCount)
  }

  /// Returns whether the pattern matches somewhere in the text.
  mutating func matches(_ work: inout PatternWork) throws(PatternWork.Exhausted) -> Bool {
    try work.take(slots.count / 16)
    for start in 0...text.count {
      if try matches(program, at: start, &work) { return true }
      undo(to: 0)
    }
    return false
  }

  /// Returns whether `program` matches at `start`. The slots keep the values of the match.
  private mutating func matches(
    _ program: PatternProgram, at start: Int, _ work: inout PatternWork
  ) throws(PatternWork.Exhausted) -> Bool {
    let floor = choices.count
    defer { choices.removeSubrange(floor...) }
    var instruction: UInt32 = 0
    var place = start
    while true {
      try work.take()
      var isMatching = true
      switch program.instructions[Int(instruction)] {
      case .match: return true
      case .split(let first, let second):
        choices.append(Choice(instruction: second, place: place, changeCount: changes.count))
        guard choices.count < Self.mostEntries, changes.count < Self.mostEntries else { throw PatternWork.Exhausted() }
        instruction = first
        continue
      case .jump(let target):
        instruction = target
        continue
      case .scalar(let scalar):
        isMatching = place < text.count && text[place] == scalar
        place += 1
      case .set(let number):
        isMatching = place < text.count && sets[Int(number)].contains(text[place])
        place += 1
      case .assertion(let assertion): isMatching = assertion.holds(at: place, in: text)
      case .lookahead(let number): isMatching = try holds(Int(number), at: place, &work)
      case .save(let slot): set(Int(slot), place)
      case .clear(let first, let end):
        try work.take(Int(end - first))
        for slot in 2 * Int(first)..<2 * Int(end) where slots[slot] != Self.none { set(slot, Self.none) }
      case .reference(let group):
        if let length = try repeats(Int(group), at: place, &work) { place += length } else { isMatching = false }
      case .mark(let number): set(firstMark + Int(number), place)
      case .check(let number): isMatching = slots[firstMark + Int(number)] != place
      }
      instruction += 1
      guard !isMatching else { continue }
      guard choices.count > floor, let choice = choices.popLast() else { return false }
      undo(to: choice.changeCount)
      (instruction, place) = (choice.instruction, choice.place)
    }
  }

  private mutating func holds(
    _ number: Int, at place: Int, _ work: inout PatternWork
  ) throws(PatternWork.Exhausted) -> Bool {
    let (program, isNegative) = lookaheads[number]
    let changeCount = changes.count
    let isMatch = try matches(program, at: place, &work)
    if isNegative || !isMatch { undo(to: changeCount) }
    return isMatch != isNegative
  }

  /// Returns the length of the group's text if the same text follows at `place`, otherwise `nil`. Returns 0 if the group has not matched.
  private func repeats(
    _ group: Int, at place: Int, _ work: inout PatternWork
  ) throws(PatternWork.Exhausted) -> Int? {
    let (start, end) = (slots[2 * group], slots[2 * group + 1])
    guard start != Self.none, end >= start else { return 0 }
    try work.take((end - start) / 16)
    guard end - start <= text.count - place else { return nil }
    return text[start..<end] == text[place..<(place + end - start)] ? end - start : nil
  }

  private mutating func set(_ slot: Int, _ value: Int) {
    changes.append(Change(slot: slot, value: slots[slot]))
    slots[slot] = value
  }

  private mutating func undo(to count: Int) {
    while changes.count > count, let change = changes.popLast() { slots[change.slot] = change.value }
  }
}

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
