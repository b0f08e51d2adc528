internal import AnvilJSON
internal import AnvilSync

/// A JSONPath query, which begins with `$`. Source: RFC 9535.
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
      case current
      /// The root. The number identifies the operand within the whole query: its nodes are the same for each current node.
      case root(Int)
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

  static let maximumSteps = 5_000_000

  /// Returns the selected values of `document` in order, with duplicates. Of members that share a key, a name selects the first.
  ///
  /// - Parameter limit: The number of nodes that the query can visit or compare. For a large document it is higher.
  func values(in document: JSON, limit: Int = maximumSteps) throws(Exceeded) -> [JSON] {
    try values(from: document, JSONQueryRun(in: document, limit: limit))
  }

  func values(from node: JSON, _ run: JSONQueryRun) throws(Exceeded) -> [JSON] {
    var nodes = [node]
    let notesMismatches = run.notesMismatches
    defer { run.notesMismatches = notesMismatches }
    for segment in segments {
      // Descendants are of all kinds.
      if case .descendants = segment.reach { run.notesMismatches = false }
      var selected: [JSON] = []
      for node in nodes { try segment.append(from: node, run, to: &selected) }
      nodes = selected
    }
    return nodes
  }

  /// A node that has no children that a segment can select, because it is neither null nor of a kind that the segment requires.
  struct Mismatch: Sendable {
    let node: JSON
    /// The required kinds: `an array, an object`.
    let kinds: String
  }

  /// The error for a query that takes too many steps. Their number can grow with a power of the document's size.
  struct Exceeded: Error, CustomStringConvertible {
    let limit: Int

    var description: String { "the query was stopped after \(limit) steps" }
  }
}

final class JSONQueryRun {
  /// The number of steps for each value of a large document.
  private static let stepsForValue = 8

  let root: JSON
  private var work = 0
  private var limit: Int
  private var hasCounted = false
  fileprivate var notesMismatches = true
  private(set) var mismatch: JSONQuery.Mismatch?
  /// The nodes of absolute queries in filters, by the numbers of their operands.
  private var absolute: [Int: [JSON]] = [:]

  init(in root: JSON, limit: Int) {
    self.root = root
    self.limit = limit
  }

  /// Adds to the number of steps, and throws if there are too many.
  func spend(_ amount: Int) throws(JSONQuery.Exceeded) {
    work += amount
    guard work > limit else { return }
    if !hasCounted {
      hasCounted = true
      limit = max(limit, Self.count(of: root) * Self.stepsForValue)
    }
    guard work <= limit else { throw JSONQuery.Exceeded(limit: limit) }
  }

  fileprivate func takeMismatch() -> JSONQuery.Mismatch? {
    defer { mismatch = nil }
    return mismatch
  }

  fileprivate func restore(_ mismatch: JSONQuery.Mismatch?) { self.mismatch = mismatch }

  fileprivate func note(_ node: JSON, for segment: JSONQuery.Segment) {
    guard notesMismatches, mismatch == nil, !node.isNull, !segment.selects(from: node.kind) else { return }
    let kinds = [JSON.Kind.array, .object].filter(segment.selects(from:))
    mismatch = JSONQuery.Mismatch(node: node, kinds: kinds.map(\.withArticle).joined(separator: ", "))
  }

  func values(of operand: JSONQuery.Operand, for node: JSON) throws(JSONQuery.Exceeded) -> [JSON] {
    guard case .root(let number) = operand.start else { return try operand.query.values(from: node, self) }
    if let known = absolute[number] { return known }
    let values = try operand.query.values(from: root, self)
    absolute[number] = values
    return values
  }

  /// The number of instructions of a regular expression that count as one step.
  private static let instructionsInStep = 32

  /// The number of instructions of regular expressions that can still be executed, and a few more.
  var instructions: Int { (limit - work + 1) * Self.instructionsInStep }

  func spend(instructions: Int) throws(JSONQuery.Exceeded) { try spend(instructions / Self.instructionsInStep) }

  private static func count(of json: JSON) -> Int {
    json.children.reduce(1) { $0 + count(of: $1) }
  }
}

extension JSONQuery.Segment {
  fileprivate func selects(from kind: JSON.Kind) -> Bool { selectors.contains { $0.selects(from: kind) } }

  func append(from node: JSON, _ run: JSONQueryRun, to selected: inout [JSON]) throws(JSONQuery.Exceeded) {
    run.note(node, for: self)
    for selector in selectors { try selector.append(from: node, run, to: &selected) }
    guard case .descendants = reach else { return }
    try run.spend(node.childCount)
    for child in node.children { try append(from: child, run, to: &selected) }
  }
}

extension JSONQuery.Selector {
  fileprivate func selects(from kind: JSON.Kind) -> Bool {
    switch self {
    case .name: kind == .object
    case .index, .slice: kind == .array
    case .wildcard, .filter: kind == .array || kind == .object
    }
  }

  func append(from node: JSON, _ run: JSONQueryRun, to selected: inout [JSON]) throws(JSONQuery.Exceeded) {
    switch self {
    case .name(let name):
      // Finding a member takes time with the number of members.
      try run.spend(1 + node.childCount / 16)
      if node.kind == .object, let member = node[name] { selected.append(member) }
    case .index(let index):
      try run.spend(1 + node.childCount / 16)
      let position = index < 0 ? node.count + index : index
      if node.kind == .array, position >= 0, position < node.count, let element = node[position] {
        selected.append(element)
      }
    case .wildcard:
      try run.spend(1 + node.childCount)
      selected += node.children
    case .slice(let start, let end, let step):
      try run.spend(1 + node.childCount)
      if node.kind == .array { selected += Self.slice(Array(node.elements), start, end, step) }
    case .filter(let condition):
      try run.spend(1 + node.childCount)
      let earlier = run.takeMismatch()
      // Members of an object, and some of an array's elements, may be of other kinds than the filter tests.
      var isFitting = node.kind == .object
      var first: JSONQuery.Mismatch?
      for child in node.children {
        if try condition.holds(for: child, run) { selected.append(child) }
        let mismatch = run.takeMismatch()
        isFitting = isFitting || mismatch == nil && !child.isNull
        first = first ?? mismatch
      }
      run.restore(earlier ?? (isFitting ? nil : first))
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
  fileprivate var childCount: Int { kind == .array || kind == .object ? count : 0 }

  /// The elements of an array or the values of an object's members; empty for other values.
  fileprivate var children: [JSON] {
    switch kind {
    case .array: Array(elements)
    case .object: members.map(\.value)
    default: []
    }
  }
}
