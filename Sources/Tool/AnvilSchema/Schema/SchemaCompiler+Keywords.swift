internal import AnvilBase
internal import AnvilJSON

/// The compilation of keywords, in the order in which they are checked.
extension SchemaCompiler {
  /// Keywords that are known and have no effect on a check.
  private static let silent: Set<String> = [
    "$id", "$schema", "$anchor", "$dynamicAnchor", "$comment", "$defs", "definitions", "title", "description",
    "default",
    "examples", "deprecated", "readOnly", "writeOnly",
  ]

  /// Keywords that are compiled, alone or together with others.
  private static let checked: Set<String> = [
    "$ref", "$dynamicRef", "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf",
    "minLength", "maxLength", "pattern", "format", "required", "properties", "patternProperties",
    "additionalProperties",
    "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "items",
    "prefixItems", "additionalItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
    "allOf",
    "anyOf", "oneOf", "not", "if", "then", "else", "unevaluatedProperties", "unevaluatedItems",
  ]

  mutating func compileKeywords(of json: JSON, node: Int) throws(JSONSchema.Malformed) {
    let keywords = SchemaKeywords(json: json, steps: nodes[node].steps)
    for keyword in ["$defs", "definitions"] { _ = try named(keyword, in: keywords, node: node) }
    try reference("$ref", in: keywords, node: node)
    if draft(of: node).ignoresBesideReference, json["$ref"] != nil { return }
    // First the rules that make all others irrelevant if they fail.
    try add(types(keywords), to: node)
    add(keywords["const"].map { .constant($0) }, to: node)
    try add(
      keywords["enum"].map { value throws(JSONSchema.Malformed) in
        guard value.kind == .array else { throw keywords.malformed("enum", "not an array") }
        return .oneOf(values: Array(value.elements))
      }, to: node)
    for rule in try keywords.bounds() { nodes[node].rules.append(rule) }
    for rule in try keywords.sizes() { nodes[node].rules.append(rule) }
    try strings(keywords, node: node)
    try objects(keywords, node: node)
    try arrays(keywords, node: node)
    try combinations(keywords, node: node)
    try reference("$dynamicRef", in: keywords, node: node)
    // Last the rules that depend on all others.
    try add(one("unevaluatedProperties", in: keywords, node: node).map { .unevaluatedMembers($0) }, to: node)
    try add(one("unevaluatedItems", in: keywords, node: node).map { .unevaluatedElements($0) }, to: node)
    for key in json.keys where !Self.silent.contains(key) && !Self.checked.contains(key) && !key.hasPrefix("x-") {
      note(key.cut, at: nodes[node].steps)
    }
  }

  private mutating func add(_ rule: SchemaRule?, to node: Int) {
    if let rule { nodes[node].rules.append(rule) }
  }

  private mutating func one(
    _ keyword: String, in keywords: SchemaKeywords, node: Int
  ) throws(JSONSchema.Malformed) -> Int? {
    guard let value = keywords[keyword] else { return nil }
    return try compile(value, at: keywords.steps + [.key(keyword)], in: nodes[node].resource)
  }

  private mutating func many(
    _ keyword: String, in keywords: SchemaKeywords, node: Int
  ) throws(JSONSchema.Malformed) -> [Int]? {
    guard let value = keywords[keyword] else { return nil }
    guard value.kind == .array else { throw keywords.malformed(keyword, "not an array") }
    var schemas: [Int] = []
    for (index, element) in value.elements.enumerated() {
      let steps = keywords.steps + [.key(keyword), .index(index)]
      schemas.append(try compile(element, at: steps, in: nodes[node].resource))
    }
    return schemas
  }

  /// Compiles the object of schemas at a keyword and returns their nodes; `nil` if the keyword is missing. If a key is
  /// repeated, its first schema is used.
  private mutating func named(
    _ keyword: String, in keywords: SchemaKeywords, node: Int
  ) throws(JSONSchema.Malformed) -> [(key: String, schema: Int)]? {
    guard let value = keywords[keyword] else { return nil }
    guard value.kind == .object else { throw keywords.malformed(keyword, "not an object") }
    var schemas: [(key: String, schema: Int)] = []
    for (key, member) in value.members {
      let steps = keywords.steps + [.key(keyword), .key(key)]
      schemas.append((key, try compile(member, at: steps, in: nodes[node].resource)))
    }
    return schemas
  }

  private mutating func reference(
    _ keyword: String, in keywords: SchemaKeywords, node: Int
  ) throws(JSONSchema.Malformed) {
    guard let value = keywords[keyword] else { return }
    guard let text = value.string else { throw keywords.malformed(keyword, "not a string") }
    let rule = nodes[node].rules.count
    // Reserves the rule's index. References are resolved after all schemas are known.
    let anchor = PercentEncoding.decode(URIReference(text).fragment ?? "")
    nodes[node].rules.append(keyword == "$ref" ? .reference(node) : .dynamicReference(node, anchor: anchor))
    pending.append(Reference(node: node, rule: rule, text: text, keyword: keyword))
  }

  private func types(_ keywords: SchemaKeywords) throws(JSONSchema.Malformed) -> SchemaRule? {
    guard let value = keywords["type"] else { return nil }
    var types: [SchemaType] = []
    for name in value.kind == .array ? Array(value.elements) : [value] {
      guard let type = name.string.flatMap({ SchemaType(rawValue: $0) }) else {
        throw keywords.malformed("type", "not a valid type name")
      }
      types.append(type)
    }
    guard !types.isEmpty else { throw keywords.malformed("type", "an array without a type name") }
    return .types(types)
  }

  private mutating func strings(_ keywords: SchemaKeywords, node: Int) throws(JSONSchema.Malformed) {
    if let value = keywords["pattern"] {
      nodes[node].rules.append(.pattern(try keywords.pattern(value, at: [.key("pattern")])))
    }
    guard let value = keywords["format"] else { return }
    guard let name = value.string else { throw keywords.malformed("format", "not a string") }
    guard let format = StringFormat(rawValue: name) else { return note("format \(name.quoted)", at: keywords.steps) }
    nodes[node].rules.append(.format(format))
  }

  private mutating func objects(_ keywords: SchemaKeywords, node: Int) throws(JSONSchema.Malformed) {
    var members = MemberRules()
    for (key, schema) in try named("properties", in: keywords, node: node) ?? [] {
      members.named[.key(key)] = members.named[.key(key)] ?? schema
    }
    for (pattern, schema) in try named("patternProperties", in: keywords, node: node) ?? [] {
      let checked = try keywords.pattern(JSON(pattern), at: [.key("patternProperties"), .key(pattern)])
      members.patterns.append((checked, schema))
    }
    members.others = try one("additionalProperties", in: keywords, node: node)
    if let keys = try keywords.strings("required") {
      add(.required(keys.map { ($0, members.named[.key($0)]) }), to: node)
    }
    if !members.named.isEmpty || !members.patterns.isEmpty || members.others != nil { add(.members(members), to: node) }
    try add(one("propertyNames", in: keywords, node: node).map { .names($0) }, to: node)
    try dependencies(keywords, node: node)
  }

  private mutating func dependencies(_ keywords: SchemaKeywords, node: Int) throws(JSONSchema.Malformed) {
    var required: [(key: String, keys: [String])] = []
    for keyword in ["dependentRequired", "dependencies"] {
      guard let value = keywords[keyword] else { continue }
      guard value.kind == .object else { throw keywords.malformed(keyword, "not an object") }
      for (key, member) in value.members where keyword == "dependentRequired" || member.kind == .array {
        let keys = member.elements.compactMap(\.string)
        guard member.kind == .array, keys.count == member.count else {
          throw malformed(keywords.steps + [.key(keyword), .key(key)], "not an array of strings")
        }
        required.append((key, keys))
      }
    }
    if !required.isEmpty { add(.dependentRequired(required), to: node) }
    var schemas = try named("dependentSchemas", in: keywords, node: node) ?? []
    // Older drafts combine both in one keyword.
    for (key, member) in (keywords["dependencies"] ?? [:]).members where member.kind != .array {
      let steps = keywords.steps + [.key("dependencies"), .key(key)]
      schemas.append((key, try compile(member, at: steps, in: nodes[node].resource)))
    }
    if !schemas.isEmpty { add(.dependentSchemas(schemas), to: node) }
  }

  private mutating func arrays(_ keywords: SchemaKeywords, node: Int) throws(JSONSchema.Malformed) {
    var prefix = try many("prefixItems", in: keywords, node: node)
    let rest: Int?
    if prefix == nil, keywords["items"]?.kind == .array {
      prefix = try many("items", in: keywords, node: node)
      rest = try one("additionalItems", in: keywords, node: node)
    } else {
      rest = try one("items", in: keywords, node: node)
      if draft(of: node) == .draft2020, keywords["additionalItems"] != nil {
        note("additionalItems", at: keywords.steps)
      }
    }
    if prefix != nil || rest != nil { add(.elements(prefix: prefix ?? [], rest: rest), to: node) }
    if let contains = try one("contains", in: keywords, node: node) {
      let least = try keywords.count("minContains") ?? 1
      add(.contains(contains, atLeast: least, atMost: try keywords.count("maxContains")), to: node)
    }
    if let value = keywords["uniqueItems"] {
      guard let isUnique = value.bool else { throw keywords.malformed("uniqueItems", "neither true nor false") }
      if isUnique { add(.unique, to: node) }
    }
  }

  private mutating func combinations(_ keywords: SchemaKeywords, node: Int) throws(JSONSchema.Malformed) {
    for (keyword, rule) in [("allOf", SchemaRule.all), ("anyOf", SchemaRule.any), ("oneOf", SchemaRule.one)] {
      guard let schemas = try many(keyword, in: keywords, node: node) else { continue }
      guard !schemas.isEmpty else { throw keywords.malformed(keyword, "an empty array") }
      add(rule(schemas), to: node)
    }
    try add(one("not", in: keywords, node: node).map { .not($0) }, to: node)
    let then = try one("then", in: keywords, node: node)
    let otherwise = try one("else", in: keywords, node: node)
    if let condition = try one("if", in: keywords, node: node) {
      add(.condition(if: condition, then: then, else: otherwise), to: node)
    }
  }
}

struct SchemaKeywords {
  let json: JSON
  let steps: [JSON.Step]

  subscript(keyword: String) -> JSON? { json[keyword] }

  func malformed(_ keyword: String, _ reason: String) -> JSONSchema.Malformed {
    JSONSchema.Malformed(steps: steps + [.key(keyword)], reason: reason)
  }

  /// Returns the value of `keyword`, which must be a non-negative integer, clamped to `Int.max`; `nil` if the keyword is missing.
  func count(_ keyword: String) throws(JSONSchema.Malformed) -> Int? {
    guard let value = self[keyword] else { return nil }
    guard let count = value.exactNumber?.count else { throw malformed(keyword, "not a non-negative integer") }
    return count
  }

  /// Returns the value of `keyword`, which must be an array of strings; `nil` if the keyword is missing.
  func strings(_ keyword: String) throws(JSONSchema.Malformed) -> [String]? {
    guard let value = self[keyword] else { return nil }
    let strings = value.elements.compactMap(\.string)
    guard value.kind == .array, strings.count == value.count else {
      throw malformed(keyword, "not an array of strings")
    }
    return strings
  }

  func pattern(_ value: JSON, at place: [JSON.Step]) throws(JSONSchema.Malformed) -> String {
    guard let text = value.string else { throw JSONSchema.Malformed(steps: steps + place, reason: "not a string") }
    do {
      _ = try SchemaPattern(text)
    } catch {
      throw JSONSchema.Malformed(steps: steps + place, reason: error.reason)
    }
    return text
  }

  func bounds() throws(JSONSchema.Malformed) -> [SchemaRule] {
    let sides: [(String, NumberBound.Side)] = [
      ("minimum", .atLeast), ("exclusiveMinimum", .above), ("maximum", .atMost), ("exclusiveMaximum", .below),
    ]
    var rules: [SchemaRule] = []
    for (keyword, side) in sides {
      guard let value = self[keyword] else { continue }
      guard let number = value.exactNumber else { throw malformed(keyword, "not a number") }
      rules.append(.bound(NumberBound(side: side, value: number, text: (value.numberText ?? "").cut)))
    }
    if let value = self["multipleOf"] {
      guard let number = value.exactNumber, !number.isZero, !number.isNegative else {
        throw malformed("multipleOf", "not a number above 0")
      }
      guard number.digits.count <= ExactNumber.longestDivisor else {
        throw malformed("multipleOf", "a number of more than \(ExactNumber.longestDivisor) digits")
      }
      rules.append(.multiple(of: number, text: (value.numberText ?? "").cut))
    }
    return rules
  }

  func sizes() throws(JSONSchema.Malformed) -> [SchemaRule] {
    var rules: [SchemaRule] = []
    for (suffix, measure) in [("Length", Measure.characters), ("Items", .elements), ("Properties", .members)] {
      if let least = try count("min" + suffix) { rules.append(.minimum(measure, least)) }
      if let most = try count("max" + suffix) { rules.append(.maximum(measure, most)) }
    }
    return rules
  }
}
