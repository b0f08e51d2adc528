internal import AnvilBase
internal import AnvilJSON

/// The compilation of keywords, in the order in which they are checked.
extension SchemaCompiler {
  /// Keywords that are known and have no effect on a check.
  private static let silent: Set<String> = [
    "$id", "$schema", "$anchor", "$dynamicAnchor", "$comment", "$defs", "definitions", "title", "description",
    "default", "examples", "deprecated", "readOnly", "writeOnly",
  ]

  /// Keywords that are compiled, alone or together with others.
  private static let checked: Set<String> = [
    "$ref", "$dynamicRef", "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minLength", "maxLength", "pattern", "format", "required", "properties", "patternProperties",
    "additionalProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
    "dependencies", "items", "prefixItems", "additionalItems", "contains", "minContains", "maxContains", "minItems",
    "maxItems", "uniqueItems", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "unevaluatedProperties",
    "unevaluatedItems",
  ]

  mutating func compileKeywords(of json: JSON, node: Int) throws(Malformed) {
    let keywords = SchemaKeywords(json: json, node: node, steps: nodes[node].steps)
    for keyword in ["$defs", "definitions"] { _ = try named(keyword, in: keywords) }
    try reference("$ref", in: keywords)
    if draft(of: node).ignoresBesideReference, json["$ref"] != nil { return }
    // First the rules that make all others irrelevant if they fail.
    try add(types(keywords), to: node)
    add(keywords["const"].map { .constant($0) }, to: node)
    try add(keywords.array("enum").map { .oneOf(values: $0) }, to: node)
    for rule in try keywords.bounds() + keywords.sizes() { add(rule, to: node) }
    try strings(keywords)
    try objects(keywords)
    try arrays(keywords)
    try combinations(keywords)
    try reference("$dynamicRef", in: keywords)
    // Last the rules that depend on all others.
    try add(one("unevaluatedProperties", in: keywords).map { .unevaluatedMembers($0) }, to: node)
    try add(one("unevaluatedItems", in: keywords).map { .unevaluatedElements($0) }, to: node)
    for key in json.keys where !Self.silent.contains(key) && !Self.checked.contains(key) && !key.hasPrefix("x-") {
      note(key.cut, at: keywords.steps)
    }
  }

  private mutating func add(_ rule: SchemaRule?, to node: Int) {
    if let rule { nodes[node].rules.append(rule) }
  }

  private mutating func compile(
    _ json: JSON, at place: JSON.Step..., in keywords: SchemaKeywords
  ) throws(Malformed) -> Int {
    try compile(json, at: keywords.steps + place, in: nodes[keywords.node].resource)
  }

  private mutating func one(_ keyword: String, in keywords: SchemaKeywords) throws(Malformed) -> Int? {
    guard let value = keywords[keyword] else { return nil }
    return try compile(value, at: .key(keyword), in: keywords)
  }

  private mutating func many(_ keyword: String, in keywords: SchemaKeywords) throws(Malformed) -> [Int]? {
    try keywords.array(keyword)?.enumerated().map { index, element throws(Malformed) in
      try compile(element, at: .key(keyword), .index(index), in: keywords)
    }
  }

  /// Compiles the object of schemas at a keyword and returns their nodes. If a key is repeated, its first schema is used.
  private mutating func named(
    _ keyword: String, in keywords: SchemaKeywords
  ) throws(Malformed) -> [(key: String, schema: Int)] {
    guard let value = keywords[keyword] else { return [] }
    guard value.kind == .object else { throw keywords.malformed(keyword, "not an object") }
    return try value.members.map { key, member throws(Malformed) in
      (key, try compile(member, at: .key(keyword), .key(key), in: keywords))
    }
  }

  private mutating func reference(_ keyword: String, in keywords: SchemaKeywords) throws(Malformed) {
    guard let value = keywords[keyword] else { return }
    guard let text = value.string else { throw keywords.malformed(keyword, "not a string") }
    let node = keywords.node
    // Reserves the rule's index. References are resolved after all schemas are known.
    pending.append(Reference(node: node, rule: nodes[node].rules.count, text: text, keyword: keyword))
    let anchor = PercentEncoding.decode(URIReference(text).fragment ?? "")
    add(keyword == "$ref" ? .reference(node) : .dynamicReference(node, anchor: anchor), to: node)
  }

  private func types(_ keywords: SchemaKeywords) throws(Malformed) -> SchemaRule? {
    guard let names = keywords["type"]?.oneOrMore else { return nil }
    if names.isEmpty { throw keywords.malformed("type", "an array without a type name") }
    let types = names.compactMap { $0.string.flatMap(SchemaType.init) }
    guard types.count == names.count else { throw keywords.malformed("type", "not a valid type name") }
    return .types(types)
  }

  private mutating func strings(_ keywords: SchemaKeywords) throws(Malformed) {
    if let value = keywords["pattern"] {
      add(.pattern(try keywords.pattern(value, at: .key("pattern"))), to: keywords.node)
    }
    guard let value = keywords["format"] else { return }
    guard let name = value.string else { throw keywords.malformed("format", "not a string") }
    guard let format = StringFormat(rawValue: name) else { return note("format \(name.quoted)", at: keywords.steps) }
    add(.format(format), to: keywords.node)
  }

  private mutating func objects(_ keywords: SchemaKeywords) throws(Malformed) {
    var members = MemberRules()
    for (key, schema) in try named("properties", in: keywords) {
      members.named[.key(key)] = members.named[.key(key)] ?? schema
    }
    for (pattern, schema) in try named("patternProperties", in: keywords) {
      let checked = try keywords.pattern(JSON(pattern), at: .key("patternProperties"), .key(pattern))
      members.patterns.append((checked, schema))
    }
    members.others = try one("additionalProperties", in: keywords)
    if let required = keywords["required"] {
      let keys = try keywords.strings(required, at: .key("required"))
      add(.required(keys.map { ($0, members.named[.key($0)]) }), to: keywords.node)
    }
    let hasRules = !members.named.isEmpty || !members.patterns.isEmpty || members.others != nil
    if hasRules { add(.members(members), to: keywords.node) }
    try add(one("propertyNames", in: keywords).map { .names($0) }, to: keywords.node)
    try dependencies(keywords)
  }

  private mutating func dependencies(_ keywords: SchemaKeywords) throws(Malformed) {
    var required: [(key: String, keys: [String])] = []
    for keyword in ["dependentRequired", "dependencies"] {
      guard let value = keywords[keyword] else { continue }
      guard value.kind == .object else { throw keywords.malformed(keyword, "not an object") }
      for (key, member) in value.members where keyword == "dependentRequired" || member.kind == .array {
        required.append((key, try keywords.strings(member, at: .key(keyword), .key(key))))
      }
    }
    if !required.isEmpty { add(.dependentRequired(required), to: keywords.node) }
    var schemas = try named("dependentSchemas", in: keywords)
    // Older drafts combine both in one keyword.
    for (key, member) in (keywords["dependencies"] ?? [:]).members where member.kind != .array {
      schemas.append((key, try compile(member, at: .key("dependencies"), .key(key), in: keywords)))
    }
    if !schemas.isEmpty { add(.dependentSchemas(schemas), to: keywords.node) }
  }

  private mutating func arrays(_ keywords: SchemaKeywords) throws(Malformed) {
    var prefix = try many("prefixItems", in: keywords)
    let rest: Int?
    if prefix == nil, keywords["items"]?.kind == .array {
      prefix = try many("items", in: keywords)
      rest = try one("additionalItems", in: keywords)
    } else {
      rest = try one("items", in: keywords)
      if draft(of: keywords.node) == .draft2020, keywords["additionalItems"] != nil {
        note("additionalItems", at: keywords.steps)
      }
    }
    if prefix != nil || rest != nil { add(.elements(prefix: prefix ?? [], rest: rest), to: keywords.node) }
    if let contains = try one("contains", in: keywords) {
      let least = try keywords.count("minContains") ?? 1
      add(.contains(contains, atLeast: least, atMost: try keywords.count("maxContains")), to: keywords.node)
    }
    if let value = keywords["uniqueItems"] {
      guard let isUnique = value.bool else { throw keywords.malformed("uniqueItems", "neither true nor false") }
      if isUnique { add(.unique, to: keywords.node) }
    }
  }

  private mutating func combinations(_ keywords: SchemaKeywords) throws(Malformed) {
    for (keyword, rule) in [("allOf", SchemaRule.all), ("anyOf", SchemaRule.any), ("oneOf", SchemaRule.one)] {
      guard let schemas = try many(keyword, in: keywords) else { continue }
      guard !schemas.isEmpty else { throw keywords.malformed(keyword, "an empty array") }
      add(rule(schemas), to: keywords.node)
    }
    try add(one("not", in: keywords).map { .not($0) }, to: keywords.node)
    let then = try one("then", in: keywords)
    let otherwise = try one("else", in: keywords)
    if let condition = try one("if", in: keywords) {
      add(.condition(if: condition, then: then, else: otherwise), to: keywords.node)
    }
  }
}

/// The keywords of a schema, and its place.
struct SchemaKeywords {
  typealias Malformed = JSONSchema.Malformed

  let json: JSON
  let node: Int
  let steps: [JSON.Step]

  subscript(keyword: String) -> JSON? { json[keyword] }

  func malformed(_ keyword: String, _ reason: String) -> Malformed {
    Malformed(steps: steps + [.key(keyword)], reason: reason)
  }

  /// Returns the value of `keyword`, which must be a non-negative integer, clamped to `Int.max`; `nil` if the keyword is missing.
  func count(_ keyword: String) throws(Malformed) -> Int? {
    guard let value = self[keyword] else { return nil }
    guard let count = value.exactNumber?.count else { throw malformed(keyword, "not a non-negative integer") }
    return count
  }

  func array(_ keyword: String) throws(Malformed) -> [JSON]? {
    guard let value = self[keyword] else { return nil }
    guard value.kind == .array else { throw malformed(keyword, "not an array") }
    return Array(value.elements)
  }

  func strings(_ value: JSON, at place: JSON.Step...) throws(Malformed) -> [String] {
    let strings = value.elements.compactMap(\.string)
    guard value.kind == .array, strings.count == value.count else {
      throw Malformed(steps: steps + place, reason: "not an array of strings")
    }
    return strings
  }

  func pattern(_ value: JSON, at place: JSON.Step...) throws(Malformed) -> String {
    guard let text = value.string else { throw Malformed(steps: steps + place, reason: "not a string") }
    do {
      _ = try SchemaPattern(text)
    } catch {
      throw Malformed(steps: steps + place, reason: error.reason)
    }
    return text
  }

  func bounds() throws(Malformed) -> [SchemaRule] {
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

  func sizes() throws(Malformed) -> [SchemaRule] {
    var rules: [SchemaRule] = []
    for (suffix, measure) in [("Length", Measure.characters), ("Items", .elements), ("Properties", .members)] {
      if let least = try count("min" + suffix) { rules.append(.minimum(measure, least)) }
      if let most = try count("max" + suffix) { rules.append(.maximum(measure, most)) }
    }
    return rules
  }
}
