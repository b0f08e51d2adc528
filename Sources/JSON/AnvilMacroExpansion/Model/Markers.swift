import SwiftDiagnostics
import SwiftSyntax

/// The markers among the attributes of a declaration.
struct Markers {
  static let names: Set<String> = [
    "CodingKey", "CodableAlias", "CodableDefault", "CodableNaming", "CodableBy", "CodableIgnored", "CodableNull",
    "CodableRest", "JSONTagged", "CodableUnknown", "Column", "MatchKey",
  ]

  private let attributes: [AttributeSyntax]

  init(_ list: AttributeListSyntax) {
    attributes = list.compactMap { $0.as(AttributeSyntax.self) }.filter { Self.names.contains($0.name) }
  }

  var first: AttributeSyntax? { attributes.first }

  subscript(name: String) -> AttributeSyntax? { attributes.first { $0.name == name } }

  /// Returns the first marker with a name that is not in `names`.
  func first(other names: Set<String>) -> AttributeSyntax? { attributes.first { !names.contains($0.name) } }

  /// Reports markers that occur more than once, except `@CodableAlias`, which adds keys each time.
  func reportRepetitions(_ problems: Problems) {
    var names: Set<String> = ["CodableAlias"]
    for marker in attributes where !names.insert(marker.name).inserted && marker.name != "CodableAlias" {
      problems.report("repeated", "@\(marker.name) is already there: remove one of the two", at: marker)
    }
  }

  /// The keys in `@CodingKey`; `nil` without this marker.
  func path(_ problems: Problems) -> [String]? {
    guard let marker = self["CodingKey"] else { return nil }
    let path = texts(of: marker, problems)
    return path.isEmpty ? nil : path
  }

  /// The keys in all `@CodableAlias` markers.
  func aliases(_ problems: Problems) -> [String] {
    attributes.filter { $0.name == "CodableAlias" }.flatMap { texts(of: $0, problems) }
  }

  /// A text that identifies a case, with the literal that is written for it.
  struct Tag {
    var text: String
    var literal: String
    var isString: Bool { literal.hasPrefix("\"") }
  }

  /// The tag in `@CodingKey`; `nil` without this marker.
  func tag(_ problems: Problems) -> Tag? {
    guard let marker = self["CodingKey"] else { return nil }
    let tags = tags(of: marker, problems)
    if tags.count > 1 { problems.report("case", "a case has a single key, not a path", at: marker) }
    return tags.last
  }

  /// The tags in all `@CodableAlias` markers.
  func tagAliases(_ problems: Problems) -> [Tag] {
    attributes.filter { $0.name == "CodableAlias" }.flatMap { tags(of: $0, problems) }
  }

  private func tags(of marker: AttributeSyntax, _ problems: Problems) -> [Tag] {
    marker.argumentList.compactMap { argument in
      if let tag = argument.expression.tagLiteral { return tag }
      problems.report(
        "literal", "a key must be a literal: a string, a whole number or a Boolean", at: argument.expression)
      return nil
    }
  }

  /// The name in `@Column`; `nil` without this marker.
  func column(_ problems: Problems) -> String? {
    guard let marker = self["Column"], let name = texts(of: marker, problems).first else { return nil }
    if name.isEmpty { problems.report("column", "a column needs a name", at: marker) }
    return name
  }

  /// The naming in `@CodableNaming`; `nil` without this marker.
  func naming(_ problems: Problems) -> KeyNaming? {
    guard let marker = self["CodableNaming"] else { return nil }
    let name = marker.firstArgument?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    if let naming = name.flatMap(KeyNaming.init) { return naming }
    problems.report("naming", "specify the naming directly, such as .snakeCase", at: marker)
    return nil
  }

  private func texts(of marker: AttributeSyntax, _ problems: Problems) -> [String] {
    marker.argumentList.compactMap { argument in
      if let text = argument.expression.stringLiteral { return text }
      problems.report(
        "literal", "\(marker.name == "Column" ? "the name of a column" : "a key") must be a string literal",
        at: argument.expression)
      return nil
    }
  }
}

extension AttributeSyntax {
  /// The name without the module name.
  var name: String {
    attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? ""
  }

  var argumentList: [LabeledExprSyntax] { arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? [] }

  var firstArgument: ExprSyntax? { argumentList.first { $0.label == nil }?.expression }

  /// Returns the string literal in the argument `label`.
  func text(_ label: String) -> String? {
    argumentList.first { $0.label?.text == label }?.expression.stringLiteral
  }

  /// The macros of other packages for properties. An attribute in upper case that is not in this list is taken for a property wrapper.
  private static let otherMacros: Set<String> = [
    "ObservationIgnored", "ObservationTracked", "Guide", "Attribute", "Relationship", "Transient", "IBOutlet",
    "IBInspectable", "NSManaged", "NSCopying", "GKInspectable",
  ]

  /// True for the attribute of a property that is a property wrapper: attributes in lower case belong to the language, and attributes
  /// whose names end in `Actor` are taken for global actors.
  var isPropertyWrapper: Bool {
    let name = name
    return name.first?.isUppercase == true && !isGlobalActor && !Markers.names.contains(name)
      && !Self.otherMacros.contains(name)
  }

  var isGlobalActor: Bool { name.hasSuffix("Actor") }

  /// True if the marker cannot apply to several properties at once.
  var isForOneProperty: Bool { ["CodingKey", "CodableAlias", "Column"].contains(name) }
}

extension ExprSyntax {
  /// The tag of a literal; `nil` for other expressions.
  fileprivate var tagLiteral: Markers.Tag? {
    if let text = stringLiteral { return Markers.Tag(text: text, literal: text.literal) }
    if let bool = self.as(BooleanLiteralExprSyntax.self) {
      return Markers.Tag(text: bool.literal.text, literal: bool.literal.text)
    }
    let prefix = self.as(PrefixOperatorExprSyntax.self)
    guard prefix == nil || prefix?.operator.text == "-" else { return nil }
    let literal = (prefix?.expression ?? self).as(IntegerLiteralExprSyntax.self)
    guard let value = literal?.representedLiteralValue else { return nil }
    let text = "\(prefix == nil ? value : -value)"
    return Markers.Tag(text: text, literal: text)
  }

  /// The text of a string literal without interpolations.
  var stringLiteral: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}

/// An error in a model or in its markers.
struct MacroMessage: DiagnosticMessage, FixItMessage {
  let message: String
  let identifier: String

  init(_ identifier: String, _ message: String) {
    self.message = message
    self.identifier = identifier
  }

  var severity: DiagnosticSeverity { .error }
  var diagnosticID: MessageID { MessageID(domain: "AnvilMacros", id: identifier) }
  var fixItID: MessageID { diagnosticID }
}

/// The errors of one expansion.
///
/// The extension and the members of a type are expanded separately. Only one of the expansions reports errors.
final class Problems {
  private(set) var diagnostics: [Diagnostic] = []

  var isEmpty: Bool { diagnostics.isEmpty }

  func report(_ identifier: String, _ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
    diagnostics.append(Diagnostic(node: node, message: MacroMessage(identifier, message), fixIts: fixIts))
  }

  /// Reports markers in `#if`, and property wrappers if `includingWrappers` is true.
  func reportConditional(_ attributes: AttributeListSyntax, includingWrappers: Bool = false) {
    for case .ifConfigDecl(let conditional) in attributes {
      let isMarked = conditional.containsAttribute {
        Markers.names.contains($0.name) || includingWrappers && $0.isPropertyWrapper
      }
      guard isMarked else { continue }
      report(
        "conditional", "a macro cannot see which branch of #if is compiled: move the attribute out of it",
        at: conditional)
    }
  }

  func add(_ others: Problems) { diagnostics += others.diagnostics }

  static func replacing(
    _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String
  ) -> FixIt {
    FixIt(
      message: MacroMessage("fix", message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }
}

extension DeclSyntax {
  /// True for a property, or a list of cases, that is deprecated.
  var isDeprecated: Bool {
    let attributes = self.as(VariableDeclSyntax.self)?.attributes ?? self.as(EnumCaseDeclSyntax.self)?.attributes ?? []
    return attributes.hasAvailability { $0.contains("deprecated") }
  }
}

extension AttributeListSyntax {
  /// The attributes `@available`.
  var availabilities: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) }.filter { $0.name == "available" } }

  /// Returns whether the words and signs in an `@available` have a certain property.
  func hasAvailability(_ isMatch: ([String]) -> Bool) -> Bool {
    availabilities.contains { isMatch($0.arguments?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []) }
  }
}

extension PatternSyntax {
  /// The names of the variables that the pattern declares, including backticks: several for a tuple, `var (a, b) = (1, 2)`.
  var names: [String] {
    if let tuple = self.as(TuplePatternSyntax.self) { return tuple.elements.flatMap(\.pattern.names) }
    return self.as(IdentifierPatternSyntax.self).map { [$0.identifier.text] } ?? []
  }
}

extension VariableDeclSyntax {
  /// Returns the reason why the property wrapper of the property cannot wrap `type`; `nil` if it can, or if this is not known.
  func problem(withWrapped type: String, name: String) -> String? {
    let names = attributes.compactMap { $0.as(AttributeSyntax.self)?.name }
    let (wrapper, container): (String, String)
    if names.contains("LossyArray") {
      (wrapper, container) = ("LossyArray", "an array")
    } else if names.contains("LossyDictionary") {
      (wrapper, container) = ("LossyDictionary", "a dictionary")
    } else {
      return nil
    }
    if let wrapped = ModelParser.wrapped(type) {
      return "@\(wrapper) wraps \(container) that is not optional: write \(wrapped) and add @CodableDefault("
        + (wrapper == "LossyArray" ? "[]" : "[:]") + ") before it"
    }
    let syntax = TypeSyntax(stringLiteral: type)
    let base = (syntax.as(IdentifierTypeSyntax.self)?.name ?? syntax.as(MemberTypeSyntax.self)?.name)?.text
    let isOther =
      wrapper == "LossyArray"
      ? syntax.is(DictionaryTypeSyntax.self) || base == "Set" || base == "Dictionary"
      : syntax.is(ArrayTypeSyntax.self) || base == "Set" || base == "Array"
    return isOther ? "@\(wrapper) wraps \(container), and \(name) is of type \(type)" : nil
  }

  /// True if the property has a wrapper of this package, which is initialised with the wrapped value.
  var hasWrapperOfValue: Bool {
    let wrappers: Set = ["LossyArray", "LossyDictionary", "NumberOrString", "DefaultValue"]
    return attributes.contains { $0.as(AttributeSyntax.self).map { wrappers.contains($0.name) } ?? false }
  }

  var isStatic: Bool {
    modifiers.contains { $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class) }
  }

  /// The first modifier of the property that is not supported for coded properties; `nil` if all modifiers are supported.
  var unsupportedModifier: DeclModifierSyntax? {
    modifiers.first { ["lazy", "weak", "unowned"].contains($0.name.text) }
  }

  /// True for a stored variable that only the global actor of its type can access.
  var isIsolated: Bool {
    bindingSpecifier.tokenKind == .keyword(.var) && bindings.contains(where: \.isStored)
      && !modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) }
  }

  var hasPropertyWrapper: Bool { attributes.contains { $0.as(AttributeSyntax.self)?.isPropertyWrapper ?? false } }
}

extension PatternBindingSyntax {
  /// True if the property is computed and initialises stored properties.
  var hasInitAccessor: Bool {
    guard case .accessors(let accessors)? = accessorBlock?.accessors else { return false }
    return accessors.contains { $0.accessorSpecifier.tokenKind == .keyword(.`init`) }
  }

  var isStored: Bool {
    guard let accessorBlock else { return true }
    guard case .accessors(let accessors) = accessorBlock.accessors else { return false }
    return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }

  /// Returns the type of the property, which may be declared by a later property: `var x, y: Int`.
  func effectiveType(of variable: VariableDeclSyntax) -> String? {
    var isBehind = false
    for binding in variable.bindings {
      if binding.id == id { isBehind = true }
      guard isBehind else { continue }
      if let type = binding.typeAnnotation?.type { return type.trimmedDescription }
      if binding.initializer != nil { return nil }
    }
    return nil
  }

  /// Returns true for a variable whose declaration needs no initial value: one of an optional type, which starts as `nil`, or one with a
  /// property wrapper, which may provide the value.
  func isImplicitlyNil(in variable: VariableDeclSyntax) -> Bool {
    variable.bindingSpecifier.tokenKind == .keyword(.var)
      && (effectiveType(of: variable).flatMap(ModelParser.wrapped) != nil || variable.hasPropertyWrapper)
  }
}

extension IfConfigDeclSyntax {
  /// Returns whether a branch of this `#if` in a list of attributes contains a certain attribute.
  func containsAttribute(_ isMatch: (AttributeSyntax) -> Bool) -> Bool {
    clauses.contains { clause in
      guard case .attributes(let attributes) = clause.elements else { return false }
      return attributes.contains { element in
        element.as(AttributeSyntax.self).map(isMatch)
          ?? element.as(IfConfigDeclSyntax.self)?.containsAttribute(isMatch) ?? false
      }
    }
  }

  /// True if a branch of this `#if` declares a stored property.
  var hasVariables: Bool {
    contains { declaration in
      guard let variable = declaration.as(VariableDeclSyntax.self) else { return false }
      return !variable.isStatic && variable.bindings.contains(where: \.isStored)
    }
  }

  /// True if a branch of this `#if` declares a case.
  var hasCases: Bool { contains { $0.is(EnumCaseDeclSyntax.self) } }

  private func contains(_ isMatch: (DeclSyntax) -> Bool) -> Bool {
    clauses.contains { clause in
      guard case .decls(let members) = clause.elements else { return false }
      return members.contains { member in
        isMatch(member.decl) || member.decl.as(IfConfigDeclSyntax.self)?.contains(isMatch) == true
      }
    }
  }
}
