internal import AnvilJSON
internal import AnvilSchema
internal import Synchronization

extension JSONQuery.Condition {
  func holds(for node: JSON, _ run: JSONQueryRun) throws(JSONQuery.Exceeded) -> Bool {
    switch self {
    case .any(let conditions):
      for condition in conditions where try condition.holds(for: node, run) { return true }
      return false
    case .all(let conditions):
      for condition in conditions where try !condition.holds(for: node, run) { return false }
      return true
    case .not(let condition): return try !condition.holds(for: node, run)
    case .exists(let operand): return try !run.values(of: operand, for: node).isEmpty
    case .comparison(let left, let comparison, let right):
      return try comparison.holds(left.value(for: node, run), right.value(for: node, run), run)
    case .matches(let text, let pattern, let isWhole):
      return try Self.matches(text.value(for: node, run), pattern.value(for: node, run), isWhole: isWhole, run)
    }
  }

  /// Returns whether both are strings, and `text` matches the pattern. Source: RFC 9535 §2.4.6, §2.4.7.
  private static func matches(
    _ text: JSON?, _ pattern: JSON?, isWhole: Bool, _ run: JSONQueryRun
  ) throws(JSONQuery.Exceeded) -> Bool {
    guard let text = text?.string, let pattern = pattern?.string else { return false }
    try run.spend(1 + (text.utf8.count + pattern.utf8.count) / 16)
    let key = ExpressionKey(pattern: pattern, isWhole: isWhole)
    let most = run.instructions
    let (isMatch, rest) = expressions.withLock { expressions in
      var rest = most
      if let known = expressions[key] { return (known?.matches(text, instructions: &rest) == true, rest) }
      // Patterns can be values of the document.
      if expressions.count == 100 { expressions.removeAll() }
      let expression = IRegexp(pattern, isWhole: isWhole)
      expressions[key] = .some(expression)
      return (expression?.matches(text, instructions: &rest) == true, rest - (expression?.size ?? 0))
    }
    try run.spend(instructions: most - rest)
    return isMatch
  }

  private struct ExpressionKey: Hashable {
    let pattern: String
    let isWhole: Bool
  }

  private static let expressions = Mutex<[ExpressionKey: IRegexp?]>([:])
}

extension JSONQuery.Comparand {
  /// Returns the value; `nil` for the special result Nothing. Source: RFC 9535 §2.4.1.
  func value(for node: JSON, _ run: JSONQueryRun) throws(JSONQuery.Exceeded) -> JSON? {
    switch self {
    case .literal(let value): return value
    case .node(let operand): return try run.values(of: operand, for: node).first
    case .length(let comparand):
      switch try comparand.value(for: node, run) {
      case let value? where value.kind == .string:
        let text = value.string ?? ""
        try run.spend(1 + text.utf8.count / 64)
        return JSON(text.unicodeScalars.count)
      case let value? where value.kind == .array || value.kind == .object: return JSON(value.count)
      default: return nil
      }
    case .count(let operand): return JSON(try run.values(of: operand, for: node).count)
    case .value(let operand):
      let values = try run.values(of: operand, for: node)
      // Not `values[0]`: `nil` would then be a value of JSON.
      return values.count == 1 ? values.first : nil
    }
  }
}

extension JSONQuery.Comparison {
  /// Returns whether the comparison holds for two values. `nil` is the special result Nothing. Source: RFC 9535 §2.3.5.2.2.
  func holds(_ left: JSON?, _ right: JSON?, _ run: JSONQueryRun) throws(JSONQuery.Exceeded) -> Bool {
    switch self {
    case .equal: return try Self.isEqual(left, right, run)
    case .notEqual: return try !Self.isEqual(left, right, run)
    case .less: return try Self.isLess(left, right, run)
    case .greater: return try Self.isLess(right, left, run)
    case .lessOrEqual:
      if try Self.isLess(left, right, run) { return true }
      return try Self.isEqual(left, right, run)
    case .greaterOrEqual:
      if try Self.isLess(right, left, run) { return true }
      return try Self.isEqual(left, right, run)
    }
  }

  private static func isEqual(_ left: JSON?, _ right: JSON?, _ run: JSONQueryRun) throws(JSONQuery.Exceeded) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): try isEqual(left, right, run)
    default: false
    }
  }

  private static func isEqual(_ left: JSON, _ right: JSON, _ run: JSONQueryRun) throws(JSONQuery.Exceeded) -> Bool {
    try run.spend(1)
    switch left.kind {
    case right.kind where left.kind == .array && left.count != right.count: return false
    case right.kind:
      try run.spend(left.comparisonCost + right.comparisonCost)
      return left == right
    default: return false
    }
  }

  private static func spend(on left: String?, _ right: String?, _ run: JSONQueryRun) throws(JSONQuery.Exceeded) {
    try run.spend(((left?.utf8.count ?? 0) + (right?.utf8.count ?? 0)) / 64)
  }

  private static func isLess(_ left: JSON?, _ right: JSON?, _ run: JSONQueryRun) throws(JSONQuery.Exceeded) -> Bool {
    guard let left, let right else { return false }
    switch (left.kind, right.kind) {
    case (.number, .number):
      try spend(on: left.numberText, right.numberText, run)
      if let left = left.int, let right = right.int { return left < right }
      guard let left = left.numberText.flatMap(ExactNumber.init), let right = right.numberText.flatMap(ExactNumber.init)
      else { return false }
      return left < right
    case (.string, .string):
      guard let left = left.string, let right = right.string else { return false }
      try spend(on: left, right, run)
      return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: return false
    }
  }
}

extension JSON {
  /// The number of steps that comparing the value takes.
  fileprivate var comparisonCost: Int {
    switch kind {
    case .array: elements.reduce(count) { $0 + $1.comparisonCost }
    case .object: members.reduce(count) { $0 + $1.value.comparisonCost }
    case .string, .number: ((string ?? numberText)?.utf8.count ?? 0) / 64
    case .bool, .null: 0
    }
  }
}
