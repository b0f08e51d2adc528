import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A macro that generates the coding of the type to which it is attached.
package protocol ModelMacro: ExtensionMacro, MemberMacro {
  static var directions: Expansion.Directions { get }
}

/// `@JSONCodable`
package enum CodableMacro: ModelMacro {
  package static let directions: Expansion.Directions = [.decoding, .encoding]
}

/// `@JSONDecodable`
package enum DecodableMacro: ModelMacro {
  package static let directions: Expansion.Directions = .decoding
}

/// `@JSONEncodable`
package enum EncodableMacro: ModelMacro {
  package static let directions: Expansion.Directions = .encoding
}

extension ModelMacro {
  /// Disables the formatting of generated code, which would take half of the time of an expansion.
  package static var formatMode: FormatMode { .disabled }

  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let problems = Problems()
    let parser = isSecond(node, of: declaration, problems) ? nil : ModelParser(declaration, problems: problems)
    let model = parser?.model(type: type.trimmedDescription, in: context.lexicalContext)
    // Errors are reported only here, because the members of the same type are expanded separately.
    for diagnostic in problems.diagnostics { context.diagnose(diagnostic) }
    guard let model else { return [] }
    let missing = Set(protocols.map(\.trimmedDescription.withoutQualification))
    let expansion = Expansion(model: model, directions: directions, missing: missing)
    return expansion.extensions.map(ExtensionDeclSyntax.init(verbatim:))
  }

  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard !isSecond(node, of: declaration, Problems()), hasMembers(declaration, in: context) else { return [] }
    let parser = ModelParser(declaration, problems: Problems())
    guard let model = parser.model(type: parser.name, in: context.lexicalContext) else { return [] }
    return Expansion(model: model, directions: directions, missing: []).members.map(DeclSyntax.init(verbatim:))
  }

  /// Returns whether members may be generated in the body of the type: not in most structures, which are therefore parsed only once.
  private static func hasMembers(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) -> Bool {
    !declaration.is(StructDeclSyntax.self) || !context.lexicalContext.isEmpty
      || declaration.modifiers.contains { ["public", "package"].contains($0.name.text) }
      || declaration.memberBlock.members.contains { member in
        // A default or a strategy may have to be evaluated in the body.
        let markers = (member.decl.as(VariableDeclSyntax.self)?.attributes).map { Markers($0) }
        return markers.map { $0["CodableDefault"] != nil || $0["CodableBy"] != nil } ?? false
      }
  }

  /// Returns whether an attribute before `node` also generates the coding of the type, and reports this as an error. Both attributes would
  /// generate the same keys.
  private static func isSecond(
    _ node: AttributeSyntax, of declaration: some DeclGroupSyntax, _ problems: Problems
  ) -> Bool {
    let attributes = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
    let names: Set = ["JSONCodable", "JSONDecodable", "JSONEncodable"]
    guard let first = attributes.first(where: { names.contains($0.name) }), first.name != node.name,
      let second = attributes.first(where: { $0.name == node.name })
    else { return false }
    var corrected = declaration.attributes.filter { $0.as(AttributeSyntax.self)?.id != second.id }
    corrected.trailingTrivia = declaration.attributes.trailingTrivia
    if let index = corrected.firstIndex(where: { $0.as(AttributeSyntax.self)?.name == first.name }) {
      var attribute = first
      attribute.attributeName = TypeSyntax(stringLiteral: "JSONCodable")
      attribute.trailingTrivia = corrected[index].trailingTrivia
      corrected[index] = .attribute(attribute)
    }
    problems.report(
      "several", "@\(first.name) already generates code for the type: for both directions, use only @JSONCodable",
      at: second,
      fixIts: [Problems.replacing(declaration.attributes, with: corrected, "use only @JSONCodable")])
    return true
  }
}

// The compiler receives generated code as text. To parse the code only to convert it to text again took two thirds of the time of an expansion.

extension DeclSyntax {
  /// Creates a node whose text is `text`, without parsing it.
  init(verbatim text: String) { self.init(MissingDeclSyntax(placeholder: .identifier(text))) }
}

extension ExtensionDeclSyntax {
  /// Creates a node whose text is `text`, an extension, without parsing it.
  init(verbatim text: String) {
    self.init(
      UnexpectedNodesSyntax([TokenSyntax.identifier(text)]),
      extensionKeyword: .keyword(.extension, presence: .missing),
      extendedType: TypeSyntax(MissingTypeSyntax(placeholder: .identifier("", presence: .missing))),
      memberBlock: MemberBlockSyntax(
        leftBrace: .leftBraceToken(presence: .missing), members: [], rightBrace: .rightBraceToken(presence: .missing)))
  }
}
