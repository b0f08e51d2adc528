/// The code that the macros generate for a model.
///
/// The members of a class or an enumeration are generated in its body, where all names are visible to the type. The
/// members of a structure are generated in extensions, because an initialiser in the body would suppress the memberwise
/// initialiser.
package struct Expansion {
  package struct Directions: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    static let decoding = Directions(rawValue: 1)
    static let encoding = Directions(rawValue: 2)
  }

  private struct Conformance {
    var names: [String]
    /// The protocols that generic parameters must conform to.
    var requirements: [String]
    var members = Lines()
  }

  let model: Model
  let directions: Directions
  /// The protocols that the type does not declare itself.
  let missing: Set<String>

  /// The declarations in the body of the type.
  var members: [String] {
    switch model.shape {
    case .structure(let tree):
      [model.isNested ? ScopedMembers(tree).declaration : nil, memberwiseInitializer?.joined].compactMap(\.self)
    case .finalClass, .enumeration: ([keys] + conformances.map(\.members)).filter { !$0.text.isEmpty }.map(\.joined)
    }
  }

  /// The extensions: one for the keys, and one for each direction, of a type without generic parameters.
  var extensions: [String] {
    var extensions = conformances.compactMap { extensionOf($0) }
    if model.isStructure, !keys.text.isEmpty {
      var lines = Lines()
      lines.block("\(Names.extension) \(model.type)") { $0.add(keys) }
      extensions.insert(lines.joined, at: 0)
    }
    return extensions
  }

  /// The memberwise initialiser of a structure that other modules use. That of the compiler is internal.
  private var memberwiseInitializer: Lines? {
    guard let parameters = model.parameters else { return nil }
    let declarations = parameters.map { parameter in
      let declaration = "\(parameter.name): \(parameter.type)"
      guard let value = parameter.value else { return declaration }
      return declaration + (parameter.isLiteral ? " = \(value)" : "? = nil")
    }
    var lines = Lines()
    lines.block("\(model.modifiersInBody)init(\(declarations.joined(separator: ", ")))") { lines in
      for parameter in parameters {
        let value = parameter.isLiteral ? "" : " ?? \(parameter.value ?? "")"
        lines.add("self.\(parameter.name) = \(parameter.name)\(value)")
      }
    }
    return lines
  }

  private var keys: Lines {
    switch model.shape {
    case .structure(let tree), .finalClass(let tree): StructureExpansion(model, tree).keys
    case .enumeration(let tagging, let cases): EnumerationExpansion(model, tagging, cases).keys
    }
  }

  private var conformances: [Conformance] {
    let parts = parts
    var conformances: [Conformance] = []
    if case .enumeration(let tagging, let cases) = model.shape, tagging.tag != nil {
      let members = EnumerationExpansion(model, tagging, cases).tag
      conformances.append(Conformance(names: [Names.tagged], requirements: [], members: members))
    }
    if directions.contains(.decoding) {
      conformances += decodingConformances(parts)
      if generatesUpdate {
        conformances.append(Conformance(names: [], requirements: [], members: parts.updating))
      }
    }
    if directions.contains(.encoding) { conformances += encodingConformances(parts) }
    return conformances
  }

  private func decodingConformances(_ parts: Parts) -> [Conformance] {
    // A handwritten initialiser may read a different format, which a decoder reads with containers.
    let isDirect = !model.hasDecodableInitializer
    let reading = isDirect ? parts.reading : customReading
    var decoding = isDirect ? parts.decoding : Lines()
    if isDirect { decoding.add(keyAliases) }
    guard !model.genericParameters.isEmpty else {
      // The protocol for the direct path implies the others, but the compiler does not see this in an expansion.
      let names = [Names.readable, Names.mappingDecodable, Names.decodable]
      var members = reading
      members.add(decoding)
      return [
        Conformance(names: (isDirect ? [Names.directlyDecodable] : []) + names, requirements: [], members: members)
      ]
    }
    // Each for all parameters that it is possible for.
    let conformances = [
      Conformance(names: [Names.readable], requirements: [Names.readable], members: reading),
      Conformance(
        names: [Names.mappingDecodable, Names.decodable], requirements: [Names.decodable], members: decoding),
    ]
    let direct = Conformance(names: [Names.directlyDecodable], requirements: [Names.decodable, Names.readable])
    return isDirect ? conformances + [direct] : conformances
  }

  private func encodingConformances(_ parts: Parts) -> [Conformance] {
    let isDirect = !model.hasEncodeFunction && !hasSlashes
    let writing = model.hasEncodeFunction ? customWriting : parts.writing
    let encoding = model.hasEncodeFunction ? Lines() : parts.encoding
    guard !model.genericParameters.isEmpty else {
      var members = writing
      members.add(encoding)
      let names = (isDirect ? [Names.directlyEncodable] : []) + [Names.writable, Names.encodable]
      return [Conformance(names: names, requirements: [], members: members)]
    }
    let conformances = [
      Conformance(names: [Names.writable], requirements: [Names.writable], members: writing),
      Conformance(names: [Names.encodable], requirements: [Names.encodable], members: encoding),
    ]
    let direct = Conformance(names: [Names.directlyEncodable], requirements: [Names.encodable, Names.writable])
    return isDirect ? conformances + [direct] : conformances
  }

  /// Reading by the type's own `init(from:)`, also where the type is a member of a model on the direct path.
  private var customReading: Lines {
    var lines = Lines()
    lines.block(
      "\(model.modifiers)static func read(from reader: inout \(Names.reader)) throws(\(Names.readingError)) -> \(model.selfName)\(model.functionClause(Names.readable))"
    ) { $0.add("try reader._readCodable(\(model.selfName).self)") }
    return lines
  }

  /// The other keys of the members of the outermost object.
  private var keyAliases: Lines {
    var lines = Lines()
    let properties =
      switch model.shape {
      case .structure(let tree), .finalClass(let tree): tree.decoded.declared
      case .enumeration: [Property]()
      }
    let aliased = properties.filter { $0.path.count == 1 && !$0.aliases.isEmpty }
    guard !aliased.isEmpty else { return lines }
    lines.block("\(model.modifiers)static var _keyAliases: [Swift.String: [Swift.String]]") { lines in
      lines.add("[")
      for property in aliased {
        lines.add("  \(property.path[0].literal): [\(property.aliases.map(\.literal).joined(separator: ", "))],")
      }
      lines.add("]")
    }
    return lines
  }

  /// Writing by the type's own `encode(to:)`.
  private var customWriting: Lines {
    var lines = Lines()
    lines.block("\(model.modifiers)func write(to writer: inout \(Names.writer))\(model.functionClause(Names.writable))")
    {
      $0.add("writer._writeCodable(self)")
    }
    return lines
  }

  /// True if an update keeps values that the type does not code.
  ///
  /// Macros must generate the coding in both directions, because an update keeps the values that `encode(to:)` writes. The type must not have
  /// generic parameters, because its functions would be in an extension with requirements. The compiler would then silently ignore an
  /// `update(from:)` that the type declares in another extension. Without requirements, the compiler reports a redeclaration.
  private var generatesUpdate: Bool {
    guard case .structure = model.shape else { return false }
    return model.isUpdatable && !model.ignoredVariables.isEmpty && !model.hasDecodableInitializer
      && !model.hasEncodeFunction && model.genericParameters.isEmpty
      && (directions.contains(.encoding) || model.isDeclaredEncodable)
  }

  private var parts: Parts {
    switch model.shape {
    case .structure(let tree):
      StructureExpansion(model, model.isNested ? ScopedMembers(tree).members : tree).parts
    case .finalClass(let tree): StructureExpansion(model, tree).parts
    case .enumeration(let tagging, let cases): EnumerationExpansion(model, tagging, cases).parts
    }
  }

  /// True if a key contains a slash. Encoders escape slashes, and a `JSON.Writer` does not.
  private var hasSlashes: Bool {
    switch model.shape {
    case .structure(let tree), .finalClass(let tree): tree.hasSlashes
    case .enumeration(let tagging, let cases):
      switch tagging {
      case .raw, .name: false
      case .key, .external: cases.contains { $0.tag.contains("/") || MemberTree($0.values).hasSlashes }
      case .internal(let tag): tag.contains("/")
      case .adjacent(let tag, let content): (tag + content).contains("/")
      }
    }
  }

  /// Returns an extension that conforms to protocols; `nil` if it would be empty.
  private func extensionOf(_ conformance: Conformance) -> String? {
    let names = conformance.names.filter { missing.contains($0.split(separator: ".").last.map(String.init) ?? "") }
    let members = model.isStructure ? conformance.members : Lines()
    guard !names.isEmpty || !members.text.isEmpty else { return nil }
    let clause = conformance.requirements.isEmpty ? "" : model.clause(conformance.requirements)
    let conformances = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
    var lines = Lines()
    lines.block("\(Names.extension) \(model.type)\(conformances)\(clause)") { $0.add(members) }
    return lines.joined
  }
}

/// The generated members of a model, for each of its conformances.
struct Parts {
  var reading: Lines
  var updating = Lines()
  var decoding: Lines
  var writing: Lines
  var encoding: Lines
}

/// Makes the types and expressions of a nested type available to its extensions.
///
/// The body of `Inner` can use the other types in `Outer`, but an extension of `Outer.Inner` cannot. So an enumeration
/// in the body declares names for them. The initialisers of a structure must be in an extension, because in the body
/// they would suppress the memberwise initialiser.
struct ScopedMembers {
  static let name = "JSONMembers"

  private let tree: MemberTree

  init(_ tree: MemberTree) { self.tree = tree }

  /// The enumeration; `nil` if it would be empty.
  var declaration: String? {
    guard !tree.properties.isEmpty else { return nil }
    var lines = Lines()
    // The types may be private to the file.
    lines.block("fileprivate nonisolated enum \(Self.name)") { lines in
      for property in tree.properties where !property.isWrapped {
        lines.add("typealias \(typeName(property)) = \(property.wrapped ?? property.type)")
        if let fallback = property.fallback, !isPlain(fallback) {
          lines.add("static var \(property.identifier)Default: \(property.type) { \(fallback) }")
        }
        if let strategy = property.strategy, !strategy.hasPrefix(".") {
          // The values of a strategy for an optional property may be optional or not.
          let isOptional = property.isOptional && !property.isNullDistinct
          let value = typeName(property) + (isOptional ? "?" : "")
          let expression = isOptional ? "AnvilCodable._strategy(\(strategy), for: (\(value)).self)" : strategy
          lines.add(
            "static var \(property.identifier)Strategy: some AnvilCodable.CodableStrategy<\(value)> { \(expression) }")
        }
      }
    }
    return lines.joined
  }

  /// The members, with their types and expressions replaced by the names from the enumeration.
  var members: MemberTree {
    MemberTree(
      tree.properties.map { property in
        guard !property.isWrapped else { return property }
        var named = property
        let type = "\(Self.name).\(typeName(property))"
        named.type = type + (property.isOptional ? "?" : "") + (property.isNullDistinct ? "?" : "")
        if property.isOptional { named.wrapped = type }
        if let fallback = property.fallback, !isPlain(fallback) {
          named.fallback = "\(Self.name).\(property.identifier)Default"
        }
        if let strategy = property.strategy, !strategy.hasPrefix(".") {
          named.strategy = "\(Self.name).\(property.identifier)Strategy"
        }
        return named
      })
  }

  private func typeName(_ property: Property) -> String { property.identifier.capitalizedFirst + "MemberType" }

  /// Returns whether an expression is a literal, which has the same meaning in every scope.
  private func isPlain(_ expression: String) -> Bool {
    guard let first = expression.first else { return true }
    return expression == "[]" || expression == "[:]" || expression == "nil" || expression == "true"
      || expression == "false"
      || first.isNumber || (first == "\"" && !expression.contains("\\("))
  }
}
