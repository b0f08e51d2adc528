internal import AnvilBase

/// A parsed regular expression of ECMA-262 with the flag `u`, as used in schemas.
///
/// It is matched by ``PatternMatcher``. Backreferences, look-behind and inline flags such as `(?i:` are not supported. JSON Schema
/// recommends a subset without them, and without backreferences a pattern is matched in linear time. Source: JSON Schema Core 2020-12 §6.4.
struct SchemaPattern {
  struct Failure: Error {
    let reason: String
  }

  /// The maximum number of instructions of a pattern, with its counted repetitions expanded.
  static let mostInstructions = 1 << 18

  let root: PatternNode
  /// The look-aheads by their numbers. A nested look-ahead comes before the one that contains it.
  let lookaheads: [PatternLookahead]
  let sets: [PatternSet]

  /// Parses an expression of ECMA-262, or of I-Regexp if `isInteroperable`. If `isWhole` is true, it must match a whole text.
  ///
  /// - Complexity: O(*n*), *n* the length of `text`, regardless of the bounds of its repetitions.
  init(_ text: String, isInteroperable: Bool = false, isWhole: Bool = false) throws(Failure) {
    var parser = PatternParser(text, isInteroperable: isInteroperable)
    let parsed = try parser.parse()
    root = isWhole ? .sequence([.assertion(.start), parsed, .assertion(.end)]) : parsed
    (lookaheads, sets) = (parser.lookaheads, parser.sets)
    guard instructionCount <= Self.mostInstructions else {
      throw Failure(
        reason: "a regular expression whose repetitions expand to more than \(Self.mostInstructions) steps")
    }
  }

  private var instructionCount: Int {
    ([root] + lookaheads.map(\.body)).reduce(0) { $0.saturatingSum($1.instructionCount).saturatingSum(1) }
  }
}

indirect enum PatternNode {
  case scalar(Unicode.Scalar)
  case set(Int)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// Whether it is lazy does not matter, because only whether the pattern matches is of interest. `most` is `nil` without a limit.
  case repetition(PatternNode, least: Int, most: Int?)
  case lookahead(Int)

  /// The maximum number of instructions; `Int.max` on overflow.
  var instructionCount: Int {
    switch self {
    case .scalar, .set, .assertion, .lookahead: 1
    case .sequence(let nodes): nodes.reduce(0) { $0.saturatingSum($1.instructionCount) }
    case .choice(let nodes): nodes.reduce(0) { $0.saturatingSum($1.instructionCount).saturatingSum(2) }
    case .repetition(let body, let least, let most): Self.instructionCount(repeating: body, least, most)
    }
  }

  /// Each optional copy of `body` also needs a split. An unlimited repetition has one optional copy, which is executed in a loop.
  private static func instructionCount(repeating body: PatternNode, _ least: Int, _ most: Int?) -> Int {
    // Each copy of an empty body also takes time to compile.
    let count = max(body.instructionCount, 1)
    let optional = count.saturatingSum(1).saturatingProduct(most.map { $0 - least } ?? 1)
    return count.saturatingProduct(least).saturatingSum(optional).saturatingSum(1)
  }
}

/// A look-ahead: `(?=…)` or `(?!…)`.
struct PatternLookahead {
  let body: PatternNode
  let isNegative: Bool
}

enum PatternAssertion {
  case start
  case end
  case wordBoundary
  case noWordBoundary

  /// Returns whether the condition holds before the scalar at `position`.
  func holds(at position: Int, in text: [UInt32]) -> Bool {
    switch self {
    case .start: position == 0
    case .end: position == text.count
    case .wordBoundary: Self.isWord(position - 1, text) != Self.isWord(position, text)
    case .noWordBoundary: Self.isWord(position - 1, text) == Self.isWord(position, text)
    }
  }

  private static func isWord(_ position: Int, _ text: [UInt32]) -> Bool {
    guard text.indices.contains(position), let byte = UInt8(exactly: text[position]) else { return false }
    return byte.isLetter || byte.isDigit || byte == .underscore
  }
}

struct PatternProgram {
  enum Instruction {
    case scalar(UInt32)
    case set(UInt32)
    /// Continues at both instructions.
    case split(UInt32, UInt32)
    case jump(UInt32)
    case assertion(PatternAssertion)
    case lookahead(UInt32)
    case match
  }

  private(set) var instructions: [Instruction] = []
  /// True if the text is read from its end to its start.
  let isReversed: Bool

  /// Creates the program for `node`, which must not need more than ``SchemaPattern/mostInstructions``.
  init(_ node: PatternNode, isReversed: Bool = false) {
    self.isReversed = isReversed
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
    case .repetition(let body, let least, let most): emit(repeating: body, least, most)
    case .lookahead(let number): instructions.append(.lookahead(UInt32(number)))
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

  private mutating func emit(repeating body: PatternNode, _ least: Int, _ most: Int?) {
    for _ in 0..<least { emit(body) }
    guard let most else {
      let split = instructions.count
      instructions.append(.split(0, 0))
      emit(body)
      instructions.append(.jump(UInt32(split)))
      instructions[split] = .split(UInt32(split + 1), next)
      return
    }
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(instructions.count)
      instructions.append(.split(0, 0))
      emit(body)
    }
    for split in splits { instructions[split] = .split(UInt32(split + 1), next) }
  }
}

extension Int {
  fileprivate func saturatingSum(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }

  fileprivate func saturatingProduct(_ other: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? .max : product
  }
}
