import SwiftSyntax

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

  /// True if the property has a wrapper: an attribute that is not a marker. Attributes in lower case belong to the language, and attributes
  /// whose names end in `Actor` are taken for global actors.
  var hasPropertyWrapper: Bool {
    attributes.contains { element in
      guard let attribute = element.as(AttributeSyntax.self), !Markers.names.contains(attribute.name) else {
        return false
      }
      let isGlobalActor = attribute.name.hasSuffix("Actor")
      return attribute.name.first?.isUppercase == true && !isGlobalActor
    }
  }
}

extension PatternBindingSyntax {
  /// Whether the property is stored, not computed.
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
