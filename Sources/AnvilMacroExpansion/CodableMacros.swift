import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A macro that writes the coding of the type to which it is attached.
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
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let problems = Problems()
    let parser = ModelParser(declaration, problems: problems)
    let model = parser.model(type: type.trimmedDescription, isNested: !context.lexicalContext.isEmpty)
    // Errors are reported here alone: the members are another expansion of the same type.
    for diagnostic in problems.diagnostics { context.diagnose(diagnostic) }
    guard let model else { return [] }
    let missing = Set(protocols.map { $0.trimmedDescription.split(separator: ".").last.map(String.init) ?? "" })
    let expansion = Expansion(model: model, directions: directions, missing: missing)
    return try expansion.extensions.map { try ExtensionDeclSyntax("\(raw: $0)") }
  }

  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let parser = ModelParser(declaration, problems: Problems())
    guard let model = parser.model(type: parser.name, isNested: !context.lexicalContext.isEmpty) else { return [] }
    return Expansion(model: model, directions: directions, missing: []).members.map { DeclSyntax("\(raw: $0)") }
  }
}
