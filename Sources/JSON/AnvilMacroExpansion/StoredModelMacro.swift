import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@StoredModel`
package enum StoredModelMacro: ExtensionMacro, MemberMacro {
  package static var formatMode: FormatMode { .disabled }

  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let problems = Problems()
    let expansion = storedModel(declaration, type.trimmedDescription, problems, in: context)
    for diagnostic in problems.diagnostics { context.diagnose(diagnostic) }
    return try expansion?.extensions(conforming: !protocols.isEmpty).map { try ExtensionDeclSyntax("\(raw: $0)") } ?? []
  }

  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let name = ModelParser(declaration, problems: Problems()).name
    let expansion = storedModel(declaration, name, Problems(), in: context)
    return expansion?.members.map { DeclSyntax("\(raw: $0)") } ?? []
  }

  /// Returns the generated code; `nil` after an error.
  private static func storedModel(
    _ declaration: some DeclGroupSyntax, _ type: String, _ problems: Problems, in context: some MacroExpansionContext
  ) -> StoredModelExpansion? {
    let ofModel = Problems()
    let parser = ModelParser(declaration, problems: ofModel)
    guard declaration.is(StructDeclSyntax.self) else {
      problems.report(
        "kind", "a stored model must be a struct: its properties are the columns of a row", at: declaration.introducer)
      return nil
    }
    let model = parser.model(type: type, in: context.lexicalContext)
    // Otherwise the macro that codes the model reports the same errors.
    if !isCoded(declaration) { problems.add(ofModel) }
    guard let model, case .structure(let tree) = model.shape else { return nil }
    if let clause = declaration.as(StructDeclSyntax.self)?.genericParameterClause {
      problems.report("generic", "a stored model cannot be generic: its table has one set of columns", at: clause)
    }
    ColumnChecker(problems).check(tree.declared, of: declaration)
    return problems.isEmpty ? StoredModelExpansion(model, tree) : nil
  }

  private static func isCoded(_ declaration: some DeclGroupSyntax) -> Bool {
    let names = declaration.attributes.compactMap { $0.as(AttributeSyntax.self)?.name }
    return names.contains { ["JSONCodable", "JSONDecodable", "JSONEncodable"].contains($0) }
  }
}
