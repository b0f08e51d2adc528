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
    try spend(1 + object.count / 16)
    if case .some = object[key] { return false }
    return true
  }

  private mutating func checkMembers(
    of value: JSON, _ rules: MemberRules, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    var isValid = true
    for (number, member) in value.members.enumerated() {
      try spend(1)
      var isKnown = false
      if let schema = rules.named[.key(member.key)] {
        isKnown = true
        if try !checkMember(member, number, against: schema) { isValid = false }
      }
      for (pattern, schema) in rules.patterns where try matches(member.key, pattern) {
        isKnown = true
        if try !checkMember(member, number, against: schema) { isValid = false }
      }
      if !isKnown, let others = rules.others {
        isKnown = true
        if try !checkMember(member, number, against: others) { isValid = false }
      }
      if isKnown, schema.collectsCoverage { coverage.members.insert(number) }
      if !isValid, quiet > 0 { return false }
    }
    return isValid
  }

  /// Checks a member. If its schema is `false`, the fault is that the key is not allowed.
  private mutating func checkMember(
    _ member: JSON.Members.Element, _ number: Int, against id: Int
  ) throws(Stop) -> Bool {
    enter(.key(member.key), number)
    defer { leave() }
    guard schema.nodes[id].isFalse else { return try check(member.value, against: id) != nil }
    try spend(1)
    try fail(.schemaAdditionalProperty, expected: "no key \(member.key.quoted)")
    return false
  }

  private mutating func checkName(_ key: String, _ number: Int, against id: Int) throws(Stop) -> Bool {
    try spend(1)
    if quiet > 0 { return try check(JSON(key), against: id) != nil }
    enter(.key(key), number)
    defer { leave() }
    let attempt = try attempt(JSON(key), against: id)
    guard attempt.coverage == nil else { return true }
    let wanted = attempt.faults.first?.fault.expected.map { "a key that is \($0)" }
    try fail(.schemaPropertyName, expected: schema.nodes[id].isFalse ? "no key \(key.quoted)" : wanted) { fault in
      fault.choices = attempt.faults.first?.fault.choices ?? []
    }
    return false
  }

  mutating func checkElements(
    _ rule: SchemaRule, of value: JSON, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    guard value.kind == .array else { return true }
    switch rule {
    case .elements(let prefix, let rest): return try checkElements(of: value, prefix, rest, coverage: &coverage)
    case .contains(let schema, let least, let most):
      return try checkContained(in: value, schema, least, most, coverage: &coverage)
    default: return true
    }
  }

  private mutating func checkElements(
    of value: JSON, _ prefix: [Int], _ rest: Int?, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    var isValid = true
    if let rest, schema.nodes[rest].isFalse, value.count > prefix.count {
      try fail(.schemaMaxItems, expected: Measure.elements.phrase(of: "at most \(prefix.count)", count: prefix.count))
      isValid = false
    }
    for (number, element) in value.elements.enumerated() {
      let expected = number < prefix.count ? prefix[number] : rest
      guard let expected, number < prefix.count || !schema.nodes[expected].isFalse else { break }
      if try !checkElement(element, number, against: expected) { isValid = false }
      if !isValid, quiet > 0 { return false }
    }
    coverage.elements = max(coverage.elements, rest == nil ? min(prefix.count, value.count) : value.count)
    return isValid
  }

  private mutating func checkElement(_ element: JSON, _ number: Int, against id: Int) throws(Stop) -> Bool {
    enter(.index(number), number)
    defer { leave() }
    guard schema.nodes[id].isFalse else { return try check(element, against: id) != nil }
    try fail(.schemaAdditionalItem, expected: "no element at this index")
    return false
  }

  private mutating func checkContained(
    in value: JSON, _ id: Int, _ least: Int, _ most: Int?, coverage: inout Coverage
  ) throws(Stop) -> Bool {
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
        if try !checkMember(member, number, against: id) { isValid = false }
        if !isValid, quiet > 0 { return false }
      }
      coverage.hasAllMembers = true
    case .unevaluatedElements(let id):
      for (number, element) in value.elements.enumerated()
      where number >= coverage.elements && !coverage.otherElements.contains(number) {
        if try !checkElement(element, number, against: id) { isValid = false }
        if !isValid, quiet > 0 { return false }
      }
      coverage.elements = max(coverage.elements, value.count)
    default: break
    }
    return isValid
  }
}

extension SchemaNode {
  /// True for the schema `false`.
  var isFalse: Bool {
    if case .nothing = rules.first { return true }
    return false
  }
}
