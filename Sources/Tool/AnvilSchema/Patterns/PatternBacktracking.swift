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
