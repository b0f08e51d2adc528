internal import AnvilDiagnosis
internal import AnvilJSON

/// One check of a document.
struct SchemaRun {
  /// Why a check ends early.
  enum Stop: Error {
    case depth
    case work
    /// There are as many faults as are wanted.
    case enough
  }

  let schema: JSONSchema
  let limits: CheckLimits
  private(set) var found: [PositionedFault] = []
  private var hasMore = false
  private(set) var steps: [JSON.Step] = []
  private(set) var position: [Int] = []
  /// The numbers of the resources that the schemas applied are in, from the outermost.
  private var scope: [Int] = []
  /// How many of the schemas applied are only asked whether the value fits them.
  private(set) var quiet = 0
  /// What was found before each of the schemas applied that may fail without the document being wrong.
  private var outer: [(found: [PositionedFault], hasMore: Bool)] = []
  private var depth = 0
  private var work = 0
  /// The patterns that have been matched, by ``JSON/Step/key(_:)``, which tells apart what differs in its scalars.
  private var patterns: [JSON.Step: PatternMatcher] = [:]
  private var patternSize = 0

  init(schema: JSONSchema, limits: CheckLimits) {
    self.schema = schema
    self.limits = limits
  }

  /// Checks the whole document; once.
  mutating func findings(in document: JSON) -> CheckFindings {
    var findings = CheckFindings()
    do throws(Stop) {
      _ = try check(document, against: schema.root)
    } catch {
      switch error {
      case .depth: findings.interruption = .depth(limit: limits.depth)
      case .work: findings.interruption = .work(limit: limits.work)
      case .enough: break
      }
    }
    // Where the check ended within a branch, what that found is not known to be a fault.
    let known = outer.first ?? (found, hasMore)
    findings.hasMore = known.hasMore
    findings.take(known.found)
    return findings
  }

  /// Checks `value` against the schema `id`: what of the value it looked at, `nil` when the value does not fit.
  mutating func check(_ value: JSON, against id: Int) throws(Stop) -> Coverage? {
    try spend(1)
    depth += 1
    guard depth <= limits.depth else { throw .depth }
    let node = schema.nodes[id]
    let entersResource = scope.last != node.resource
    if entersResource { scope.append(node.resource) }
    defer {
      depth -= 1
      if entersResource { scope.removeLast() }
    }
    var coverage = Coverage()
    var isValid = true
    for rule in node.rules {
      switch rule {
      case .nothing, .types, .constant, .oneOf:
        // Nothing more is said of a value that is quite another.
        guard try checkScalar(rule, of: value) else { return nil }
      case .bound, .multiple, .minimum, .maximum, .pattern, .format, .unique:
        if try !checkScalar(rule, of: value) { isValid = false }
      case .required, .dependentRequired, .names, .members:
        if try !checkMembers(rule, of: value, coverage: &coverage) { isValid = false }
      case .elements, .contains:
        if try !checkElements(rule, of: value, coverage: &coverage) { isValid = false }
      case .all, .any, .one, .not, .condition, .reference, .dynamicReference, .dependentSchemas:
        if try !checkInPlace(rule, of: value, coverage: &coverage) { isValid = false }
      case .unevaluatedMembers, .unevaluatedElements:
        // What a schema that failed has looked at is not known.
        if isValid, try !checkUnevaluated(rule, of: value, coverage: &coverage) { isValid = false }
      }
      if !isValid, quiet > 0 { return nil }
    }
    return isValid ? coverage : nil
  }

  /// Whether `value` fits the schema `id`, without noting why not.
  mutating func accepts(_ value: JSON, against id: Int) throws(Stop) -> Coverage? {
    quiet += 1
    defer { quiet -= 1 }
    return try check(value, against: id)
  }

  /// Takes a number of steps off what the check may take.
  mutating func spend(_ amount: Int) throws(Stop) {
    work += amount
    guard work <= limits.work else { throw .work }
  }

  mutating func enter(_ step: JSON.Step, _ number: Int) {
    steps.append(step)
    position.append(number)
  }

  mutating func leave() {
    steps.removeLast()
    position.removeLast()
  }

  /// Notes a fault of the value at hand.
  mutating func fail(
    _ code: JSON.Diagnosis.Code, expected: String?, _ complete: (inout Fault) -> Void = { _ in }
  ) throws(Stop) {
    guard quiet == 0 else { return }
    var fault = Fault(code, at: steps, expected: expected)
    complete(&fault)
    try note([PositionedFault(fault: fault, position: position)])
  }

  mutating func note(_ faults: [PositionedFault]) throws(Stop) {
    for fault in faults {
      guard found.count < limits.faults else {
        hasMore = true
        // A branch that fails so often is worth no end of the check: another may do.
        if outer.isEmpty { throw .enough }
        return
      }
      found.append(fault)
    }
  }

  /// Checks `value` against a schema that it need not fit; what was found stays apart.
  mutating func attempt(_ value: JSON, against id: Int) throws(Stop) -> Attempt {
    outer.append((found, hasMore))
    (found, hasMore) = ([], false)
    let coverage = try check(value, against: id)
    let attempt = Attempt(schema: id, coverage: coverage, faults: found, hasMore: hasMore)
    if let before = outer.popLast() { (found, hasMore) = before }
    return attempt
  }

  /// Takes the faults of a branch for those of the value.
  mutating func adopt(_ attempt: Attempt) throws(Stop) {
    if attempt.hasMore { hasMore = true }
    try note(attempt.faults)
  }

  /// The schema that a dynamic reference leads to from here: the outermost with that anchor.
  func target(of anchor: String, default node: Int) -> Int {
    guard let nodes = schema.dynamicAnchors[anchor] else { return node }
    return scope.lazy.compactMap { nodes[$0] }.first ?? node
  }

  /// The number of instructions of patterns that take a step.
  private static let instructionsInStep = 32
  /// The maximum number of instructions of all patterns that are kept.
  private static let mostInstructions = 1 << 20

  /// Whether `pattern`, which the schema's compiler has seen, matches somewhere in `text`.
  mutating func matches(_ text: String, _ pattern: String) throws(Stop) -> Bool {
    try spend(1 + text.utf8.count / 16)
    guard let matcher = try matcher(of: pattern) else { return false }
    let (most, overflows) = (limits.work - work).multipliedReportingOverflow(by: Self.instructionsInStep)
    var rest = PatternWork(overflows ? .max : most)
    let before = rest.remaining
    let isMatch: Bool
    do throws(PatternWork.Exhausted) { isMatch = try matcher.matches(text, &rest) } catch { throw .work }
    try spend((before - rest.remaining) / Self.instructionsInStep)
    return isMatch
  }

  private mutating func matcher(of pattern: String) throws(Stop) -> PatternMatcher? {
    if let known = patterns[.key(pattern)] { return known }
    guard let parsed = try? SchemaPattern(pattern) else { return nil }
    let matcher = PatternMatcher(parsed)
    try spend(matcher.size / Self.instructionsInStep)
    patternSize += matcher.size
    if patternSize > Self.mostInstructions {
      patterns = [:]
      patternSize = matcher.size
    }
    patterns[.key(pattern)] = matcher
    return matcher
  }
}

/// What came of a schema that a value need not fit.
struct Attempt {
  let schema: Int
  let coverage: Coverage?
  let faults: [PositionedFault]
  let hasMore: Bool
}

/// Which of a value's members and elements schemas have looked at, by their numbers.
struct Coverage {
  var hasAllMembers = false
  var members: Set<Int> = []
  /// The elements before this one.
  var elements = 0
  var otherElements: Set<Int> = []

  mutating func merge(_ other: Coverage) {
    hasAllMembers = hasAllMembers || other.hasAllMembers
    members.formUnion(other.members)
    elements = max(elements, other.elements)
    otherElements.formUnion(other.otherElements)
  }
}
