/// A parser for the regular expressions of ECMA-262 with the flag `u`, without look-behind.
struct PatternParser {
  typealias Failure = SchemaPattern.Failure

  private static let longestPattern = 8192
  private static let deepestGroup = 64

  let scalars: [Unicode.Scalar]
  /// True if the dialect is I-Regexp (RFC 9485).
  let isInteroperable: Bool
  var next = 0
  private(set) var lookaheads: [PatternLookahead] = []
  private(set) var sets: [PatternSet] = []
  private(set) var groupCount = 0
  /// The parsed properties, by their escapes.
  var properties: [String: PatternProperty] = [:]
  private var groupNames: [String: Int] = [:]
  private var references: [PatternReference] = []
  private var depth = 0

  init(_ text: String, isInteroperable: Bool = false) {
    scalars = Array(text.unicodeScalars)
    self.isInteroperable = isInteroperable
  }

  var peek: Unicode.Scalar? { next < scalars.count ? scalars[next] : nil }

  mutating func take(_ text: String) -> Bool {
    guard scalars[next...].starts(with: text.unicodeScalars) else { return false }
    next += text.unicodeScalars.count
    return true
  }

  /// Parses the whole text.
  mutating func parse() throws(Failure) -> PatternNode {
    guard scalars.count <= Self.longestPattern else {
      throw Failure(reason: "a pattern of more than \(Self.longestPattern) characters")
    }
    let node = try choice()
    guard next == scalars.count else { throw Failure(reason: "a regular expression with an unmatched )") }
    return node
  }

  /// Returns the group number for each reference, in the order of the references.
  func resolvedReferences() throws(Failure) -> [Int] {
    var numbers: [Int] = []
    for reference in references {
      switch reference {
      case .number(let number, let text):
        guard let number, number <= groupCount else {
          throw Failure(reason: "a regular expression with \\\(text), which refers to no group")
        }
        numbers.append(number)
      case .name(let name):
        guard let number = groupNames[name] else {
          throw Failure(reason: "a regular expression with \\k<\(name)>, which refers to no group")
        }
        numbers.append(number)
      }
    }
    return numbers
  }

  /// Parses alternatives up to the end of the text or `)`.
  private mutating func choice() throws(Failure) -> PatternNode {
    var choices: [PatternNode] = []
    var nodes: [PatternNode] = []
    /// The numbers of the groups inside the last node; `nil` if the last node cannot be followed by a quantifier.
    var repeatable: Range<Int>?
    while let scalar = peek, scalar != ")" {
      next += 1
      let firstGroup = groupCount + 1
      repeatable = repeatable.map { $0.lowerBound..<firstGroup }
      switch scalar {
      case "|":
        choices.append(.sequence(nodes))
        nodes = []
        repeatable = nil
        continue
      case "^", "$":
        nodes.append(.assertion(scalar == "^" ? .start : .end))
        repeatable = nil
        continue
      case "*", "+", "?", "{":
        guard let groups = repeatable, let body = nodes.popLast() else {
          throw Failure(reason: "a regular expression with nothing to repeat before \(scalar)")
        }
        nodes.append(.repetition(try repetition(of: body, groups: groups, scalar)))
        repeatable = nil
        continue
      case "(": nodes.append(try group())
      case "[": nodes.append(.set(add(try characterClass())))
      case ".":
        let lineEnds = isInteroperable ? PatternSet.interoperableLineEnds : PatternSet.lineEnds
        nodes.append(.set(add(PatternSet(lineEnds, isNegated: true))))
      case "\\":
        let (node, isRepeatable) = try escape()
        nodes.append(node)
        guard isRepeatable else {
          repeatable = nil
          continue
        }
      case "]", "}": throw Failure(reason: "a regular expression with \(scalar) that is not escaped")
      default: nodes.append(.scalar(scalar))
      }
      repeatable = firstGroup..<(groupCount + 1)
    }
    choices.append(.sequence(nodes))
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  /// Parses a group after its `(`, including the closing `)`.
  private mutating func group() throws(Failure) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepestGroup else {
      throw Failure(reason: "more than \(Self.deepestGroup) nested groups")
    }
    guard take("?") else { return try capturingGroup() }
    if take(":") { return try groupBody() }
    for kind in ["=", "!"] where take(kind) {
      let body = try groupBody()
      lookaheads.append(PatternLookahead(body: body, isNegative: kind == "!"))
      return .lookahead(lookaheads.count - 1)
    }
    if take("<=") || take("<!") {
      throw Failure(reason: "a regular expression with look-behind, which is not supported")
    }
    guard take("<"), let name = name() else {
      throw Failure(reason: "a regular expression with a group of an unknown kind")
    }
    guard groupNames.updateValue(groupCount + 1, forKey: name) == nil else {
      throw Failure(reason: "a regular expression with two groups named \(name)")
    }
    return try capturingGroup()
  }

  private mutating func capturingGroup() throws(Failure) -> PatternNode {
    groupCount += 1
    let number = groupCount
    return .group(try groupBody(), number)
  }

  private mutating func groupBody() throws(Failure) -> PatternNode {
    let body = try choice()
    guard take(")") else { throw Failure(reason: "a regular expression with an unmatched (") }
    return body
  }

  /// Parses the name of a group, including the closing `>`.
  mutating func name() -> String? {
    let rest = scalars[next...]
    guard let first = rest.first, !("0"..."9").contains(first), let end = rest.firstIndex(of: ">"), end > next,
      rest[..<end].allSatisfy({ $0 == "_" || ($0.isASCII && $0.properties.isAlphabetic) || ("0"..."9").contains($0) })
    else { return nil }
    next = end + 1
    return rest[..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  mutating func add(_ set: PatternSet) -> Int {
    sets.append(set)
    return sets.count - 1
  }

  mutating func add(_ reference: PatternReference) -> PatternNode {
    references.append(reference)
    return .reference(references.count - 1)
  }

  private mutating func repetition(
    of body: PatternNode, groups: Range<Int>, _ scalar: Unicode.Scalar
  ) throws(Failure) -> PatternRepetition {
    let (least, most): (Int, Int?) =
      switch scalar {
      case "*": (0, nil)
      case "+": (1, nil)
      case "?": (0, 1)
      default: try bounds()
      }
    return PatternRepetition(body: body, least: least, most: most, isGreedy: !take("?"), groups: groups)
  }

  /// Parses the bounds of a repetition after `{`, including the closing `}`. A bound that does not fit into an `Int`
  /// becomes `Int.max`.
  private mutating func bounds() throws(Failure) -> (least: Int, most: Int?) {
    guard let end = scalars[next...].firstIndex(of: "}") else {
      throw Failure(reason: "a regular expression with { that is not escaped")
    }
    let text = scalars[next..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
    let bounds = text.split(separator: ",", omittingEmptySubsequences: false)
    guard bounds.count <= 2, let first = bounds.first, !first.isEmpty,
      bounds.allSatisfy({ $0.utf8.allSatisfy(\.isDecimal) })
    else { throw Failure(reason: "a regular expression with { that is not escaped") }
    let least = Int(first) ?? .max
    let most = bounds.count == 1 ? least : bounds[1].isEmpty ? nil : Int(bounds[1]) ?? .max
    guard least <= most ?? .max else {
      throw Failure(reason: "a regular expression with { that is not escaped")
    }
    next = end + 1
    return (least, most)
  }
}

/// An unresolved reference to a group, which may be defined later in the pattern.
enum PatternReference {
  /// A reference by number. The number is `nil` if its digits, `text`, do not fit into an `Int`.
  case number(Int?, text: String)
  case name(String)
}
