internal import AnvilJSON

extension JSONQueryParser {
  /// Parses a logical expression. `||` binds less tightly than `&&`, which binds less tightly than `!`.
  mutating func condition() throws(Malformed) -> JSONQuery.Condition {
    try list("||", JSONQuery.Condition.any) { parser throws(Malformed) in
      try parser.list("&&", JSONQuery.Condition.all) { parser throws(Malformed) in try parser.basic() }
    }
  }

  private mutating func list(
    _ separator: String, _ join: ([JSONQuery.Condition]) -> JSONQuery.Condition,
    _ parse: (inout JSONQueryParser) throws(Malformed) -> JSONQuery.Condition
  ) throws(Malformed) -> JSONQuery.Condition {
    var conditions = [try parse(&self)]
    while true {
      let end = position
      skipBlanks()
      guard take(separator) else {
        position = end
        return conditions.count == 1 ? conditions[0] : join(conditions)
      }
      skipBlanks()
      conditions.append(try parse(&self))
    }
  }

  private mutating func basic() throws(Malformed) -> JSONQuery.Condition {
    if take("!") {
      skipBlanks()
      let start = position
      let negated = next == "(" ? try parenthesized() : try test()
      if case .comparison = negated, scalars[start] != "(" {
        position = start
        throw malformed("a query, a function or parentheses after \"!\"")
      }
      return .not(negated)
    }
    return next == "(" ? try parenthesized() : try test()
  }

  private mutating func parenthesized() throws(Malformed) -> JSONQuery.Condition {
    try expect("(", "\"(\"")
    skipBlanks()
    let inner = try nested { parser throws(Malformed) in try parser.condition() }
    skipBlanks()
    try expect(")", "\")\"")
    return inner
  }

  /// Parses a comparison, a test for the existence of nodes, or a call of a function that returns true or false.
  private mutating func test() throws(Malformed) -> JSONQuery.Condition {
    let start = position
    let left = try term()
    let end = position
    skipBlanks()
    guard let comparison = takeComparison() else {
      position = end
      switch left {
      case .operand(let operand): return .exists(operand)
      case .condition(let condition): return condition
      case .comparand: throw Malformed(expected: "a comparison after the value", position: end)
      }
    }
    let leftValue = try comparand(left, at: start)
    skipBlanks()
    let rightStart = position
    return .comparison(leftValue, comparison, try comparand(try term(), at: rightStart))
  }

  private mutating func takeComparison() -> JSONQuery.Comparison? {
    for comparison in JSONQuery.Comparison.allCases where take(comparison.rawValue) { return comparison }
    return nil
  }

  /// An operand of a test. The next token decides how it is used.
  private enum Term {
    case operand(JSONQuery.Operand)
    case comparand(JSONQuery.Comparand)
    case condition(JSONQuery.Condition)
  }

  private func comparand(_ term: Term, at start: Int) throws(Malformed) -> JSONQuery.Comparand {
    switch term {
    case .comparand(let comparand): return comparand
    case .operand(let operand) where operand.query.isSingular: return .node(operand)
    case .operand: throw Malformed(expected: "a query that selects at most one value, in a comparison", position: start)
    case .condition: throw Malformed(expected: "a function that returns a value, in a comparison", position: start)
    }
  }

  private mutating func term() throws(Malformed) -> Term {
    switch next {
    case "@", "$": return .operand(try operand())
    case "'", "\"": return .comparand(.literal(JSON(try string())))
    case let scalar? where scalar == "-" || ("0"..."9").contains(scalar): return .comparand(.literal(try number()))
    default:
      let start = position
      let name = takeWord()
      if next == "(" { return try function(name, at: start) }
      switch name {
      case "true": return .comparand(.literal(true))
      case "false": return .comparand(.literal(false))
      case "null": return .comparand(.literal(nil))
      default: throw Malformed(expected: "\"@\", \"$\", a value or a function", position: start)
      }
    }
  }

  private mutating func takeWord() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = next,
      ("a"..."z").contains(scalar) || !word.isEmpty && (scalar == "_" || ("0"..."9").contains(scalar))
    {
      word.append(scalar)
      position += 1
    }
    return String(word)
  }

  private mutating func operand() throws(Malformed) -> JSONQuery.Operand {
    let start: JSONQuery.Operand.Start
    switch next {
    case "@": start = .current
    case "$":
      start = .root(rootCount)
      rootCount += 1
    default: throw malformed("a query")
    }
    position += 1
    return JSONQuery.Operand(
      start: start, query: JSONQuery(segments: try nested { parser throws(Malformed) in try parser.segments() }))
  }

  /// Parses a JSON number. Source: RFC 9535 §2.3.5.1.
  private mutating func number() throws(Malformed) -> JSON {
    let start = position
    while let scalar = next, ("0"..."9").contains(scalar) || "+-.eE".unicodeScalars.contains(scalar) { position += 1 }
    let text = String(String.UnicodeScalarView(scalars[start..<position]))
    guard let value = try? JSON(parsing: text) else {
      position = start
      throw malformed("a JSON number")
    }
    return value
  }

  /// Parses a call of the function `name` after its name. Its arguments and its use must have the right types. Source: RFC 9535 §2.4.
  private mutating func function(_ name: String, at start: Int) throws(Malformed) -> Term {
    guard ["length", "count", "value", "match", "search"].contains(name) else {
      throw Malformed(expected: "length, count, value, match or search", position: start)
    }
    try expect("(", "\"(\"")
    skipBlanks()
    let term: Term
    switch name {
    case "length": term = .comparand(.length(try valueArgument()))
    case "count": term = .comparand(.count(try operand()))
    case "value": term = .comparand(.value(try operand()))
    default:
      let text = try valueArgument()
      skipBlanks()
      try expect(",", "\",\" and a pattern")
      skipBlanks()
      term = .condition(.matches(text, pattern: try valueArgument(), isWhole: name == "match"))
    }
    skipBlanks()
    try expect(")", "\")\"")
    return term
  }

  private mutating func valueArgument() throws(Malformed) -> JSONQuery.Comparand {
    let start = position
    return try comparand(try nested { parser throws(Malformed) in try parser.term() }, at: start)
  }
}
