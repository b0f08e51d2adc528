internal import AnvilBase
internal import AnvilJSON

/// A compiler from a schema document to nodes.
///
/// Schemas are compiled wherever the drafts allow them, used or not, so that all identifiers are known before
/// references are resolved. Other parts of the document are compiled if a reference leads to them.
struct SchemaCompiler {
  typealias Malformed = JSONSchema.Malformed

  /// The outermost schema, or a schema with an `$id`, together with its subschemas up to the next `$id`.
  struct Resource {
    let address: URIReference
    let node: Int
    let draft: SchemaDraft
    var anchors: [String: Int] = [:]
  }

  struct Reference {
    let node: Int
    let rule: Int
    let text: String
    let keyword: String
  }

  static let deepest = 128

  let document: JSON
  var nodes: [SchemaNode] = []
  var notes: [JSONSchema.Note] = []
  var dynamicAnchors: [String: [Int: Int]] = [:]
  var pending: [Reference] = []
  private var resources: [Resource] = []
  private var resourceNumbers: [String: Int] = [:]
  private var compiled: [[JSON.Step]: Int] = [:]
  private var noted: Set<String> = []
  private var depth = 0

  init(document: JSON) { self.document = document }

  mutating func compileAll() throws(Malformed) -> Int {
    let root = try compile(document, at: [], in: nil)
    while let reference = pending.popLast() {
      let target = try resolve(reference)
      var rule = SchemaRule.reference(target)
      // Without a `$dynamicAnchor` at its target, a dynamic reference is a plain one.
      if case .dynamicReference(_, let anchor) = nodes[reference.node].rules[reference.rule],
        dynamicAnchors[anchor]?.values.contains(target) == true
      {
        rule = .dynamicReference(target, anchor: anchor)
      }
      nodes[reference.node].rules[reference.rule] = rule
    }
    try refuseLoops()
    return root
  }

  private func malformed(_ steps: [JSON.Step], _ reason: String) -> Malformed {
    Malformed(steps: steps, reason: reason)
  }

  mutating func note(_ keyword: String, at steps: [JSON.Step]) {
    guard noted.count < 100, noted.insert(keyword).inserted else { return }
    notes.append(JSONSchema.Note(keyword: keyword, pointer: JSON.Pointer(steps)))
  }

  func draft(of node: Int) -> SchemaDraft {
    let number = nodes[node].resource
    return resources.indices.contains(number) ? resources[number].draft : .latest
  }

  mutating func compile(_ json: JSON, at steps: [JSON.Step], in resource: Int?) throws(Malformed) -> Int {
    if let node = compiled[steps] { return node }
    guard depth < Self.deepest else { throw malformed(steps, "more than \(Self.deepest) nested schemas") }
    depth += 1
    defer { depth -= 1 }
    let node = nodes.count
    compiled[steps] = node
    let number = try identify(json, node: node, at: steps, in: resource)
    nodes.append(SchemaNode(steps: steps, resource: number))
    if let value = json.bool {
      nodes[node].rules = value ? [] : [.nothing]
      return node
    }
    guard json.kind == .object else { throw malformed(steps, "neither an object nor true or false") }
    try name(json, node: node)
    try compileKeywords(of: json, node: node)
    return node
  }

  /// Returns the number of the resource that contains a schema. A schema with an `$id` starts a new resource.
  private mutating func identify(
    _ json: JSON, node: Int, at steps: [JSON.Step], in resource: Int?
  ) throws(Malformed) -> Int {
    let around = resource.map { resources[$0] }
    var draft = around?.draft ?? .latest
    let id = json["$id"]
    if around == nil || id != nil, let text = json["$schema"] {
      guard let name = text.string else { throw malformed(steps + [.key("$schema")], "not a string") }
      switch SchemaDraft.named(name) {
      case .known(let known): draft = known
      case .unsupported: throw malformed(steps + [.key("$schema")], "a draft that is not supported: \(name.quoted)")
      case .unknown: note("$schema \(name.quoted)", at: steps)
      }
    }
    if let id, id.string == nil { throw malformed(steps + [.key("$id")], "not a string") }
    let base = around?.address ?? URIReference("")
    // Older drafts ignore the other members of an object with a reference.
    let isIgnored = draft.ignoresBesideReference && json["$ref"]?.string != nil
    let address = isIgnored ? base : URIReference(id?.string ?? "").resolved(against: base)
    // In older drafts, an `$id` with the same address and a fragment is an anchor.
    if let resource, address.resource == base.resource, isIgnored || id == nil || !(address.fragment ?? "").isEmpty {
      return resource
    }
    let number = resources.count
    resources.append(Resource(address: address, node: node, draft: draft))
    guard resourceNumbers[address.resource] == nil else {
      throw malformed(steps + [.key("$id")], "another schema has the same address: \(address.resource.quoted)")
    }
    resourceNumbers[address.resource] = number
    return number
  }

  private mutating func name(_ json: JSON, node: Int) throws(Malformed) {
    let (number, steps) = (nodes[node].resource, nodes[node].steps)
    for keyword in ["$anchor", "$dynamicAnchor"] {
      guard let anchor = json[keyword] else { continue }
      guard let name = anchor.string else { throw malformed(steps + [.key(keyword)], "not a string") }
      try register(name, node: node, at: steps + [.key(keyword)])
      if keyword == "$dynamicAnchor" { dynamicAnchors[name, default: [:]][number] = node }
    }
    if let id = json["$id"]?.string, let anchor = URIReference(id).fragment, !anchor.isEmpty,
      !draft(of: node).ignoresBesideReference || json["$ref"] == nil
    {
      try register(PercentEncoding.decode(anchor), node: node, at: steps + [.key("$id")])
    }
  }

  private mutating func register(_ name: String, node: Int, at steps: [JSON.Step]) throws(Malformed) {
    let number = nodes[node].resource
    guard resources[number].anchors[name, default: node] == node else {
      throw malformed(steps, "another schema has the same name: \(name.quoted)")
    }
    resources[number].anchors[name] = node
  }

  private mutating func resolve(_ reference: Reference) throws(Malformed) -> Int {
    let origin = nodes[reference.node]
    let steps = origin.steps + [.key(reference.keyword)]
    let address = URIReference(reference.text).resolved(against: resources[origin.resource].address)
    guard let number = resourceNumbers[address.resource] else {
      throw malformed(steps, "a reference to another document, which is not supported: \(reference.text.quoted)")
    }
    let fragment = PercentEncoding.decode(address.fragment ?? "")
    if fragment.isEmpty { return resources[number].node }
    let node: Int? =
      if !fragment.hasPrefix("/") {
        resources[number].anchors[fragment]
      } else if let pointer = try? JSON.Pointer(fragment) {
        try compile(at: pointer, in: number)
      } else {
        nil
      }
    guard let node else {
      throw malformed(steps, "a reference that cannot be resolved: \(reference.text.quoted)")
    }
    return node
  }

  /// Compiles the value at `pointer` in a resource. Returns `nil` if there is no value.
  private mutating func compile(at pointer: JSON.Pointer, in number: Int) throws(Malformed) -> Int? {
    var steps = nodes[resources[number].node].steps
    guard var value = document[JSON.Pointer(steps)] else { return resources[number].node }
    var resource = number
    for token in pointer.tokens {
      guard let next = value[JSON.Pointer(tokens: [token])] else { return nil }
      steps.append(value.kind == .array ? .index(Int(token) ?? 0) : .key(token))
      value = next
      if let node = compiled[steps] { resource = nodes[node].resource }
    }
    return try compile(value, at: steps, in: resource)
  }

  /// Throws an error if a schema applies itself to the same value without end.
  private func refuseLoops() throws(Malformed) {
    var isDone = [Bool](repeating: false, count: nodes.count)
    var isOpen = isDone
    for start in nodes.indices where !isDone[start] {
      var stack = [(node: start, next: nodes[start].schemasOfSameValue[...])]
      isOpen[start] = true
      while let (node, schemas) = stack.popLast() {
        guard let next = schemas.first else {
          isOpen[node] = false
          isDone[node] = true
          continue
        }
        stack.append((node, schemas.dropFirst()))
        if isOpen[next] {
          throw malformed(nodes[next].steps, "a schema that applies itself to the same value in an endless loop")
        }
        if !isDone[next] {
          isOpen[next] = true
          stack.append((next, nodes[next].schemasOfSameValue[...]))
        }
      }
    }
  }
}

extension SchemaNode {
  /// The schemas that are applied to the value itself rather than to its contents.
  fileprivate var schemasOfSameValue: [Int] {
    rules.flatMap { rule -> [Int] in
      switch rule {
      case .all(let schemas), .any(let schemas), .one(let schemas): schemas
      case .not(let schema), .reference(let schema), .dynamicReference(let schema, _): [schema]
      case .condition(let condition, let then, let otherwise): [condition] + [then, otherwise].compactMap { $0 }
      case .dependentSchemas(let schemas): schemas.map(\.schema)
      default: []
      }
    }
  }
}

enum SchemaDraft: Sendable {
  case draft6
  case draft7
  case draft2019
  case draft2020

  /// The draft of schemas without `$schema`.
  static let latest = SchemaDraft.draft2020

  enum Naming {
    case known(SchemaDraft)
    /// A draft of JSON Schema that is not supported.
    case unsupported
    /// A dialect that is not published at json-schema.org.
    case unknown
  }

  static func named(_ text: String) -> Naming {
    var name = Substring(text)
    if name.hasSuffix("#") { name = name.dropLast() }
    for scheme in ["https://", "http://"] where name.hasPrefix(scheme) { name = name.dropFirst(scheme.count) }
    return switch name {
    case "json-schema.org/draft/2020-12/schema": .known(.draft2020)
    case "json-schema.org/draft/2019-09/schema": .known(.draft2019)
    case "json-schema.org/draft-07/schema": .known(.draft7)
    case "json-schema.org/draft-06/schema": .known(.draft6)
    default: name.hasPrefix("json-schema.org/") ? .unsupported : .unknown
    }
  }

  /// True if `$ref` replaces all other members of its object.
  var ignoresBesideReference: Bool { self == .draft6 || self == .draft7 }
}
