internal import AnvilBase

/// A parsed regular expression of ECMA-262 with the flag `u`, as used in schemas.
///
/// It is matched by ``PatternMatcher``. Look-behind and inline flags such as `(?i:` are not supported.
struct SchemaPattern {
  /// An error for a text that is not a supported regular expression.
  struct Failure: Error {
    let reason: String
  }

  /// The maximum number of instructions of a pattern, with its counted repetitions expanded.
  static let mostInstructions = 1 << 18

  let root: PatternNode
  /// The look-aheads by their numbers. A nested look-ahead comes before the one that contains it.
  let lookaheads: [PatternLookahead]
  /// The character sets by their numbers.
  let sets: [PatternSet]
  /// The number of capturing groups.
  let groupCount: Int
  /// The group number for each reference. A pattern with references may have to backtrack.
  let references: [Int]

  /// Parses a regular expression.
  ///
  /// - Throws: ``Failure`` if `text` is not a regular expression of ECMAScript with the flag `u`, or is not supported.
  /// - Complexity: O(*n*), *n* the length of `text`, regardless of the bounds of its repetitions.
  init(_ text: String) throws(Failure) {
    try self.init(PatternParser(text), isWhole: false)
  }

  /// Parses an expression of I-Regexp. Source: RFC 9485.
  ///
  /// - Parameter isWhole: True if it must match a whole text.
  init(interoperable text: String, isWhole: Bool) throws(Failure) {
    try self.init(PatternParser(text, isInteroperable: true), isWhole: isWhole)
  }

  private init(_ newParser: PatternParser, isWhole: Bool) throws(Failure) {
    var parser = newParser
    let parsed = try parser.parse()
    root = isWhole ? .sequence([.assertion(.start), parsed, .assertion(.end)]) : parsed
    (lookaheads, sets, groupCount) = (parser.lookaheads, parser.sets, parser.groupCount)
    references = try parser.resolvedReferences()
    guard instructionCount <= Self.mostInstructions else {
      throw Failure(
        reason: "a regular expression whose repetitions expand to more than \(Self.mostInstructions) steps")
    }
  }

  /// The maximum number of instructions that the pattern can be compiled to; `Int.max` on overflow.
  private var instructionCount: Int {
    ([root] + lookaheads.map(\.body)).reduce(0) {
      $0.saturatingSum($1.instructionCount(hasReferences: !references.isEmpty)).saturatingSum(1)
    }
  }
}

/// A node in the syntax tree of a regular expression.
indirect enum PatternNode {
  case scalar(Unicode.Scalar)
  /// A character in the set with this number.
  case set(Int)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A capturing group and its number, counted from 1.
  case group(PatternNode, Int)
  case repetition(PatternRepetition)
  /// The look-ahead with this number.
  case lookahead(Int)
  /// The back reference with this number.
  case reference(Int)

  /// Returns the maximum number of instructions that the node can be compiled to; `Int.max` on overflow.
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

/// A repeated node.
struct PatternRepetition {
  let body: PatternNode
  let least: Int
  /// The maximum number of repetitions; `nil` if there is no limit.
  let most: Int?
  let isGreedy: Bool
  /// The numbers of the capturing groups in ``body``.
  let groups: Range<Int>

  /// The number of optional copies of ``body``. An unlimited repetition has one, which is executed in a loop.
  private var optionalCount: Int { most.map { $0 - least } ?? 1 }

  /// Returns the number of instructions if one copy of the body has `count` of them.
  ///
  /// A copy may also need a split, a mark with its check, and an instruction that clears groups.
  fileprivate func instructionCount(ofBody count: Int, hasReferences: Bool) -> Int {
    // Each copy of an empty body also takes time to compile.
    let count = max(count, 1)
    let needed = count.saturatingSum(hasReferences ? 1 : 0).saturatingProduct(least)
    let optional = count.saturatingSum(hasReferences ? 4 : 1).saturatingProduct(optionalCount)
    return needed.saturatingSum(optional).saturatingSum(1)
  }
}

/// A look-ahead: `(?=…)` or `(?!…)`.
struct PatternLookahead {
  let body: PatternNode
  let isNegative: Bool
}

/// A condition on a position in the text.
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
