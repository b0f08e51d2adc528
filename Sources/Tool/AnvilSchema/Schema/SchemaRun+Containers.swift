internal import AnvilDiagnosis
internal import AnvilJSON

/// Rules for members and elements.
extension SchemaRun {
  mutating func checkMembers(
    _ rule: SchemaRule, of value: JSON, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    guard value.kind == .object else { return true }
    var isValid = true
    switch rule {
    case .required(let keys):
      for (key, id) in keys where try lacks(value, key) {
        let summary = quiet == 0 ? id.map { SchemaSummary($0, of: schema) } : nil
        try fail(.schemaRequired, expected: summary?.knownPhrase) { fault in
          fault.missing = .key(key)
          fault.kinds = summary?.kinds ?? []
        }
        isValid = false
      }
    case .dependentRequired(let dependencies):
      for dependency in dependencies where try !lacks(value, dependency.key) {
        for key in dependency.keys where try lacks(value, key) {
          try fail(.schemaDependentRequired, expected: nil) { fault in
            fault.missing = .key(key)
            fault.reason = "the object has \(dependency.key.quoted)"
          }
          isValid = false
        }
      }
    case .names(let schema):
      for (number, key) in value.keys.enumerated() where try !checkName(key, number, against: schema) {
        isValid = false
      }
    case .members(let rules): isValid = try checkMembers(of: value, rules, coverage: &coverage)
    default: break
    }
    return isValid
  }

  private mutating func lacks(_ object: JSON, _ key: String) throws(Stop) -> Bool {
    try run.spend(1 + object.count / 16)
    if case .some = object[key] { return false }
    return true
  }

  private mutating func checkMembers(
    of value: JSON, _ rules: MemberRules, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    var isValid = true
    for (number, member) in value.members.enumerated() {
      try run.spend(1)
      var isKnown = false
      if let schema = rules.named[.key(member.key)] {
        isKnown = true
        if try !checkChild(.key(member.key), number, member.value, against: schema) { isValid = false }
      }
      for (pattern, schema) in rules.patterns where try matches(member.key, pattern) {
        isKnown = true
        if try !checkChild(.key(member.key), number, member.value, against: schema) { isValid = false }
      }
      if !isKnown, let others = rules.others {
        isKnown = true
        if try !checkChild(.key(member.key), number, member.value, against: others) { isValid = false }
      }
      if isKnown, schema.collectsCoverage { coverage.members.insert(number) }
      if !isValid, quiet > 0 { return false }
    }
    return isValid
  }

  /// Checks a member or an element. If its schema is `false`, the fault is that it is not allowed.
  private mutating func checkChild(
    _ step: JSON.Step, _ number: Int, _ value: JSON, against id: Int
  ) throws(Stop) -> Bool {
    run.enter(step, number)
    defer { run.leave() }
    guard schema.nodes[id].isFalse else { return try check(value, against: id) != nil }
    try run.spend(1)
    switch step {
    case .key(let key): try fail(.schemaAdditionalProperty, expected: "no key \(key.quoted)")
    case .index: try fail(.schemaAdditionalItem, expected: "no element at this index")
    }
    return false
  }

  private mutating func checkName(_ key: String, _ number: Int, against id: Int) throws(Stop) -> Bool {
    try run.spend(1)
    if quiet > 0 { return try check(JSON(key), against: id) != nil }
    run.enter(.key(key), number)
    defer { run.leave() }
    let attempt = try attempt(JSON(key), against: id)
    guard attempt.coverage == nil else { return true }
    let wanted = attempt.faults.first?.fault.expected.map { "a key that is \($0)" }
    try fail(.schemaPropertyName, expected: schema.nodes[id].isFalse ? "no key \(key.quoted)" : wanted) { fault in
      fault.choices = attempt.faults.first?.fault.choices ?? []
    }
    return false
  }

  mutating func checkElements(
    of value: JSON, _ prefix: [Int], _ rest: Int?, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    guard value.kind == .array else { return true }
    var isValid = true
    if let rest, schema.nodes[rest].isFalse, value.count > prefix.count {
      try fail(.schemaMaxItems, expected: Measure.elements.phrase(of: "at most \(prefix.count)", count: prefix.count))
      isValid = false
    }
    for (number, element) in value.elements.enumerated() {
      let expected = number < prefix.count ? prefix[number] : rest
      guard let expected, number < prefix.count || !schema.nodes[expected].isFalse else { break }
      if try !checkChild(.index(number), number, element, against: expected) { isValid = false }
      if !isValid, quiet > 0 { return false }
    }
    coverage.elements = max(coverage.elements, rest == nil ? min(prefix.count, value.count) : value.count)
    return isValid
  }

  mutating func checkContained(
    in value: JSON, _ id: Int, _ least: Int, _ most: Int?, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    guard value.kind == .array else { return true }
    var count = 0
    for (number, element) in value.elements.enumerated() where try accepts(element, against: id) != nil {
      count += 1
      if schema.collectsCoverage { coverage.otherElements.insert(number) }
    }
    let tooMany = most.map { count > $0 } ?? false
    guard count < least || tooMany else { return true }
    let amount = count < least ? least : most ?? least
    let elements = Measure.elements.phrase(of: "\(count < least ? "at least" : "at most") \(amount)", count: amount)
    try fail(
      .schemaContains,
      expected: "\(elements) that \(amount == 1 ? "is" : "are") \(SchemaSummary(id, of: schema).phrase)"
    ) { $0.reason = "\(count) \(count == 1 ? "matches" : "match")" }
    return false
  }

  /// Checks the members or elements that no other schema has evaluated.
  mutating func checkUnevaluated(
    _ rule: SchemaRule, of value: JSON, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    var isValid = true
    switch rule {
    case .unevaluatedMembers(let id):
      guard !coverage.hasAllMembers else { return true }
      for (number, member) in value.members.enumerated() where !coverage.members.contains(number) {
        if try !checkChild(.key(member.key), number, member.value, against: id) { isValid = false }
        if !isValid, quiet > 0 { return false }
      }
      coverage.hasAllMembers = true
    case .unevaluatedElements(let id):
      for (number, element) in value.elements.enumerated()
      where number >= coverage.elements && !coverage.otherElements.contains(number) {
        if try !checkChild(.index(number), number, element, against: id) { isValid = false }
        if !isValid, quiet > 0 { return false }
      }
      coverage.elements = max(coverage.elements, value.count)
    default: break
    }
    return isValid
  }
}

extension SchemaNode {
  var isFalse: Bool {
    if case .nothing = rules.first { return true }
    return false
  }
}

/// A summary of a schema's requirements for a value, short enough for a message.
struct SchemaSummary {
  private(set) var types: [SchemaType]?
  private(set) var values: [JSON]?
  /// The members that must have one of a few values. They distinguish the kinds of object in a union.
  private(set) var tags: [(key: String, values: [JSON])] = []
  private var required: [String] = []
  private var details: [String] = []
  private let steps: [JSON.Step]

  /// Creates a summary of the schema `node`. References and `allOf` are followed to a depth of eight schemas.
  init(_ node: Int, of schema: JSONSchema) {
    steps = schema.nodes[node].steps
    read(node, of: schema, depth: 0)
  }

  private mutating func read(_ node: Int, of schema: JSONSchema, depth: Int) {
    guard depth < 8 else { return }
    for rule in schema.nodes[node].rules {
      switch rule {
      case .types(let types): self.types = self.types ?? types
      case .constant(let value): values = values ?? [value]
      case .oneOf(let values): self.values = self.values ?? values
      case .required(let keys): required += keys.prefix(4).map(\.key)
      case .members(let members): readTags(members, of: schema)
      case .reference(let target): read(target, of: schema, depth: depth + 1)
      case .all(let schemas): for target in schemas.prefix(8) { read(target, of: schema, depth: depth + 1) }
      default: if let phrase = rule.phrase { details.append(phrase) }
      }
    }
  }

  private mutating func readTags(_ members: MemberRules, of schema: JSONSchema) {
    var found: [(key: String, values: [JSON])] = []
    for case (.key(let key), let node) in members.named {
      for case .constant(let value) in schema.nodes[node].rules { found.append((key, [value])) }
      for case .oneOf(let values) in schema.nodes[node].rules { found.append((key, values)) }
    }
    // The order of a dictionary changes between runs.
    tags += found.sorted { $0.key < $1.key }
  }

  var kinds: [JSON.Kind] {
    SchemaRun.distinct(values?.map(\.kind) ?? types?.map(\.kind) ?? [])
  }

  func tagCount(in value: JSON) -> Int {
    tags.count { tag in value[tag.key].map { tag.values.contains($0) } ?? false }
  }

  /// A description: `null`, `one of "a", "b"`, `an object whose "kind" is "circle"`.
  var phrase: String {
    knownPhrase ?? "a value that matches \(JSON.Pointer(steps).description.quoted)"
  }

  /// The description; `nil` if it could only name the location of the schema.
  var knownPhrase: String? {
    if let values { return SchemaRule.phrase(of: values) }
    let isObject = types.map { $0 == [.object] } ?? (details.isEmpty && !(tags.isEmpty && required.isEmpty))
    if isObject, let tag = tags.first(where: { $0.values.count == 1 }) {
      return "an object whose \(tag.key.quoted) is \(SchemaRule.phrase(of: tag.values))"
    }
    if isObject, !required.isEmpty {
      let keys = required.prefix(3).map(\.quoted)
      return "an object with " + (required.count > 3 ? keys.joined(separator: ", ") + ", …" : keys.joined(by: "and"))
    }
    if details.count == 1, types.map({ $0.count == 1 }) ?? true, let detail = details.first { return detail }
    return types.flatMap { SchemaRule.types($0).phrase }
  }
}
