internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON

struct SchemaRun {
  typealias Stop = CheckRun.Stop

  let schema: JSONSchema
  var run: CheckRun
  /// The resources of the schemas being applied, from the outermost.
  private var scope: [Int] = []
  /// The number of schemas, nested in each other, that are being applied without reporting faults.
  private(set) var quiet = 0
  /// For each running ``attempt(_:against:)``, the faults found before it. The attempt may fail without making the document invalid.
  private var outer: [(found: [PositionedFault], hasMore: Bool)] = []
  private var depth = 0
  /// The compiled patterns by their texts, compared as in ``MemberRules/named``.
  private var patterns: [JSON.Step: PatternMatcher] = [:]
  private var patternSize = 0

  init(schema: JSONSchema, limits: CheckLimits) {
    self.schema = schema
    run = CheckRun(limits: limits)
  }

  /// Checks the whole document. Must be called only once.
  mutating func findings(in document: JSON) -> CheckFindings {
    var stop: Stop?
    do throws(Stop) {
      _ = try check(document, against: schema.root)
    } catch {
      stop = error
    }
    // If the check ended inside a branch, the faults of the branch are uncertain and are discarded.
    if let known = outer.first { (run.found, run.hasMore) = known }
    return run.findings(after: stop)
  }

  /// Checks `value` against the schema `id`. Returns the members and elements that were evaluated, or `nil` if the value does not match.
  mutating func check(_ value: JSON, against id: Int) throws(Stop) -> Coverage? {
    try run.spend(1)
    depth += 1
    guard depth <= run.limits.depth else { throw .interrupted(.depth(limit: run.limits.depth)) }
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
        // A value of the wrong kind gets no further faults.
        guard try checkScalar(rule, of: value) else { return nil }
      case .bound, .multiple, .minimum, .maximum, .pattern, .format, .unique:
        if try !checkScalar(rule, of: value) { isValid = false }
      case .required, .dependentRequired, .names, .members:
        if try !checkMembers(rule, of: value, coverage: &coverage) { isValid = false }
      case .elements(let prefix, let rest):
        if try !checkElements(of: value, prefix, rest, coverage: &coverage) { isValid = false }
      case .contains(let id, let least, let most):
        if try !checkContained(in: value, id, least, most, coverage: &coverage) { isValid = false }
      case .all, .any, .one, .not, .condition, .reference, .dynamicReference, .dependentSchemas:
        if try !checkInPlace(rule, of: value, coverage: &coverage) { isValid = false }
      case .unevaluatedMembers, .unevaluatedElements:
        // The coverage of a failed schema is incomplete.
        if isValid, try !checkUnevaluated(rule, of: value, coverage: &coverage) { isValid = false }
      }
      if !isValid, quiet > 0 { return nil }
    }
    return isValid ? coverage : nil
  }

  /// Does the same as ``check(_:against:)`` without reporting faults.
  mutating func accepts(_ value: JSON, against id: Int) throws(Stop) -> Coverage? {
    quiet += 1
    defer { quiet -= 1 }
    return try check(value, against: id)
  }

  mutating func fail(
    _ code: JSON.Diagnosis.Code, expected: String?, _ complete: (inout Fault) -> Void = { _ in }
  ) throws(Stop) {
    guard quiet == 0 else { return }
    var fault = run.fault(code, expected: expected)
    complete(&fault.fault)
    try note([fault])
  }

  mutating func note(_ faults: [PositionedFault]) throws(Stop) {
    for fault in faults {
      guard run.found.count < run.limits.faults else {
        run.hasMore = true
        // A branch with so many faults does not end the check, because another branch may match.
        if outer.isEmpty { throw .enough }
        return
      }
      run.found.append(fault)
    }
  }

  /// Checks `value` against a schema that it does not have to match, such as one of `anyOf`. The faults are returned, not reported.
  mutating func attempt(_ value: JSON, against id: Int) throws(Stop) -> Attempt {
    outer.append((run.found, run.hasMore))
    (run.found, run.hasMore) = ([], false)
    let coverage = try check(value, against: id)
    let attempt = Attempt(schema: id, coverage: coverage, faults: run.found, hasMore: run.hasMore)
    if let before = outer.popLast() { (run.found, run.hasMore) = before }
    return attempt
  }

  mutating func adopt(_ attempt: Attempt) throws(Stop) {
    if attempt.hasMore { run.hasMore = true }
    try note(attempt.faults)
  }

  /// Returns the schema with this `$dynamicAnchor` in the outermost resource in scope that has one; otherwise `node`.
  func target(of anchor: String, default node: Int) -> Int {
    guard let nodes = schema.dynamicAnchors[anchor] else { return node }
    return scope.lazy.compactMap { nodes[$0] }.first ?? node
  }

  /// The number of pattern instructions that count as one step.
  private static let instructionsInStep = 32
  /// The maximum total number of instructions of cached patterns.
  private static let mostInstructions = 1 << 20

  /// Returns whether `pattern` matches somewhere in `text`. The compiler has already checked the pattern.
  mutating func matches(_ text: String, _ pattern: String) throws(Stop) -> Bool {
    try run.spend(1 + text.utf8.count / 16)
    guard let matcher = try matcher(of: pattern) else { return false }
    let (most, overflows) = (run.limits.work - run.work).multipliedReportingOverflow(by: Self.instructionsInStep)
    var rest = PatternWork(overflows ? .max : most, until: run.limits.deadline)
    let before = rest.remaining
    let isMatch: Bool
    do throws(PatternWork.Exhausted) {
      isMatch = try matcher.matches(text, &rest)
    } catch {
      if run.limits.deadline.hasPassed { throw .interrupted(.time(run.limits.deadline)) }
      throw .interrupted(.work(limit: run.limits.work))
    }
    try run.spend((before - rest.remaining) / Self.instructionsInStep)
    return isMatch
  }

  private mutating func matcher(of pattern: String) throws(Stop) -> PatternMatcher? {
    if let known = patterns[.key(pattern)] { return known }
    guard let parsed = try? SchemaPattern(pattern) else { return nil }
    let matcher = PatternMatcher(parsed)
    try run.spend(matcher.size / Self.instructionsInStep)
    patternSize += matcher.size
    if patternSize > Self.mostInstructions {
      patterns = [:]
      patternSize = matcher.size
    }
    patterns[.key(pattern)] = matcher
    return matcher
  }
}

struct Attempt {
  let schema: Int
  let coverage: Coverage?
  let faults: [PositionedFault]
  let hasMore: Bool
}

/// The members and elements of a value that schemas have evaluated, by their indices.
struct Coverage {
  var hasAllMembers = false
  var members: Set<Int> = []
  var elements = 0
  var otherElements: Set<Int> = []

  mutating func merge(_ other: Coverage) {
    hasAllMembers = hasAllMembers || other.hasAllMembers
    members.formUnion(other.members)
    elements = max(elements, other.elements)
    otherElements.formUnion(other.otherElements)
  }
}

/// Rules that apply other schemas to the same value.
extension SchemaRun {
  mutating func checkInPlace(
    _ rule: SchemaRule, of value: JSON, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    switch rule {
    case .reference(let id): return try include(id, value, &coverage)
    case .dynamicReference(let id, let anchor): return try include(target(of: anchor, default: id), value, &coverage)
    case .all(let ids):
      var isValid = true
      for id in ids {
        if try !include(id, value, &coverage) { isValid = false }
        if !isValid, quiet > 0 { return false }
      }
      return isValid
    case .any(let ids): return try checkAny(ids, value, &coverage)
    case .one(let ids): return try checkOne(ids, value, &coverage)
    case .not(let id):
      guard try accepts(value, against: id) != nil else { return true }
      try fail(.schemaNot, expected: "anything but \(SchemaSummary(id, of: schema).phrase)")
      return false
    case .condition(let condition, let then, let otherwise):
      guard let found = try accepts(value, against: condition) else {
        return try otherwise.map { id throws(Stop) in try include(id, value, &coverage) } ?? true
      }
      coverage.merge(found)
      return try then.map { id throws(Stop) in try include(id, value, &coverage) } ?? true
    case .dependentSchemas(let dependencies):
      var isValid = true
      for (key, id) in dependencies {
        try run.spend(1 + value.count / 16)
        if case .some = value[key], try !include(id, value, &coverage) { isValid = false }
      }
      return isValid
    default: return true
    }
  }

  private mutating func include(_ id: Int, _ value: JSON, _ coverage: inout Coverage) throws(Stop) -> Bool {
    guard let found = try check(value, against: id) else { return false }
    if schema.collectsCoverage { coverage.merge(found) }
    return true
  }

  private mutating func checkAny(_ ids: [Int], _ value: JSON, _ coverage: inout Coverage) throws(Stop) -> Bool {
    var attempts: [Attempt] = []
    var isValid = false
    for id in ids {
      let attempt = try attempt(value, against: id)
      if let found = attempt.coverage {
        isValid = true
        guard schema.collectsCoverage else { return true }
        coverage.merge(found)
      }
      attempts.append(attempt)
    }
    if !isValid { try explain(.schemaAnyOf, attempts, value) }
    return isValid
  }

  private mutating func checkOne(_ ids: [Int], _ value: JSON, _ coverage: inout Coverage) throws(Stop) -> Bool {
    var attempts: [Attempt] = []
    for id in ids { attempts.append(try attempt(value, against: id)) }
    let fitting = attempts.filter { $0.coverage != nil }
    if fitting.isEmpty {
      try explain(.schemaOneOf, attempts, value)
      return false
    }
    guard fitting.count == 1, let found = fitting[0].coverage else {
      let schemas = fitting.prefix(4).map {
        JSON.Pointer(schema.nodes[$0.schema].steps).description.quoted
      }
      let names = fitting.count > 4 ? schemas.joined(separator: ", ") + ", …" : schemas.joined(by: "and")
      try fail(.schemaOneOf, expected: "a value that matches only one of \(names)")
      return false
    }
    coverage.merge(found)
    return true
  }

  /// Reports why a value matches none of several schemas: with the faults of one of them if the value is clearly meant for it.
  private mutating func explain(
    _ code: JSON.Diagnosis.Code, _ attempts: [Attempt], _ value: JSON
  ) throws(Stop) {
    guard quiet == 0 else { return }
    let near = attempts.filter { !refusesOutright($0) }
    let closest = near.filter { wrongTags(of: $0).isEmpty }
    if near.count == 1 { return try adopt(near[0]) }
    if closest.count == 1 { return try adopt(closest[0]) }
    let counts = closest.map { SchemaSummary($0.schema, of: schema).tagCount(in: value) }
    if let most = counts.max(), most > 0, counts.count(where: { $0 == most }) == 1,
      let index = counts.firstIndex(of: most)
    {
      return try adopt(closest[index])
    }
    if closest.isEmpty, let fault = commonTag(of: near) { return try note([fault]) }
    let summaries = attempts.map { SchemaSummary($0.schema, of: schema) }
    let values = summaries.compactMap(\.values)
    let choices = values.count == summaries.count ? values.flatMap { $0 } : []
    let phrase =
      choices.isEmpty
      ? summaries.prefix(8).map(\.phrase).joined(by: "or") + (summaries.count > 8 ? ", …" : "")
      : SchemaRule.phrase(of: choices)
    try fail(code, expected: phrase) { fault in
      let kinds = summaries.map(\.kinds)
      fault.kinds = kinds.contains(where: \.isEmpty) ? [] : SchemaRun.distinct(kinds.flatMap { $0 })
      fault.choices = SchemaRule.choices(of: choices)
    }
  }

  /// Returns whether the schema rejected the value as a whole, rather than some of its contents.
  private func refusesOutright(_ attempt: Attempt) -> Bool {
    attempt.faults.contains { positioned in
      positioned.position.count == run.position.count && Self.outright.contains(positioned.fault.code)
    }
  }

  private static let outright: [JSON.Diagnosis.Code] = [
    .schemaType, .schemaEnum, .schemaConst, .schemaFalse, .schemaAnyOf, .schemaOneOf,
  ]

  /// Returns the faults of members that must have one of a few fixed values but have another.
  private func wrongTags(of attempt: Attempt) -> [PositionedFault] {
    attempt.faults.filter { positioned in
      positioned.position.count == run.position.count + 1
        && [.schemaEnum, .schemaConst].contains(positioned.fault.code)
    }
  }

  /// Returns a fault that lists the values of all schemas for one member, if only that member has a wrong fixed value in every attempt.
  private func commonTag(of attempts: [Attempt]) -> PositionedFault? {
    let tags = attempts.map { wrongTags(of: $0) }
    guard var common = tags.first?.first, tags.allSatisfy({ $0.count == 1 && $0[0].position == common.position }) else {
      return nil
    }
    guard case .key(let key)? = common.fault.steps.last else { return nil }
    let summaries = attempts.map { SchemaSummary($0.schema, of: schema) }
    let values = summaries.flatMap { summary in summary.tags.first { $0.key == key }?.values ?? [] }
    guard !values.isEmpty else { return nil }
    common.fault.code = .schemaEnum
    common.fault.expected = SchemaRule.phrase(of: values)
    common.fault.kinds = Self.distinct(values.map(\.kind))
    common.fault.choices = SchemaRule.choices(of: values)
    return common
  }
}
