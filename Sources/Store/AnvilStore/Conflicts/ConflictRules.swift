/// The rules for the attributes of one model.
struct ConflictRules {
  private var rules: [String: ConflictRule.Kind] = [:]
  /// The rule for attributes that no rule names.
  private var other = ConflictRule.Kind.replace

  /// Combines the rules of a model with those of one call, which take precedence. Of several rules for one attribute, the last one counts.
  init(_ model: [ConflictRule], _ call: [ConflictRule] = []) {
    for rule in model { add(rule) }
    for rule in call { add(rule) }
    rules = rules.filter { $0.value != .replace || other != .replace }
  }

  private mutating func add(_ rule: ConflictRule) {
    if rule.attributes.isEmpty { other = rule.kind }
    for attribute in rule.attributes { rules[attribute] = rule.kind }
    // The rule also applies to its version attribute, unless another rule names it.
    if case .newest(let version) = rule.kind, rules[version] == nil { rules[version] = rule.kind }
  }

  var isEmpty: Bool { rules.isEmpty && other == .replace }

  /// The attributes that rules name.
  var names: [String] { Array(rules.keys) }

  /// The attributes that determine which row is newer.
  var versions: Set<String> {
    Set(
      (rules.values + [other]).compactMap { kind in
        if case .newest(let version) = kind { version } else { nil }
      })
  }

  func kind(for attribute: String) -> ConflictRule.Kind { rules[attribute] ?? other }
}
