import SwiftSyntax
import SwiftSyntaxBuilder

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
    let scoped = ScopedMembers(model).declaration.map { [$0] } ?? []
    guard !model.isStructure else { return scoped + (memberwiseInitializer.map { [$0.joined] } ?? []) }
    return scoped + ([keys] + conformances.map(\.members)).filter { !$0.text.isEmpty }.map(\.joined)
  }

  /// The extensions: one for each direction of a type without generic parameters. The keys are in the first of them, or in a separate one if
  /// the first has requirements.
  var extensions: [String] {
    var conformances = conformances
    if model.isStructure {
      let isFirstOpen = conformances.first.map { $0.requirements.isEmpty && extensionOf($0) != nil } ?? false
      if !isFirstOpen { conformances.insert(Conformance(names: [], requirements: []), at: 0) }
      var members = keys
      members.add(conformances[0].members)
      conformances[0].members = members
    }
    return conformances.compactMap { extensionOf($0) }
  }

  /// The memberwise initialiser of a structure that other modules use. That of the compiler is internal.
  private var memberwiseInitializer: Lines? {
    guard let parameters = model.parameters else { return nil }
    var lines = memberwiseInitializer(parameters)
    let others = parameters.filter { !$0.isOverload }
    if others.count < parameters.count { lines.add(memberwiseInitializer(others)) }
    return lines
  }

  private func memberwiseInitializer(_ parameters: [Model.Parameter]) -> Lines {
    let declarations = parameters.map { parameter in
      let declaration = "\(parameter.name): \(parameter.type)"
      guard let value = parameter.value else { return declaration }
      return declaration + (value.isLiteral ? " = \(value.text)" : "? = nil")
    }
    let scoped = ScopedMembers(model)
    return .block("\(model.modifiersInBody)init(\(declarations.joined(separator: ", ")))") { lines in
      for parameter in parameters {
        let value = parameter.value?.isLiteral == false ? scoped.value(of: parameter) : nil
        lines.add("self.\(parameter.name) = \(parameter.name)\(value.map { " ?? \($0)" } ?? "")")
      }
    }
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
    let isDirect = !model.hasDecodableInitializer && !hasForeignWrapper
    let reading = isDirect ? parts.reading : customReading
    var decoding = model.hasDecodableInitializer ? Lines() : parts.decoding
    if isDirect { decoding.add(keyAliases) }
    guard model.hasParameters else {
      // The protocol for the direct path implies the others, but the compiler does not see this in an expansion.
      let names = [Names.readable, Names.mappingDecodable, Names.decodable]
      var members = reading
      members.add(decoding)
      return [
        Conformance(names: (isDirect ? [Names.directlyDecodable] : []) + names, requirements: [], members: members)
      ]
    }
    // Containers need only `Decodable` parameters.
    return [
      Conformance(
        names: (isDirect ? [Names.directlyDecodable] : []) + [Names.readable],
        requirements: [Names.decodable, Names.readable], members: reading),
      Conformance(
        names: [Names.mappingDecodable, Names.decodable], requirements: [Names.decodable], members: decoding),
    ]
  }

  private func encodingConformances(_ parts: Parts) -> [Conformance] {
    let usesContainers = model.hasEncodeFunction || hasForeignWrapper
    let isDirect = !usesContainers && !hasSlashes
    let writing = usesContainers ? customWriting : parts.writing
    let encoding = model.hasEncodeFunction ? Lines() : parts.encoding
    guard model.hasParameters else {
      var members = writing
      members.add(encoding)
      let names = (isDirect ? [Names.directlyEncodable] : []) + [Names.writable, Names.encodable]
      return [Conformance(names: names, requirements: [], members: members)]
    }
    return [
      Conformance(
        names: (isDirect ? [Names.directlyEncodable] : []) + [Names.writable],
        requirements: [Names.encodable, Names.writable], members: writing),
      Conformance(names: [Names.encodable], requirements: [Names.encodable], members: encoding),
    ]
  }

  /// True if a wrapper may have overloads of `decode` and `encode` for containers, by which for example a missing member is its default.
  private var hasForeignWrapper: Bool { model.properties.contains { $0.isForeignWrapped && $0.fallback == nil } }

  /// Reading by `init(from:)`, also where the type is a member of a model on the direct path.
  private var customReading: Lines {
    .block(
      "\(model.modifiers)static func read(from reader: inout \(Names.reader)) throws(\(Names.readingError)) -> \(model.selfName)\(model.functionClause(Names.readable))"
    ) { $0.add("try reader._readCodable(\(model.selfExpression).self)") }
  }

  /// The other keys of the members of the outermost object.
  private var keyAliases: Lines {
    let properties = model.tree?.decoded.declared ?? []
    let aliased = properties.filter { $0.path.count == 1 && !$0.aliases.isEmpty }
    guard !aliased.isEmpty else { return Lines() }
    return .block("\(model.modifiers)static var _keyAliases: [Swift.String: [Swift.String]]") { lines in
      lines.add("[")
      for property in aliased {
        lines.add("  \(property.path[0].literal): [\(property.aliases.map(\.literal).joined(separator: ", "))],")
      }
      lines.add("]")
    }
  }

  /// Writing by `encode(to:)`.
  private var customWriting: Lines {
    .block("\(model.modifiers)func write(to writer: inout \(Names.writer))\(model.functionClause(Names.writable))") {
      $0.add("writer._writeCodable(self)")
    }
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
    switch ScopedMembers(model).scoped.shape {
    case .structure(let tree), .finalClass(let tree): StructureExpansion(model, tree).parts
    case .enumeration(let tagging, let cases): EnumerationExpansion(model, tagging, cases).parts
    }
  }

  /// True if a key contains a slash. Encoders escape slashes, and a `JSON.Writer` does not.
  private var hasSlashes: Bool {
    guard case .enumeration(let tagging, let cases) = model.shape else { return model.tree?.hasSlashes ?? false }
    return switch tagging {
    case .raw, .name: false
    case .key, .external: cases.contains { $0.tag.contains("/") || MemberTree($0.values).hasSlashes }
    case .internal(let tag): tag.contains("/")
    case .adjacent(let tag, let content): (tag + content).contains("/")
    }
  }

  /// Returns an extension that conforms to protocols; `nil` if it would be empty.
  private func extensionOf(_ conformance: Conformance) -> String? {
    var names = conformance.names.filter { missing.contains($0.withoutQualification) }
    if let isolation = model.isolation {
      // On the direct path, coders pass types on to any thread.
      names = names.filter { ![Names.directlyDecodable, Names.directlyEncodable].contains($0) }
        .map { "\(isolation) \($0)" }
    }
    let members = model.isStructure ? conformance.members : Lines()
    guard !names.isEmpty || !members.text.isEmpty else { return nil }
    let clause = conformance.requirements.isEmpty ? "" : model.clause(conformance.requirements)
    let conformances = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
    return Lines.block("\(model.extensionKeyword) \(model.type)\(conformances)\(clause)") { $0.add(members) }.joined
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

/// Declares types and expressions in the body of a model, for generated functions in which they could have another meaning.
///
/// - The body of `Inner` can use the other types in `Outer`, but an extension of `Outer.Inner` cannot. The initialisers of a structure must be
///   in an extension, because in the body they would suppress the memberwise initialiser.
/// - The name of a variable or function in an expression may be that of a variable in a generated function, or of a static member, which has
///   no unqualified name in an initialiser.
struct ScopedMembers {
  /// The name of the enumeration, which the declarations of the macros contain.
  private static let name = "JSONMembers"

  private let model: Model
  /// True if the generated functions are in an extension, where names from the types around the model are not visible.
  private let isOutside: Bool
  /// The names of the types in the enumeration, by ``Property/scopedName``.
  private var typeNames: [String: String] = [:]
  /// The names of the values in the enumeration.
  private var valueNames: [String: String] = [:]

  init(_ model: Model) {
    self.model = model
    isOutside = model.isStructure && model.isNested
    let properties = model.properties
    let parameters = model.parameters?.filter(\.hasScopedValue) ?? []
    guard
      isOutside || !parameters.isEmpty || properties.contains(where: { $0.fallback != nil || $0.strategy != nil })
    else { return }
    // A name that the types and expressions use would have another meaning.
    let texts = properties.flatMap { [$0.type, $0.fallback?.text ?? "", $0.strategy?.text ?? ""] }
    let used = texts + parameters.map { $0.value?.text ?? "" } + [model.name]
    var scope = Scope(names: used.flatMap(\.identifiers))
    for property in properties {
      let key = property.scopedName
      if isOutside { typeNames[key] = scope.name(property.identifier.capitalizedFirst + "MemberType") }
      for suffix in ["Default", "Strategy"] { valueNames[key + suffix] = scope.name(key + suffix) }
    }
    for parameter in parameters {
      let key = parameter.plainName + "Initial"
      valueNames[key] = scope.name((parameter.plainName.isPlainIdentifier ? key : key.identifierPart))
    }
  }

  /// The enumeration with the declarations; `nil` if it would be empty.
  var declaration: String? {
    var declarations = Lines()
    for property in model.properties {
      let type = isOutside && !property.isWrapped ? typeName(property) : inside(property.wrapped ?? property.type)
      if isOutside, !property.isWrapped {
        declarations.add("typealias \(type) = \(inside(property.wrapped ?? property.type))")
      }
      if let fallback = property.fallback, isScoped(fallback, of: property) {
        declarations.add(
          "static var \(defaultName(property)): \(inside(property.type)) { return \(fallback.text(in: model.name)) }")
      }
      if let strategy = property.strategy, isScoped(strategy, of: property) {
        // The values of a strategy for an optional property may be optional or not.
        let isOptional = property.isOptional && !property.isNullDistinct
        let value = type + (isOptional ? "?" : "")
        let expression =
          isOptional || !strategy.isChosen
          ? strategy.choosing(for: value, isHidden: property.isTypeHidden && !isOutside) : strategy
        declarations.add(
          "static var \(strategyName(property)): some AnvilCodable.CodableStrategy<\(value)> "
            + "{ return \(expression.text(in: model.name)) }")
      }
    }
    for parameter in model.parameters ?? [] where parameter.hasScopedValue {
      guard let value = parameter.value else { continue }
      declarations.add(
        "static var \(initialName(parameter)): \(inside(parameter.type)) { return \(value.text(in: model.name)) }")
    }
    guard !declarations.text.isEmpty else { return nil }
    // The types may be private to the model.
    let modifiers = model.isolation.map { "\($0) private" } ?? "private nonisolated"
    return Lines.block("\(modifiers) enum \(Self.name)") { $0.add(declarations) }.joined
  }

  /// The model, with types and expressions replaced by the names from the enumeration.
  var scoped: Model {
    var scoped = model
    scoped.shape =
      switch model.shape {
      case .structure(let tree): .structure(MemberTree(tree.properties.map(named)))
      case .finalClass(let tree): .finalClass(MemberTree(tree.properties.map(named)))
      case .enumeration(let tagging, let cases):
        .enumeration(
          tagging,
          cases.map { enumerationCase in
            var named = enumerationCase
            named.values = enumerationCase.values.map(self.named)
            return named
          })
      }
    return scoped
  }

  /// Returns the expression for the default of `property` in the body of the type; `nil` without a default.
  private func defaultInBody(of property: Property) -> String? {
    property.fallback.map { $0.usesVariables ? "\(Self.name).\(defaultName(property))" : $0.text }
  }

  /// Returns the expression for the value of a parameter of the memberwise initialiser without an argument; `nil` if an argument is required.
  func value(of parameter: Model.Parameter) -> String? {
    guard let value = parameter.value else { return nil }
    if parameter.hasScopedValue { return "\(Self.name).\(initialName(parameter))" }
    return parameter.scopedProperty.flatMap(defaultInBody) ?? value.text
  }

  private func named(_ property: Property) -> Property {
    var named = property
    if isOutside, !property.isWrapped {
      let type = "\(Self.name).\(typeName(property))"
      named.type = type + (property.isOptional ? "?" : "") + (property.isNullDistinct ? "?" : "")
      if property.isOptional { named.wrapped = type }
      named.isTypeHidden = false
    }
    if let fallback = property.fallback, isScoped(fallback, of: property) {
      named.fallback = PastedExpression(name: "\(Self.name).\(defaultName(property))")
    }
    if let strategy = property.strategy, isScoped(strategy, of: property) {
      named.strategy = PastedExpression(name: "\(Self.name).\(strategyName(property))")
    }
    return named
  }

  private func isScoped(_ expression: PastedExpression, of property: Property) -> Bool {
    // Without the type, which a property wrapper may determine, the expression cannot be declared.
    !property.type.isEmpty && (isOutside ? !expression.isIndependent : expression.usesVariables)
  }

  /// Returns the type within the enumeration, where `Self` has another meaning.
  private func inside(_ type: String) -> String {
    type.contains("Self") ? TypeSyntax(stringLiteral: type).replacingSelf(with: model.name) : type
  }

  private func typeName(_ property: Property) -> String { typeNames[property.scopedName] ?? "" }
  private func defaultName(_ property: Property) -> String { valueNames[property.scopedName + "Default"] ?? "" }
  private func strategyName(_ property: Property) -> String { valueNames[property.scopedName + "Strategy"] ?? "" }
  private func initialName(_ parameter: Model.Parameter) -> String { valueNames[parameter.plainName + "Initial"] ?? "" }
}
