import SwiftDiagnostics
import SwiftSyntax
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
    let missing = protocols.map(\.trimmedDescription.withoutQualification)
    return expansion?.extensions(missing: Set(missing)).map(ExtensionDeclSyntax.init(verbatim:)) ?? []
  }

  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let name = ModelParser(declaration, problems: Problems()).name
    let expansion = storedModel(declaration, name, Problems(), in: context)
    return expansion?.members.map(DeclSyntax.init(verbatim:)) ?? []
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
    ColumnChecker(problems: problems).check(tree.declared, of: declaration)
    return problems.isEmpty ? StoredModelExpansion(model, tree) : nil
  }

  private static func isCoded(_ declaration: some DeclGroupSyntax) -> Bool {
    let names = declaration.attributes.compactMap { $0.as(AttributeSyntax.self)?.name }
    return names.contains { ["JSONCodable", "JSONDecodable", "JSONEncodable"].contains($0) }
  }
}

/// Checks that the properties of a stored model can be columns of a table.
struct ColumnChecker {
  let problems: Problems

  func check(_ properties: [Property], of declaration: some DeclGroupSyntax) {
    if properties.isEmpty {
      problems.report("column", "a stored model needs a property to store", at: declaration.introducer)
    }
    // SQLite compares names without regard to case.
    var owners: [String: String] = [:]
    for property in properties {
      if let other = owners.updateValue(property.plainName, forKey: property.column.lowercased()) {
        problems.report("column", "\(other) already has the column \(property.column)", at: property.node)
      }
      if property.isRest {
        problems.report(
          "column", "the rest of an object has no column: declare its members as properties", at: property.node)
      }
      if let problem = ModelParser.problem(withOptional: property.type, isNullDistinct: false) {
        problems.report("column", problem, at: property.node)
      }
      guard property.isMatchKey else { continue }
      if property.isOptional {
        problems.report("key", "a match key cannot be nil: the row could not be found again", at: property.node)
      }
      if property.path.count > 1 {
        problems.report(
          "key", "a match key must be a single key, because it is read before the payload is decoded", at: property.node
        )
      }
    }
  }
}
