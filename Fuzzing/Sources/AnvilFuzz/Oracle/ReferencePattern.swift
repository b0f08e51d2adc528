/// A regular expression of a small language, matched by trying: literals, `.`, classes, groups, alternatives and repetitions.
struct ReferencePattern {
  private indirect enum Node {
    case scalars(Set<Unicode.Scalar>, isNegated: Bool)
    case start, end
    case sequence([Node])
    case choice([Node])
    case repeated(Node, least: Int, most: Int)
  }

  private static let stepLimit = 20_000
  private static let lineEnds: Set<Unicode.Scalar> = ["\n", "\r", "\u{2028}", "\u{2029}"]

  private var rest: ArraySlice<Unicode.Scalar>
  private var root = Node.sequence([])

  /// Parses an expression; `nil` if it is not in the language.
  init?(_ pattern: String) {
    rest = Array(pattern.unicodeScalars)[...]
    guard let root = choice(depth: 0), rest.isEmpty else { return nil }
    self.root = root
  }

  /// Returns `true` if the expression matches anywhere in `text`, and `nil` after too many steps.
  func matches(_ text: String) -> Bool? {
    let scalars = Array(text.unicodeScalars)
    var steps = 0
    for start in 0...scalars.count {
      let isMatch = Self.match(root, scalars, start, &steps) { _, _ in true }
      if steps > Self.stepLimit { return nil }
      if isMatch { return true }
    }
    return false
  }

  private static func match(
    _ node: Node, _ text: [Unicode.Scalar], _ at: Int, _ steps: inout Int, _ next: (Int, inout Int) -> Bool
  ) -> Bool {
    steps += 1
    guard steps <= stepLimit else { return false }
    switch node {
    case .scalars(let scalars, let isNegated):
      return at < text.count && scalars.contains(text[at]) != isNegated && next(at + 1, &steps)
    case .start: return at == 0 && next(at, &steps)
    case .end: return at == text.count && next(at, &steps)
    case .sequence(let nodes):
      guard let first = nodes.first else { return next(at, &steps) }
      return match(first, text, at, &steps) { match(.sequence(Array(nodes.dropFirst())), text, $0, &$1, next) }
    case .choice(let nodes):
      for node in nodes where match(node, text, at, &steps, next) { return true }
      return false
    case .repeated(let node, let least, let most):
      if most > 0 {
        let isMatch = match(node, text, at, &steps) { end, steps in
          // A repetition of the empty string changes nothing.
          guard end > at || least > 0 else { return false }
          return match(.repeated(node, least: max(0, least - 1), most: most - 1), text, end, &steps, next)
        }
        if isMatch { return true }
      }
      return least == 0 && next(at, &steps)
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func choice(depth: Int) -> Node? {
    guard depth < 8 else { return nil }
    var choices: [Node] = []
    repeat {
      var nodes: [Node] = []
      while let scalar = rest.first, scalar != "|", scalar != ")" {
        guard let node = element(depth: depth) else { return nil }
        nodes.append(node)
      }
      choices.append(.sequence(nodes))
    } while take("|")
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func element(depth: Int) -> Node? {
    guard let scalar = rest.popFirst() else { return nil }
    var node: Node
    switch scalar {
    case "^": return .start
    case "$": return .end
    case ".": node = .scalars(Self.lineEnds, isNegated: true)
    case "(":
      if take("?") { guard take(":") else { return nil } }
      guard let inner = choice(depth: depth + 1), take(")") else { return nil }
      node = inner
    case "[":
      let isNegated = take("^")
      var scalars: Set<Unicode.Scalar> = []
      while !take("]") {
        guard let first = rest.popFirst(), isPlain(first) else { return nil }
        guard take("-") else {
          scalars.insert(first)
          continue
        }
        guard let last = rest.popFirst(), isPlain(last), first <= last else { return nil }
        for value in first.value...last.value { scalars.insert(Unicode.Scalar(UInt8(value))) }
      }
      node = .scalars(scalars, isNegated: isNegated)
    default:
      guard isPlain(scalar) else { return nil }
      node = .scalars([scalar], isNegated: false)
    }
    if take("*") {
      node = .repeated(node, least: 0, most: .max)
    } else if take("+") {
      node = .repeated(node, least: 1, most: .max)
    } else if take("?") {
      return .repeated(node, least: 0, most: 1)
    } else {
      return node
    }
    // Greedy and lazy quantifiers match the same texts.
    _ = take("?")
    return node
  }

  private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == " "
  }
}
