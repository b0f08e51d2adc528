internal import AnvilJSON
internal import AnvilSchema
internal import Synchronization

extension JSONQuery.Condition {
  /// Returns `true` if the condition holds for `node`, the current node `@`.
  func holds(for node: JSON, root: JSON) -> Bool {
    switch self {
    case .any(let conditions): conditions.contains { $0.holds(for: node, root: root) }
    case .all(let conditions): conditions.allSatisfy { $0.holds(for: node, root: root) }
    case .not(let condition): !condition.holds(for: node, root: root)
    case .exists(let operand): !operand.values(for: node, root: root).isEmpty
    case .comparison(let left, let comparison, let right):
      comparison.holds(left.value(for: node, root: root), right.value(for: node, root: root))
    case .matches(let text, let pattern, let isWhole):
      Self.matches(text.value(for: node, root: root), pattern.value(for: node, root: root), isWhole: isWhole)
    }
  }

  /// Returns whether `text` matches `pattern`. Returns `false` if one of them is not a string, or if the pattern is invalid. Source: RFC
  /// 9535 §2.4.6, §2.4.7.
  private static func matches(_ text: JSON?, _ pattern: JSON?, isWhole: Bool) -> Bool {
    guard let text = text?.string, let pattern = pattern?.string else { return false }
    let key = ExpressionKey(pattern: pattern, isWhole: isWhole)
    return expressions.withLock { expressions in
      if let expression = expressions[key] { return expression?.matches(text) == true }
      // Patterns can be values of the document.
      if expressions.count == 100 { expressions.removeAll() }
      let expression = IRegexp(pattern, isWhole: isWhole)
      expressions[key] = .some(expression)
      return expression?.matches(text) == true
    }
  }

  private struct ExpressionKey: Hashable {
    let pattern: String
    let isWhole: Bool
  }

  /// A cache of parsed patterns; the value is `nil` for an invalid pattern.
  private static let expressions = Mutex<[ExpressionKey: IRegexp?]>([:])
}

extension JSONQuery.Operand {
  func values(for node: JSON, root: JSON) -> [JSON] {
    query.values(from: start == .current ? node : root, root: root)
  }
}

extension JSONQuery.Comparand {
  /// Returns the value; `nil` for the special result Nothing. Source: RFC 9535 §2.4.1.
  func value(for node: JSON, root: JSON) -> JSON? {
    switch self {
    case .literal(let value): value
    case .node(let operand): operand.values(for: node, root: root).first
    case .length(let comparand):
      switch comparand.value(for: node, root: root) {
      case let value? where value.kind == .string: JSON(value.string?.unicodeScalars.count ?? 0)
      case let value? where value.kind == .array || value.kind == .object: JSON(value.count)
      default: nil
      }
    case .count(let operand): JSON(operand.values(for: node, root: root).count)
    case .value(let operand):
      switch operand.values(for: node, root: root) {
      case let values where values.count == 1: values[0]
      default: nil
      }
    }
  }
}

extension JSONQuery.Comparison {
  /// Returns whether the comparison holds for two values. `nil` is the special result Nothing. Source: RFC 9535 §2.3.5.2.2.
  func holds(_ left: JSON?, _ right: JSON?) -> Bool {
    switch self {
    case .equal: Self.isEqual(left, right)
    case .notEqual: !Self.isEqual(left, right)
    case .less: Self.isLess(left, right)
    case .greater: Self.isLess(right, left)
    case .lessOrEqual: Self.isLess(left, right) || Self.isEqual(left, right)
    case .greaterOrEqual: Self.isLess(right, left) || Self.isEqual(left, right)
    }
  }

  private static func isEqual(_ left: JSON?, _ right: JSON?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): isEqual(left, right)
    default: false
    }
  }

  private static func isEqual(_ left: JSON, _ right: JSON) -> Bool {
    switch (left.kind, right.kind) {
    case (.number, .number): number(left, right, ==, ==)
    case (.string, .string): left.string.map { Array($0.utf8) } == right.string.map { Array($0.utf8) }
    case (.array, .array):
      left.count == right.count && zip(left.elements, right.elements).allSatisfy { isEqual($0, $1) }
    case (.object, .object):
      isEqual(members(of: left), members(of: right))
    default: left == right
    }
  }

  private static func isEqual(_ left: [[UInt8]: JSON], _ right: [[UInt8]: JSON]) -> Bool {
    left.count == right.count && left.allSatisfy { key, value in right[key].map { isEqual(value, $0) } ?? false }
  }

  /// Returns a dictionary of the members of `object`. Its keys are bytes, because strings with different scalars can be equal. Of several
  /// members with the same key, the first one is used.
  private static func members(of object: JSON) -> [[UInt8]: JSON] {
    Dictionary(object.members.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Compares two numbers exactly, by all of their digits.
  private static func number(
    _ left: JSON, _ right: JSON, _ integers: (Int, Int) -> Bool, _ numbers: (ExactNumber, ExactNumber) -> Bool
  ) -> Bool {
    if let left = left.int, let right = right.int { return integers(left, right) }
    guard let left = left.numberText.flatMap(ExactNumber.init), let right = right.numberText.flatMap(ExactNumber.init)
    else { return false }
    return numbers(left, right)
  }

  private static func isLess(_ left: JSON?, _ right: JSON?) -> Bool {
    guard let left, let right else { return false }
    switch (left.kind, right.kind) {
    case (.number, .number): return number(left, right, <, <)
    case (.string, .string):
      guard let left = left.string, let right = right.string else { return false }
      return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: return false
    }
  }
}
