/// Writes code that reads members with a `JSON.Reader`.
struct DirectReading {
  private let reader: String
  /// The type whose wrappers' types are taken from its properties.
  private let model: String
  private var scope: Scope
  /// The variables that hold what was read, by property: first that of the key, then those of its aliases.
  private var variables: [String: [String]] = [:]

  /// - Parameter reader: The name of the reader in the function.
  init(_ tree: MemberTree, reader: String, scope: Scope, model: String) {
    self.reader = reader
    self.scope = scope
    self.model = model
    for property in tree.properties {
      variables[property.plainName] =
        [property.name] + property.aliases.indices.map { self.scope.name("\(property.plainName)_\($0 + 2)") }
    }
  }

  /// Returns the declarations of the variables and the loop that sets them.
  mutating func members(of tree: MemberTree) -> Lines {
    var declarations = Lines()
    for property in tree.properties {
      for variable in variables[property.plainName] ?? [] {
        declarations.add(declaration(of: variable, for: property))
      }
    }
    let loop = loop(over: tree, &declarations)
    declarations.add(loop)
    return declarations
  }

  private func declaration(of variable: String, for property: Property) -> String {
    if property.isWrapped {
      return "var \(variable) = AnvilCodable.unread { (model: \(model)) in model.\(property.storedName) }"
    }
    let type = property.wrapped.map { "\($0)?" } ?? (property.fallback == nil ? property.type : "\(property.type)?")
    return "var \(variable): Swift.Optional<\(type)> = nil"
  }

  /// Returns the loop over the members of an object. The declarations of further variables are added.
  private mutating func loop(over tree: MemberTree, _ declarations: inout Lines) -> Lines {
    var lines = Lines()
    var cases: [(key: String, body: Lines)] = []
    for entry in tree.entries {
      switch entry {
      case .value(let property): cases += self.cases(of: property)
      case .object(let key, let inner):
        let variable = scope.name(key.identifierPart + "IsRead")
        declarations.add("var \(variable) = false")
        let loop = loop(over: inner, &declarations)
        var body = Lines()
        // A value that is null is read, too: the next member of the same key does not count.
        let isNull = inner.isOptional ? "try !\(reader).readNullIfPresent()" : "true"
        body.block("if \(variable)", end: " else if \(isNull) {") { $0.add("try \(reader).skip()") }
        for line in loop.text { body.add("  " + line) }
        body.add("}")
        body.add("\(variable) = true")
        cases.append((key, body))
      }
    }
    lines.add("try \(reader).beginObject()")
    if cases.contains(where: { $0.key.needsEscapes || $0.key.isEmpty }) {
      loopOverNames(cases, &lines)
    } else {
      loopOverTable(cases, &lines)
    }
    return lines
  }

  private mutating func loopOverTable(_ cases: [(key: String, body: Lines)], _ lines: inout Lines) {
    let cursor = scope.name("cursor")
    let member = scope.name("member")
    // The keys, each with a quotation mark behind it, and eight spaces.
    let table = cases.map { $0.key + "\"" }.joined() + "        "
    lines.add("var \(cursor) = AnvilJSON.JSON.KeyCursor()")
    lines.block("while case let \(member) = try \(reader).nextMember(in: \(table.literal), &\(cursor)), \(member) >= 0") {
      lines in
      guard !cases.isEmpty else { return }
      lines.block("switch \(member)") { lines in
        for (index, (_, body)) in cases.enumerated() {
          lines.add(index == cases.count - 1 ? "default:" : "case \(index):")
          for line in body.text { lines.add("  " + line) }
        }
      }
    }
  }

  /// Adds the loop for keys that cannot be in a table: with characters that JSON escapes.
  private mutating func loopOverNames(_ cases: [(key: String, body: Lines)], _ lines: inout Lines) {
    let name = scope.name("memberName")
    lines.block("while let \(name) = try \(reader).nextKey()") { lines in
      lines.block("switch \(name)") { lines in
        for (key, body) in cases {
          lines.add("case \(key.literal):")
          for line in body.text { lines.add("  " + line) }
        }
        lines.add("default: try \(reader).skip()")
      }
      lines.add("try \(reader).nextMember()")
    }
  }

  private func cases(of property: Property) -> [(key: String, body: Lines)] {
    let keys = [property.path.last ?? ""] + property.aliases
    return zip(keys, variables[property.plainName] ?? []).map { key, variable in
      var body = Lines()
      let strategy = property.strategy.map { ", by: \($0)" } ?? ""
      body.add("try \(reader).readFirst(into: &\(variable)\(strategy))")
      return (key, body)
    }
  }

  /// Returns the expression for the value of a property, which may throw.
  func value(of property: Property) -> String {
    let read = (variables[property.plainName] ?? []).joined(separator: " ?? ")
    let required = "try \(reader).require(\(read), \(property.path.joined(separator: ".").literal))"
    guard !property.isRequired, !property.isWrapped else { return required }
    let chosen = property.aliases.isEmpty ? read : "(\(read))"
    guard let fallback = property.fallback else { return "\(chosen) ?? nil" }
    return property.isOptional ? "\(chosen) ?? \(fallback)" : "(\(chosen) ?? nil) ?? \(fallback)"
  }
}

extension String {
  /// True if JSON escapes one of the characters.
  fileprivate var needsEscapes: Bool {
    unicodeScalars.contains { $0 == "\"" || $0 == "\\" || $0.value < 0x20 }
  }
}
