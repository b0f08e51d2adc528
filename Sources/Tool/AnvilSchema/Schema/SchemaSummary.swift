internal import AnvilJSON

/// A summary of a schema's requirements for a value, short enough for a message.
struct SchemaSummary {
  private(set) var types: [SchemaType]?
  /// The values that `const` or `enum` allow.
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

  /// The kinds of value that match; empty if they are not known.
  var kinds: [JSON.Kind] {
    let all = values?.map(\.kind) ?? types?.map(\.kind) ?? []
    var seen: Set<JSON.Kind> = []
    return all.filter { seen.insert($0).inserted }
  }

  /// Returns the number of ``tags`` for which the object `value` has a member with an allowed value.
  func tagCount(in value: JSON) -> Int {
    tags.count { tag in value[tag.key].map { tag.values.contains($0) } ?? false }
  }

  /// A description: `null`, `one of "a", "b"`, `an object whose "kind" is "circle"`.
  var phrase: String {
    knownPhrase ?? "a value that matches \(JSON.Pointer(schemaSteps: steps).description.quoted)"
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
