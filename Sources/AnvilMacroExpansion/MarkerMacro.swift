import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A marker that is read by the macro on the type. It generates no code.
package enum MarkerMacro: PeerMacro {
  private static let readers: Set<String> = ["JSONCodable", "JSONDecodable", "JSONEncodable"]
  private static let storeMarkers: Set<String> = ["Column", "MatchKey"]

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
    }
    return []
  }
}
