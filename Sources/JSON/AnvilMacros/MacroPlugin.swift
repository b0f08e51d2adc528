import AnvilMacroExpansion
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

#if canImport(SwiftCompilerPlugin)
import SwiftCompilerPlugin
#endif

/// The program that the compiler runs to expand the macros of this package.
@main
struct MacroPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    CodableMacro.self, DecodableMacro.self, EncodableMacro.self, MarkerMacro.self, StoredModelMacro.self,
  ]
}

/// A macro of `AnvilMacroExpansion` under a name of this module.
///
/// The compiler asks for `AnvilMacros.CodableMacro`, because the module of a macro is also the name of the program that expands it.
protocol NamedMacro: Macro {
  associatedtype Implementation: Macro
}

enum CodableMacro: NamedMacro, ExtensionMacro, MemberMacro {
  typealias Implementation = AnvilMacroExpansion.CodableMacro
}

enum DecodableMacro: NamedMacro, ExtensionMacro, MemberMacro {
  typealias Implementation = AnvilMacroExpansion.DecodableMacro
}

enum EncodableMacro: NamedMacro, ExtensionMacro, MemberMacro {
  typealias Implementation = AnvilMacroExpansion.EncodableMacro
}

enum StoredModelMacro: NamedMacro, ExtensionMacro, MemberMacro {
  typealias Implementation = AnvilMacroExpansion.StoredModelMacro
}

enum MarkerMacro: NamedMacro, PeerMacro {
  typealias Implementation = AnvilMacroExpansion.MarkerMacro
}

extension NamedMacro {
  static var formatMode: FormatMode { Implementation.formatMode }
}

extension NamedMacro where Self: ExtensionMacro, Implementation: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    try Implementation.expansion(
      of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols, in: context)
  }
}

extension NamedMacro where Self: MemberMacro, Implementation: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try Implementation.expansion(of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
  }
}

extension NamedMacro where Self: PeerMacro, Implementation: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try Implementation.expansion(of: node, providingPeersOf: declaration, in: context)
  }
}
