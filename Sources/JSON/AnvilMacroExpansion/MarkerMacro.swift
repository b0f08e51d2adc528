import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A marker that is read by the macro on the type. It generates no code.
package enum MarkerMacro: PeerMacro {
  private static let readers: Set<String> = ["JSONCodable", "JSONDecodable", "JSONEncodable"]
  private static let storeMarkers: Set<String> = ["Column", "MatchKey"]

  /// The declarations on which a marker has an effect. Those that are not listed are for properties.
  private static let places: [String: String] = [
    "CodableNaming": "types", "JSONTagged": "types", "CodableUnknown": "cases", "CodingKey": "properties and cases",
    "CodableAlias": "properties and cases",
  ]

  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let type =
      declaration.asProtocol((any DeclGroupSyntax).self)
      ?? context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)
    let attributes = type?.attributes.compactMap { $0.as(AttributeSyntax.self)?.name } ?? []
    let isOfStore = storeMarkers.contains(node.name)
    let isRead = isOfStore ? attributes.contains("StoredModel") : attributes.contains(where: readers.contains)
    if !isRead {
      let macro = isOfStore ? "@StoredModel" : "@JSONCodable"
      let message = MacroMessage("marker", "@\(node.name) has no effect without \(macro) on the type")
      context.diagnose(Diagnostic(node: node, message: message))
    } else if !isAppropriate(node, on: declaration) {
      let places = places[node.name] ?? "properties"
      let message = MacroMessage("place", "@\(node.name) is for \(places): move it there, or remove it")
      context.diagnose(Diagnostic(node: node, message: message))
    }
    return []
  }

  private static func isAppropriate(_ node: AttributeSyntax, on declaration: some DeclSyntaxProtocol) -> Bool {
    switch places[node.name] {
    case "types": declaration.asProtocol((any DeclGroupSyntax).self) != nil
    case "cases": declaration.is(EnumCaseDeclSyntax.self)
    case "properties and cases": declaration.is(VariableDeclSyntax.self) || declaration.is(EnumCaseDeclSyntax.self)
    default: declaration.is(VariableDeclSyntax.self)
    }
  }
}
