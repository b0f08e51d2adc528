/// Generates code that reads members with a `JSON.Reader`.
struct DirectReading {
  private let reader: String
  /// The name of the type whose property wrappers are read.
  private let model: String
  /// The name of the enumeration of keys.
  private let keys: String
  private var scope: Scope
  /// The variables, by property: that of the value first, then those of the positions of its aliases.
  private var variables: [String: [String]] = [:]
  /// The keys from the object to each value, by property.
  private let paths: [String: [String]]

  /// Creates a generator for the members of `tree`.
  ///
  /// - Parameters:
  ///   - reader: The name of the reader in the generated function.
  ///   - reserved: The names of other variables that the members must not hide.
  init(
    _ tree: MemberTree, reader: String, scope: Scope, model: String, keys: String, reserved: Set<String> = []
  ) {
    self.reader = reader
    self.scope = scope
    self.model = model
    self.keys = keys
    paths = tree.paths
    for property in tree.properties {
      // A variable named self would hide the value that is initialised.
      let isReserved = reserved.contains(property.plainName) || property.plainName == "self"
      let variable = isReserved ? self.scope.name(property.identifier) : property.name
      variables[property.plainName] =
        [variable] + property.aliases.indices.map { self.scope.name("\(property.identifier)_\($0 + 2)") }
    }
  }

  /// Returns the declarations of the variables and the loop that sets them.
  ///
  /// - Parameter canBeNull: Whether the object may be null, as an object without members.
  mutating func members(of tree: MemberTree, canBeNull: Bool = false) -> Lines {
    var lines = Lines()
    let declarations = tree.properties.flatMap { property in
      (variables[property.plainName] ?? []).enumerated().map { index, variable in
        index == 0
          ? declaration(of: variable, for: property)
          : "\(variable): Swift.Optional<\(Names.reader)._MemberPosition> = nil"
      }
    }
    if !declarations.isEmpty { lines.add("var \(declarations.joined(separator: ", "))") }
    let loop = loop(over: tree, reader: reader, declarations: &lines)
    if canBeNull {
      lines.block("if try !\(reader).readNullIfPresent()") { $0.add(loop) }
    } else {
      lines.add(loop)
    }
    for property in tree.properties where !property.aliases.isEmpty { readAliases(of: property, into: &lines) }
    return lines
  }

  private func declaration(of variable: String, for property: Property) -> String {
    if property.isWrapped { return "\(variable) = \(unread(property, canBeNull: property.fallback != nil))" }
    if property.isRest { return "\(variable): \(property.type) = [:]" }
    let type = property.wrapped.map { "\($0)?" } ?? (property.fallback == nil ? property.type : "\(property.type)?")
    return "\(variable): Swift.Optional<\(type)> = nil"
  }

  private mutating func loop(over tree: MemberTree, reader: String, declarations: inout Lines) -> Lines {
    var lines = Lines()
    var condition = "try \(reader).hasMoreMembers()"
    if let rest = tree.rest, let variable = variables[rest.plainName]?.first {
      let tags = scope.name("tags")
      lines.add("let \(tags) = \(reader)._outerTags()")
      condition = "try \(reader)._hasMoreMembers(rest: &\(variable), except: \(keys).self, \(tags))"
    }
    lines.add("try \(reader).beginObject()")
    guard !tree.entries.isEmpty else {
      lines.add("while \(condition) {}")
      return lines
    }
    var body = Lines()
    for entry in tree.entries {
      switch entry {
      case .value(let property): read(property, reader, into: &body)
      case .object(let key, let inner):
        let variable = scope.name(key.identifierPart + "Members")
        declarations.add("var \(variable): Swift.Optional<Swift.Void> = nil")
        let innerReader = scope.name("inner")
        body.block(
          "try \(reader).read(\(key.literal), into: &\(variable))"
        ) { lines in
          lines.add("(\(innerReader): inout \(Names.reader)) throws(\(Names.readingError)) -> Swift.Void in")
          if inner.isOptional { lines.add("if try \(innerReader).readNullIfPresent() { return }") }
          lines.add(loop(over: inner, reader: innerReader, declarations: &declarations))
        }
      }
    }
    lines.block("repeat", end: " while \(condition)") { $0.add(body) }
    return lines
  }

  private func read(_ property: Property, _ reader: String, into lines: inout Lines) {
    guard let variable = variables[property.plainName]?.first else { return }
    lines.add("try \(reader).\(read(property.path.last ?? "", of: property, into: variable))")
    for (alias, position) in aliases(of: property) {
      lines.add("try \(reader)._skip(alias: \(alias.literal), &\(position))")
    }
  }

  /// Adds the code that reads the first alias whose member was found, unless the value has been read. An alias that is not needed may have
  /// any value.
  private mutating func readAliases(of property: Property, into lines: inout Lines) {
    guard let variable = variables[property.plainName]?.first else { return }
    for (alias, position) in aliases(of: property) {
      let end = scope.name("end")
      lines.add(
        "if let \(end) = \(reader)._return(to: \(position), unless: \(variable)) { "
          + "try \(reader).\(read(alias, of: property, into: variable)); \(reader)._continue(from: \(end)) }")
    }
  }

  private func aliases(of property: Property) -> Zip2Sequence<[String], ArraySlice<String>> {
    zip(property.aliases, (variables[property.plainName] ?? []).dropFirst())
  }

  private func read(_ key: String, of property: Property, into variable: String) -> String {
    "read(\(key.literal), into: &\(variable)\(property.strategy.map { ", _by: \($0.text)" } ?? ""))"
  }

  /// Returns the expression for the `nil` of a property wrapper that has not been read.
  private func unread(_ property: Property, canBeNull: Bool = false) -> String {
    "AnvilCodable._Expansion.unread\(canBeNull ? "OrNull" : "") { (model: \(model)) in model.\(property.storedName) }"
  }

  /// Returns the JSON pointer to the member at the end of `path`, as a literal.
  static func pointer(to path: [String]) -> String {
    path.map { key in
      "/" + key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }.joined().literal
  }

  /// Returns the expression for the value of a property, which may throw.
  func value(of property: Property) -> String {
    let read = variables[property.plainName]?.first ?? ""
    if property.isRest { return read }
    if property.isWrapped ? property.fallback == nil : property.isRequired {
      let path = paths[property.plainName] ?? property.path
      guard path.count > 1 else { return "try \(reader).require(\(read), \(path.joined().literal))" }
      return "try \(reader)._require(\(read), at: \(Self.pointer(to: path)))"
    }
    guard let fallback = property.storedFallback else { return property.isNullDistinct ? read : "\(read) ?? nil" }
    return property.isOptional ? "\(read) ?? \(fallback)" : "(\(read) ?? nil) ?? \(fallback)"
  }
}

/// Generates code that writes members with a `JSON.Writer`.
struct DirectWriting {
  /// Returns the expression for the value of a property.
  private let value: (Property) -> String

  init(value: @escaping (Property) -> String = { "self.\($0.storedName)" }) { self.value = value }

  func members(of tree: MemberTree, to members: String = "members") -> Lines {
    var lines = Lines()
    for entry in tree.entries {
      switch entry {
      case .value(let property):
        let argument = property.isOmittable ? "ifPresent: \(value(property))" : value(property)
        let strategy = property.strategy.map { ", _by: \($0.text)" } ?? ""
        lines.add("\(members).write(\(property.path.last?.literal ?? ""), \(argument)\(strategy))")
      case .object(let key, let inner):
        inner.wrap(value, &lines) { lines in
          lines.block("\(members).object(\(key.literal))", parameters: " members in") { lines in
            lines.add(self.members(of: inner))
          }
        }
      }
    }
    return lines
  }
}

extension MemberTree {
  /// Adds the code for an object that only groups values. The object is left out if all of them are.
  func wrap(_ value: (Property) -> String, _ lines: inout Lines, _ body: (inout Lines) -> Void) {
    guard isOmittable else { return body(&lines) }
    let conditions = properties.map { "\(value($0)) != nil" }
    lines.block("if \(conditions.joined(separator: " || "))", body)
  }
}
