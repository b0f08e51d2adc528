internal import AnvilJSON

/// A JSONPath query, which begins with `$`.
///
/// Source: RFC 9535.
struct JSONQuery: Sendable {
  let segments: [Segment]

  /// A step from nodes to their children or descendants. Source: RFC 9535 §2.5.
  struct Segment: Sendable {
    enum Reach: Sendable {
      case children, descendants
    }

    let reach: Reach
    let selectors: [Selector]
  }

  /// A selector of children of a node. Source: RFC 9535 §2.3.
  enum Selector: Sendable {
    case name(String)
    case index(Int)
    case wildcard
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }

  /// A logical expression. Source: RFC 9535 §2.3.5.
  indirect enum Condition: Sendable {
    case any([Condition])
    case all([Condition])
    case not(Condition)
    case exists(Operand)
    case comparison(Comparand, Comparison, Comparand)
    case matches(Comparand, pattern: Comparand, isWhole: Bool)
  }

  enum Comparison: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  /// A query within a filter: from the current node, `@`, or from the root, `$`.
  struct Operand: Sendable {
    enum Start: Sendable {
      case current, root
    }

    let start: Start
    let query: JSONQuery
  }

  /// A value in a comparison. Functions are those of RFC 9535 §2.4.
  indirect enum Comparand: Sendable {
    case literal(JSON)
    /// The value of a query that has at most one node.
    case node(Operand)
    case length(Comparand)
    case count(Operand)
    case value(Operand)
  }
}

extension JSONQuery {
  /// True if the query has at most one node in any document. Source: RFC 9535 §2.3.5.1.
  var isSingular: Bool {
    segments.allSatisfy { segment in
      guard case .children = segment.reach, segment.selectors.count == 1 else { return false }
      switch segment.selectors[0] {
      case .name, .index: return true
      case .wildcard, .slice, .filter: return false
      }
    }
  }

  /// Returns the values that the query selects in `document`, in order, with duplicates.
  ///
  /// Of members that share a key, a name selects the first one.
  func values(in document: JSON) -> [JSON] {
    values(from: document, root: document)
  }

  func values(from node: JSON, root: JSON) -> [JSON] {
    segments.reduce([node]) { nodes, segment in
      var selected: [JSON] = []
      for node in nodes { segment.append(from: node, root: root, to: &selected) }
      return selected
    }
  }
}

extension JSONQuery.Segment {
  func append(from node: JSON, root: JSON, to selected: inout [JSON]) {
    for selector in selectors { selector.append(from: node, root: root, to: &selected) }
    guard case .descendants = reach else { return }
    for child in node.children { append(from: child, root: root, to: &selected) }
  }
}

extension JSONQuery.Selector {
  func append(from node: JSON, root: JSON, to selected: inout [JSON]) {
    switch self {
    case .name(let name):
      if node.kind == .object, let member = node[name] { selected.append(member) }
    case .index(let index):
      let position = index < 0 ? node.count + index : index
      if node.kind == .array, position >= 0, position < node.count, let element = node[position] {
        selected.append(element)
      }
    case .wildcard: selected += node.children
    case .slice(let start, let end, let step):
      if node.kind == .array { selected += Self.slice(Array(node.elements), start, end, step) }
    case .filter(let condition):
      selected += node.children.filter { condition.holds(for: $0, root: root) }
    }
  }

  /// Returns the elements that a slice selects. Source: RFC 9535 §2.3.4.2.2.
  private static func slice(_ elements: [JSON], _ start: Int?, _ end: Int?, _ step: Int) -> [JSON] {
    let count = elements.count
    let normalized = { (index: Int) in index < 0 ? count + index : index }
    guard step != 0 else { return [] }
    if step > 0 {
      let lower = min(max(normalized(start ?? 0), 0), count)
      let upper = min(max(normalized(end ?? count), 0), count)
      return stride(from: lower, to: max(lower, upper), by: step).map { elements[$0] }
    }
    let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
    let lower = min(max(end.map(normalized) ?? -1, -1), count - 1)
    return stride(from: upper, to: min(lower, upper), by: step).map { elements[$0] }
  }
}

extension JSON {
  /// The elements of an array or the values of an object's members; empty for other values.
  fileprivate var children: [JSON] {
    switch kind {
    case .array: Array(elements)
    case .object: members.map(\.value)
    default: []
    }
  }
}
