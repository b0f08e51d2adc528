/// A regular expression of ECMA-262 with the flag `u`, as schemas have it, that has been parsed.
///
/// It is matched by ``PatternMatcher``. Look-behind and the flags of `(?i:` are refused.
struct SchemaPattern {
  /// The reason why a text is not a regular expression, or not one that is supported.
  struct Failure: Error {
    let reason: String
  }

  /// The maximum number of instructions of a pattern, with its counted repetitions written out.
  static let mostInstructions = 1 << 18

  let root: PatternNode
  /// The look-aheads by their numbers, those within others before them.
  let lookaheads: [PatternLookahead]
  /// The sets of characters by their numbers.
  let sets: [PatternSet]
  /// The number of capturing groups.
  let groupCount: Int
  /// The group that each reference is to. With references matching may have to backtrack.
  let references: [Int]

  /// Parses `text`.
  ///
  /// - Throws: ``Failure`` when it is not a regular expression of ECMAScript with the flag `u`, or not supported.
  /// - Complexity: O(*n*), *n* the length of `text`, whatever the bounds of its repetitions are.
  init(_ text: String) throws(Failure) {
    var parser = PatternParser(text)
    root = try parser.parse()
    (lookaheads, sets, groupCount) = (parser.lookaheads, parser.sets, parser.groupCount)
    references = try parser.resolvedReferences()
    guard instructionCount <= Self.mostInstructions else {
      throw Failure(
        reason: "a regular expression whose repetitions, written out, have more than \(Self.mostInstructions) steps")
    }
  }

  /// The greatest number of instructions that the pattern may be compiled to; `Int.max` when it overflows.
  private var instructionCount: Int {
    ([root] + lookaheads.map(\.body)).reduce(0) {
      $0.saturatingSum($1.instructionCount(hasReferences: !references.isEmpty)).saturatingSum(1)
    }
  }
}

/// A part of a regular expression.
indirect enum PatternNode {
  case scalar(Unicode.Scalar)
  /// A character of the set with that number.
  case set(Int)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A capturing group with its number, counted from 1.
  case group(PatternNode, Int)
  case repetition(PatternRepetition)
  /// The look-ahead with that number.
  case lookahead(Int)
  /// The text of the group that the reference with that number is to.
  case reference(Int)

  /// The greatest number of instructions that the node may be compiled to; `Int.max` when it overflows.
  func instructionCount(hasReferences: Bool) -> Int {
    func total(_ nodes: [PatternNode], with others: Int) -> Int {
      nodes.reduce(0) { $0.saturatingSum($1.instructionCount(hasReferences: hasReferences)).saturatingSum(others) }
    }
    return switch self {
    case .scalar, .set, .assertion, .lookahead, .reference: 1
    case .sequence(let nodes): total(nodes, with: 0)
    case .choice(let nodes): total(nodes, with: 2)
    case .group(let body, _): total([body], with: hasReferences ? 2 : 0)
    case .repetition(let repetition):
      repetition.instructionCount(
        ofBody: repetition.body.instructionCount(hasReferences: hasReferences), hasReferences: hasReferences)
    }
  }
}

/// A part that is repeated.
struct PatternRepetition {
  let body: PatternNode
  let least: Int
  /// The maximum number of times; `nil` for no maximum.
  let most: Int?
  let isGreedy: Bool
  /// The capturing groups in ``body``.
  let groups: Range<Int>

  /// The number of copies of ``body`` behind those that there must be; without a maximum one, which is jumped back to.
  private var optionalCount: Int { most.map { $0 - least } ?? 1 }

  /// The number of instructions when one copy of the body has `count`: a copy may have a split, a mark and its check, and a
  /// clearing of groups around it.
  fileprivate func instructionCount(ofBody count: Int, hasReferences: Bool) -> Int {
    // An empty body takes a turn of compiling, too.
    let count = max(count, 1)
    let needed = count.saturatingSum(hasReferences ? 1 : 0).saturatingProduct(least)
    let optional = count.saturatingSum(hasReferences ? 4 : 1).saturatingProduct(optionalCount)
    return needed.saturatingSum(optional).saturatingSum(1)
  }
}

/// `(?=…)` or `(?!…)`.
struct PatternLookahead {
  let body: PatternNode
  let isNegative: Bool
}

/// A condition on a place in a text.
enum PatternAssertion {
  case start
  case end
  case wordBoundary
  case noWordBoundary

  /// Whether it holds before the scalar number `position` of `text`.
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
    return byte.isLetter || byte.isDecimal || byte == 0x5F
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
