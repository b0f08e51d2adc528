import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A parser that creates a model from a type declaration. It reports parts of the declaration that macros cannot code.
struct ModelParser {
  let problems: Problems
  private let declaration: any DeclGroupSyntax
  private let markers: Markers
  private let naming: KeyNaming
  /// The keys in the type's `CodingKeys`, by property; `nil` if the type does not declare them.
  private let ownKeys: [String: String]?
  private let memberNames: Set<String>

  init(_ declaration: some DeclGroupSyntax, problems: Problems) {
    self.declaration = declaration
    self.problems = problems
    markers = Markers(declaration.attributes)
    naming = markers.naming(problems) ?? .camelCase
    ownKeys = Self.ownKeys(of: declaration)
    memberNames = Self.memberNames(of: declaration)
  }

  /// Returns the model; `nil` after an error.
  ///
  /// - Parameter context: The declarations around the type, from the inside out.
  func model(type: String, in context: [Syntax]) -> Model? {
    if !context.isEmpty { reportPrivate(in: context) }
    guard let shape = shape(in: context), problems.isEmpty else { return nil }
    var model = Model(
      name: name, type: type, access: access(in: context), isNested: !context.isEmpty,
      genericParameters: codedParameters(of: shape),
      outerParameters: outerParameters(of: shape, in: context), shape: shape, isolation: isolation,
      availability: ([Syntax(declaration)] + context).flatMap { syntax in
        (syntax.asProtocol(WithAttributesSyntax.self)?.attributes.availabilities ?? []).map {
          $0.trimmedDescription + " "
        }
      }.joined(),
      hasInitializer: declaration.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) },
      hasDecodableInitializer: hasDecodableInitializer, hasEncodeFunction: hasEncodeFunction,
      isUpdatable: inheritedTypes.contains("DecoderUpdatable") && !hasUpdateFunction,
      isDeclaredEncodable: !inheritedTypes.isDisjoint(with: ["Encodable", "Codable"]),
      hasCodingKeys: Self.member("CodingKeys", of: declaration.memberBlock) != nil, ignoredVariables: ignoredVariables,
      hasOtherParameters: hasInitAccessor
        || variables.contains { $0.bindings.contains { $0.pattern.is(TuplePatternSyntax.self) } },
      hasDeprecatedMember: declaration.memberBlock.members.contains { $0.decl.isDeprecated },
      memberNames: memberNames, privateTypes: privateTypes)
    if case .structure(let tree) = shape, ["public ", "package "].contains(model.access), !model.hasInitializer {
      model.parameters = parameters(of: tree, model.access)
    }
    return model
  }

  /// Returns the parameters of an initialiser that is as accessible as the type; `nil` if a property is not, because its type may not be
  /// either, or if the value of a property wrapper cannot be set.
  ///
  /// A property that is not coded has an initial value. It is left out if it is less accessible than the type, or has no explicit type.
  private func parameters(of tree: MemberTree, _ access: String) -> [Model.Parameter]? {
    let coded = Dictionary(tree.properties.map { ($0.plainName, $0) }) { first, _ in first }
    let sufficient = access == "public " ? ["public "] : ["public ", "package "]
    var parameters: [Model.Parameter] = []
    guard !hasInitAccessor else { return nil }
    for variable in variables {
      for binding in variable.bindings where binding.isStored {
        let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let) && binding.initializer != nil
        guard !isConstant, let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
          continue
        }
        let isAccessible = sufficient.contains(Self.access(of: variable.modifiers))
        // A parameter named self would hide the value that is initialised.
        guard name != "`self`" else { return nil }
        let type = binding.effectiveType(of: variable)
        var parameter = Model.Parameter(name: name, type: type ?? "")
        if let property = coded[name.filter { $0 != "`" }] {
          guard isAccessible, type != nil, !property.isWrapped || variable.hasWrapperOfValue else { return nil }
          if property.isRest {
            parameter.value = PastedExpression("[:]")
          } else if !property.isOptional {
            parameter.value = property.fallback
            parameter.scopedProperty = property
          }
        } else if !isAccessible || type.flatMap(Self.kindWithoutCoding) == "a function" || type == nil
          || variable.unsupportedModifier != nil || variable.hasPropertyWrapper
        {
          continue
        }
        if let initial = binding.initializer?.value {
          parameter.value = PastedExpression(initial)
          parameter.scopedProperty = nil
        }
        if Self.wrapped(parameter.type) != nil, parameter.value == nil { parameter.value = PastedExpression("nil") }
        // The parameter of a default that is no literal is optional, so that `nil` would have two meanings for an optional property.
        if parameter.value?.isLiteral == false, Self.wrapped(parameter.type) != nil {
          guard coded[parameter.plainName] != nil else { continue }
          (parameter.value, parameter.isOverload) = (nil, true)
        }
        parameters.append(parameter)
      }
    }
    return parameters
  }

  private func shape(in context: [Syntax]) -> Model.Shape? {
    markers.reportRepetitions(problems)
    problems.reportConditional(declaration.attributes)
    reportPacks()
    reportSuppressions()
    reportKeys()
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      let shape = EnumerationParser(
        declaration: declaration, context: context, markers: markers, naming: naming, memberNames: memberNames,
        isHandwritten: hasDecodableInitializer || hasEncodeFunction, problems: problems
      ).shape()
      if case .enumeration(.raw, _) = shape { return shape }
      reportRawRepresentable()
      return shape
    }
    reportRawRepresentable()
    if declaration.is(StructDeclSyntax.self) {
      reportTag()
      return .structure(members)
    }
    guard let declaration = declaration.as(ClassDeclSyntax.self) else {
      problems.report("kind", "a model must be a struct, an enum or a final class", at: declaration.introducer)
      return nil
    }
    reportTag()
    if !declaration.modifiers.contains(where: { $0.name.tokenKind == .keyword(.final) }) {
      reportOpenClass(declaration)
    }
    return .finalClass(members)
  }

  private func reportTag() {
    guard let tag = markers["JSONTagged"] else { return }
    problems.report("tag", "@JSONTagged is for enums with associated values", at: tag)
  }

  /// Reports a type that has a raw value, by which `Codable` codes it.
  private func reportRawRepresentable() {
    guard !hasDecodableInitializer, !hasEncodeFunction,
      let inherited = declaration.inheritanceClause?.inheritedTypes.first(where: { inherited in
        let names = Self.names(in: inherited.type)
        return names.contains("RawRepresentable") || names.contains("OptionSet")
      })
    else { return }
    problems.report(
      "raw",
      "a type with a raw value is coded by it: remove the macro, and declare Codable, JSONReadable and JSONWritable",
      at: inherited)
  }

  private func reportPacks() {
    let parameters = Self.genericParameters(of: Syntax(declaration))
    guard let pack = parameters.first(where: { $0.specifier?.tokenKind == .keyword(.each) }) else { return }
    problems.report("generic", "a model cannot have a parameter pack: its types have no single requirement", at: pack)
  }

  private func reportSuppressions() {
    for inherited in declaration.inheritanceClause?.inheritedTypes ?? [] {
      guard let name = inherited.type.as(SuppressedTypeSyntax.self)?.type.trimmedDescription,
        ["Copyable", "Escapable"].contains(name)
      else { continue }
      problems.report("suppression", "Codable types are \(name): remove ~\(name)", at: inherited.type)
    }
  }

  /// Reports a private nested type, because the extensions are outside of its scope.
  private func reportPrivate(in context: [Syntax]) {
    // A private type at the outermost level is visible in the whole file.
    for outer in context.dropLast() where Self.access(of: outer) == "private " {
      let name = outer.asProtocol(NamedDeclSyntax.self)?.name.text ?? "a type"
      problems.report(
        "private", "extensions cannot access a type in \(name), which is private and nested: make \(name) fileprivate",
        at: declaration.introducer)
    }
    guard let modifier = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) }) else { return }
    let wider = TokenSyntax.keyword(
      .fileprivate, leadingTrivia: modifier.name.leadingTrivia, trailingTrivia: modifier.name.trailingTrivia)
    problems.report(
      "private", "extensions cannot access a private nested type: make it fileprivate", at: modifier,
      fixIts: [Problems.replacing(modifier.name, with: wider, "make the type fileprivate")])
  }

  private func reportOpenClass(_ declaration: ClassDeclSyntax) {
    problems.report(
      "final", "a class with generated coding must be final, because subclasses would not code their properties",
      at: declaration.classKeyword,
      fixIts: [
        Problems.replacing(
          declaration.classKeyword,
          with: TokenSyntax.identifier(
            "final class", leadingTrivia: declaration.classKeyword.leadingTrivia,
            trailingTrivia: declaration.classKeyword.trailingTrivia),
          "make the class final")
      ])
  }

  /// The unqualified name of the type.
  var name: String {
    (declaration.as(StructDeclSyntax.self)?.name ?? declaration.as(EnumDeclSyntax.self)?.name
      ?? declaration.as(ClassDeclSyntax.self)?.name)?.text ?? ""
  }

  /// Returns the access modifier that the generated members need.
  private func access(in context: [Syntax]) -> String {
    // The members of a type in a private type must not be more accessible than that type.
    if context.contains(where: { ["private ", "fileprivate "].contains(Self.access(of: $0)) }) {
      return "fileprivate "
    }
    let levels = [Syntax(declaration)] + context
    let isInternal = levels.indices.contains { index in
      guard !levels[index].is(ExtensionDeclSyntax.self) else { return false }
      return !["public ", "package "].contains(Self.access(of: index, in: levels))
    }
    return isInternal ? "" : Self.access(of: 0, in: levels)
  }

  /// Returns the access modifier of the type at `index`, or that of the extension around it.
  private static func access(of index: Int, in levels: [Syntax]) -> String {
    let access = access(of: levels[index])
    guard access.isEmpty, index + 1 < levels.count, levels[index + 1].is(ExtensionDeclSyntax.self) else {
      return access
    }
    return Self.access(of: levels[index + 1])
  }

  private static func access(of declaration: Syntax) -> String {
    declaration.asProtocol(WithModifiersSyntax.self).map { access(of: $0.modifiers) } ?? ""
  }

  /// Returns the access modifier of a declaration, followed by a space; empty if there is no modifier.
  private static func access(of modifiers: DeclModifierListSyntax) -> String {
    // `private(set)` does not affect reading.
    for modifier in modifiers where modifier.detail == nil {
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.open): return "public "
      case .keyword(.package): return "package "
      case .keyword(.fileprivate): return "fileprivate "
      case .keyword(.private): return "private "
      default: break
      }
    }
    return ""
  }

  private static func genericParameters(of declaration: Syntax) -> GenericParameterListSyntax {
    declaration.asProtocol(WithGenericParametersSyntax.self)?.genericParameterClause?.parameters ?? []
  }

  /// The names of the generic parameters of a type. A parameter that is a value, `let count: Int`, cannot conform to a protocol.
  private static func parameterNames(of declaration: Syntax) -> [String] {
    genericParameters(of: declaration).filter { $0.specifier?.tokenKind != .keyword(.let) }.map(\.name.text)
  }

  /// Returns the generic parameters, and members of parameters such as `Source.Element`, that are in the types of values. A nested type and
  /// an attribute may use a parameter, too.
  private func codedParameters(of shape: Model.Shape) -> [String] {
    let names = Self.parameterNames(of: Syntax(declaration))
    guard !names.isEmpty else { return [] }
    let types = declaration.memberBlock.members.map(\.decl).filter {
      $0.isProtocol(DeclGroupSyntax.self) || $0.is(TypeAliasDeclSyntax.self)
    }
    let texts = types.map(\.trimmedDescription) + variables.map(\.attributes.trimmedDescription)
    let others = texts.flatMap(\.identifiers)
    return names.flatMap { shape.types(from: $0, others) }
  }

  /// Does the same for the parameters of the types around the type.
  private func outerParameters(of shape: Model.Shape, in context: [Syntax]) -> [String] {
    Set(context.flatMap(Self.parameterNames)).subtracting(Self.parameterNames(of: Syntax(declaration))).sorted()
      .flatMap { shape.types(from: $0) }
  }

  /// The attribute of a global actor, if the type is a class whose variables only this actor can access.
  private var isolation: String? {
    guard declaration.is(ClassDeclSyntax.self), variables.contains(where: \.isIsolated) else { return nil }
    return declaration.attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first(where: \.isGlobalActor)?
      .trimmedDescription
  }

  private var hasDecodableInitializer: Bool { hasFunction("init", "from", "Decoder") }
  private var hasEncodeFunction: Bool { hasFunction("encode", "to", "Encoder") }
  private var hasUpdateFunction: Bool { hasFunction("update", "from", "Decoder") }

  /// Returns whether the type declares a function with one parameter, whose type is the protocol `type` of the standard library:
  /// `any Decoder`, `Swift.Decoder` or `some Decoder`.
  private func hasFunction(_ name: String, _ label: String, _ type: String) -> Bool {
    declaration.memberBlock.members.contains { member in
      let function = member.decl.as(FunctionDeclSyntax.self)
      let signature = function?.signature ?? member.decl.as(InitializerDeclSyntax.self)?.signature
      guard let parameters = signature?.parameterClause.parameters, let parameter = parameters.first,
        parameters.count == 1, function?.name.text ?? "init" == name, parameter.firstName.text == label
      else { return false }
      let base = parameter.type.as(SomeOrAnyTypeSyntax.self)?.constraint ?? parameter.type
      return [type, "Swift." + type].contains(base.trimmedDescription)
    }
  }

  /// The names in the inheritance clause, without module names.
  private var inheritedTypes: Set<String> {
    Set((declaration.inheritanceClause?.inheritedTypes ?? []).flatMap { Self.names(in: $0.type) })
  }

  /// Returns the names of the types in a composition, or the name of another type, without module names.
  private static func names(in type: TypeSyntax) -> [String] {
    if let composition = type.as(CompositionTypeSyntax.self) {
      return composition.elements.flatMap { names(in: $0.type) }
    }
    return [(type.as(IdentifierTypeSyntax.self)?.name ?? type.as(MemberTypeSyntax.self)?.name)?.text ?? ""]
  }

  /// The names of the variables, functions and cases that the type declares, also in `#if`.
  private static func memberNames(of declaration: some DeclGroupSyntax) -> Set<String> {
    var names: Set<String> = []
    func add(_ members: MemberBlockItemListSyntax) {
      for member in members {
        if let variable = member.decl.as(VariableDeclSyntax.self) {
          names.formUnion(variable.bindings.flatMap(\.pattern.names))
        } else if let function = member.decl.as(FunctionDeclSyntax.self) {
          names.insert(function.name.text)
        } else if let enumerationCase = member.decl.as(EnumCaseDeclSyntax.self) {
          for element in enumerationCase.elements { names.insert(element.name.text) }
        } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
          for case .decls(let members)? in conditional.clauses.map(\.elements) { add(members) }
        }
      }
    }
    add(declaration.memberBlock.members)
    return Set(names.map { $0.contains("`") ? $0.filter { $0 != "`" } : $0 })
  }

  /// Returns whether an identifier in a type is also the name of a member.
  static func isHidden(_ type: String, by memberNames: Set<String>) -> Bool {
    // Most types are a single identifier.
    memberNames.contains(type) || !type.allSatisfy(\.isLetter) && !memberNames.isDisjoint(with: type.identifiers)
  }

  private var privateTypes: Set<String> {
    Set(
      declaration.memberBlock.members.compactMap { member in
        guard !member.decl.is(VariableDeclSyntax.self), !member.decl.is(FunctionDeclSyntax.self),
          Self.access(of: Syntax(member.decl)) == "private "
        else { return nil }
        return member.decl.asProtocol(NamedDeclSyntax.self)?.name.text
      })
  }

  private var hasInitAccessor: Bool {
    variables.contains { $0.bindings.contains(where: \.hasInitAccessor) }
  }

  /// Returns the keys in the nested enumeration `name`, by its cases; `nil` if it does not exist.
  static func ownKeys(of declaration: some DeclGroupSyntax, named name: String = "CodingKeys") -> [String: String]? {
    guard let keys = member(name, of: declaration.memberBlock)?.as(EnumDeclSyntax.self) else { return nil }
    var names: [String: String] = [:]
    for member in keys.memberBlock.members {
      for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
        let name = element.name.text.filter { $0 != "`" }
        names[name] = element.rawValue?.value.stringLiteral ?? name
      }
    }
    return names
  }

  /// Returns the nested type `name`.
  private static func member(_ name: String, of block: MemberBlockSyntax) -> DeclSyntax? {
    block.members.lazy.map(\.decl).first {
      !$0.is(FunctionDeclSyntax.self) && $0.asProtocol((any NamedDeclSyntax).self)?.name.text == name
    }
  }

  /// Reports keys whose texts are not visible. A type with its own functions in both directions has no generated code that needs them.
  private func reportKeys() {
    guard let keys = Self.member("CodingKeys", of: declaration.memberBlock), !keys.is(EnumDeclSyntax.self),
      !hasDecodableInitializer || !hasEncodeFunction
    else { return }
    problems.report(
      "keys", "a macro can only see keys in an enum here: write enum CodingKeys, with a case for each property",
      at: keys)
  }

  /// The names of the stored variables that are not coded and that an update can assign.
  private var ignoredVariables: [String] {
    variables.flatMap { variable -> [String] in
      guard variable.bindingSpecifier.tokenKind == .keyword(.var), variable.unsupportedModifier == nil else {
        return []
      }
      let isIgnored = Markers(variable.attributes)["CodableIgnored"] != nil
      let names = variable.bindings.filter(\.isStored).flatMap(\.pattern.names)
      return names.filter { name in
        let plainName = name.filter { $0 != "`" }
        let isRest = Markers(variable.attributes)["CodableRest"] != nil
        return isIgnored || !isRest && (ownKeys.map { $0[plainName] == nil } ?? false)
      }.map { variable.hasPropertyWrapper ? Property.storage(of: $0.filter { $0 != "`" }) : $0 }
    }
  }

  /// The variables that belong to each value.
  private var variables: [VariableDeclSyntax] {
    declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.filter { !$0.isStatic }
  }

  private var members: MemberTree {
    for case let conditional? in declaration.memberBlock.members.map({ $0.decl.as(IfConfigDeclSyntax.self) })
    where conditional.hasVariables {
      problems.report(
        "conditional", "a macro cannot see which branch of #if is compiled: move the property out of it",
        at: conditional)
    }
    var properties = variables.flatMap(properties(of:))
    Property.number(&properties)
    var scope = Scope(properties)
    for index in properties.indices {
      let property = properties[index]
      properties[index].position = index
      properties[index].aliasCases = property.aliases.indices.map { scope.name("\(property.identifier)_\($0 + 2)") }
    }
    KeyChecker(problems: problems).check(properties.filter { !$0.isRest })
    if let second = properties.filter(\.isRest).dropFirst().first {
      problems.report("rest", "only one property can contain the rest of an object", at: second.node)
    }
    return MemberTree(properties)
  }

  private func properties(of variable: VariableDeclSyntax) -> [Property] {
    let markers = Markers(variable.attributes)
    let stored = Array(variable.bindings).filter(\.isStored)
    guard !stored.isEmpty else {
      if let marker = markers.first { problems.report("computed", "only stored properties are coded", at: marker) }
      return []
    }
    markers.reportRepetitions(problems)
    problems.reportConditional(variable.attributes, includingWrappers: true)
    if let marker = markers["CodableIgnored"] {
      if let other = markers.first(other: ["CodableIgnored", "Column", "MatchKey"]) {
        problems.report("ignored", "an ignored property is not coded: remove @\(other.name)", at: other)
      }
      if let column = markers["Column"] ?? markers["MatchKey"] {
        problems.report("column", "an ignored property has no column", at: column)
      }
      for binding in stored where binding.initializer == nil && !binding.isImplicitlyNil(in: variable) {
        problems.report("ignored", "an ignored property needs an initial value", at: marker)
      }
      return []
    }
    if let modifier = variable.unsupportedModifier {
      reportModifier(modifier, of: variable)
      return []
    }
    if stored.count > 1, let marker = markers.first, marker.isForOneProperty {
      problems.report("several", "this applies to a single property: declare each property separately", at: marker)
    }
    return stored.compactMap { property($0, of: variable, markers) }
  }

  private func property(
    _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax, _ markers: Markers
  ) -> Property? {
    guard var name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
      problems.report(
        "pattern", "a property in a pattern cannot be coded: declare each property separately", at: binding)
      return nil
    }
    let plainName = name.filter { $0 != "`" }
    // The only word that may be declared without backticks, but not be used.
    if name == "await" { name = "`await`" }
    let isLet = variable.bindingSpecifier.tokenKind == .keyword(.let)
    let isWrapped = variable.hasPropertyWrapper
    guard let type = binding.effectiveType(of: variable).map(Self.operand) ?? (isWrapped ? "" : nil) else {
      reportMissingType(of: binding, name: plainName)
      return nil
    }
    if let kind = Self.kindWithoutCoding(type) {
      problems.report("kind", "\(kind) cannot be coded: use a named type, or add @CodableIgnored", at: binding)
      return nil
    }
    if let marker = markers["CodableRest"] { return rest(name, type, marker, binding, of: variable, markers) }
    if let problem = Self.problem(withOptional: type, isNullDistinct: !isWrapped)
      ?? variable.problem(withWrapped: type, name: plainName)
    {
      problems.report("type", problem, at: binding)
      return nil
    }
    if let ownKeys, ownKeys[plainName] == nil {
      if binding.initializer == nil, !binding.isImplicitlyNil(in: variable) {
        problems.report(
          "keys", "CodingKeys has no case \(plainName), so the property needs an initial value", at: binding)
      }
      return nil
    }
    if ownKeys != nil, let marker = markers["CodingKey"] {
      problems.report("keys", "CodingKeys already has the key of \(plainName): remove @CodingKey", at: marker)
    }
    var property = Property(
      name: name, type: type, wrapped: isWrapped ? nil : Self.innermost(type),
      path: markers.path(problems) ?? [ownKeys?[plainName] ?? naming.key(for: plainName)], node: Syntax(binding))
    property.aliases = markers.aliases(problems)
    property.isWrapped = isWrapped
    property.isForeignWrapped = isWrapped && !variable.hasWrapperOfValue
    property.isConstant = isLet && binding.initializer != nil
    property.initialValue = binding.initializer.map { PastedExpression($0.value) }
    property.columnName = markers.column(problems)
    property.isMatchKey = markers["MatchKey"] != nil
    property.access = Self.access(of: variable.modifiers)
    property.isNullDistinct = Self.isNullDistinct(type)
    property.isTypeHidden = Self.isHidden(type, by: memberNames)
    property.strategy = markers["CodableBy"]?.firstArgument.map { strategy in
      reportEffect(in: strategy, "a strategy")
      return PastedExpression(strategy).strategy(for: property.wrapped ?? type, isHidden: property.isTypeHidden)
    }
    property.isNullWritten = markers["CodableNull"] != nil
    apply(markers["CodableDefault"], to: &property, binding)
    if property.isWrapped, let marker = markers["CodableBy"] ?? markers["CodableNull"] {
      problems.report("wrapper", "a property wrapper codes its own value: remove one of the two", at: marker)
    } else if let marker = markers["CodableNull"], !property.isOptional {
      problems.report("null", "\(plainName) is never nil: remove @CodableNull, or write \(type)?", at: marker)
    } else if let marker = markers["CodableNull"], property.isNullDistinct {
      problems.report(
        "null",
        "an optional of an optional already has a value that is written as null, .some(nil): remove @CodableNull",
        at: marker)
    }
    return property
  }

  /// Returns the property for the members of the object that no other property has; `nil` after an error.
  private func rest(
    _ name: String, _ type: String, _ marker: AttributeSyntax, _ binding: PatternBindingSyntax,
    of variable: VariableDeclSyntax, _ markers: Markers
  ) -> Property? {
    if let other = markers.first(other: ["CodableRest"]) {
      problems.report("rest", "the rest of an object has no key: remove @\(other.name)", at: other)
    }
    if variable.hasPropertyWrapper {
      problems.report("rest", "the rest of an object cannot have a property wrapper", at: marker)
    }
    if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil {
      problems.report("rest", "a constant with an initial value cannot be decoded: write var", at: binding)
    }
    guard Self.element(ofDictionary: type) != nil else {
      let suggested =
        Self.wrapped(type).flatMap { Self.element(ofDictionary: $0) == nil ? nil : $0 } ?? "[String: JSON]"
      var fixIts: [FixIt] = []
      if let annotation = binding.typeAnnotation {
        let replacement = TypeSyntax(stringLiteral: suggested).with(\.trailingTrivia, annotation.type.trailingTrivia)
        fixIts = [Problems.replacing(annotation.type, with: replacement, "write \(suggested)")]
      }
      problems.report(
        "rest", "the rest of an object is a dictionary with keys of type String: write \(suggested)", at: binding,
        fixIts: fixIts)
      return nil
    }
    var property = Property(name: name, type: type, path: [], node: Syntax(binding))
    property.initialValue = binding.initializer.map { PastedExpression($0.value) }
    property.access = Self.access(of: variable.modifiers)
    return property
  }

  private func apply(_ marker: AttributeSyntax?, to property: inout Property, _ binding: PatternBindingSyntax) {
    guard let marker else { return }
    guard let value = marker.firstArgument ?? binding.initializer?.value else {
      return problems.report(
        "default", "a default is needed: as the argument, or as the initial value of the property", at: marker)
    }
    let type = property.wrapped ?? property.type
    if value.is(NilLiteralExprSyntax.self), !property.isOptional, !property.isWrapped {
      return problems.report("default", "the default is nil, but the property is of type \(type)", at: value)
    }
    if let kind = LiteralKind(value), !kind.isPossible(for: type) {
      return problems.report(
        "default", "the default is \(kind.rawValue), but the property is of type \(type)", at: value)
    }
    // In an optional of an optional, the literal would be taken for null.
    if property.isNullDistinct, value.is(NilLiteralExprSyntax.self) { return }
    reportEffect(in: value, "a default")
    property.fallback = PastedExpression(value)
  }

  /// Reports an expression that the generated functions cannot evaluate.
  private func reportEffect(in expression: ExprSyntax, _ role: String) {
    guard let effect = expression.effect else { return }
    let problem = effect.tokenKind == .keyword(.try) ? "throw: write try!, or another expression" : "wait"
    problems.report("effect", "\(role) cannot \(problem)", at: effect)
  }

  private func reportModifier(_ modifier: DeclModifierSyntax, of variable: VariableDeclSyntax) {
    let name = modifier.name.text
    var fixIts: [FixIt] = []
    // Only a lazy property certainly has an initial value.
    if name == "lazy" {
      let ignored = TokenSyntax.identifier(
        "@CodableIgnored lazy", leadingTrivia: modifier.name.leadingTrivia, trailingTrivia: modifier.name.trailingTrivia
      )
      fixIts = [Problems.replacing(modifier.name, with: ignored, "ignore the property")]
    }
    problems.report(
      "modifier", "\(name == "unowned" ? "an" : "a") \(name) property cannot be coded: add @CodableIgnored",
      at: modifier, fixIts: fixIts)
  }

  private func reportMissingType(of binding: PatternBindingSyntax, name: String) {
    let guess = binding.initializer.flatMap { LiteralKind($0.value)?.defaultType }
    var fixIts: [FixIt] = []
    if let guess {
      var typed = binding
      let space = typed.pattern.trailingTrivia.isEmpty ? .space : typed.pattern.trailingTrivia
      typed.pattern.trailingTrivia = []
      typed.typeAnnotation = TypeAnnotationSyntax(
        colon: .colonToken(trailingTrivia: .space), type: TypeSyntax(stringLiteral: guess),
        trailingTrivia: space)
      if typed.initializer?.equal.trailingTrivia.isEmpty == true { typed.initializer?.equal.trailingTrivia = .space }
      fixIts = [Problems.replacing(binding, with: typed, "add the type \(guess)")]
    }
    problems.report(
      "type", "a macro cannot infer types: write the type of \(name)", at: binding.pattern, fixIts: fixIts)
  }
}
