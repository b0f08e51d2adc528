import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import AnvilMacroExpansion

/// Expands the macros in a source as the compiler does, in this process.
struct Expander {
  /// The expanded source.
  let expansion: String
  /// The diagnostics of the macros, in the order of their places.
  let diagnostics: [Diagnostic]
  private let source: SourceFileSyntax
  private let context: BasicMacroExpansionContext
  private let converter: SourceLocationConverter

  /// The protocols to which the compiler lets the macros add conformances.
  private static let decoding = [
    "JSONReadable", "JSONDecodable", "Decodable", "JSONDirectlyDecodable", "_TaggedByMember",
  ]
  private static let encoding = ["JSONWritable", "Encodable", "JSONDirectlyEncodable"]

  private static let macros: [String: MacroSpec] = {
    var macros = [
      "JSONCodable": MacroSpec(type: CodableMacro.self, conformances: types(decoding + encoding)),
      "JSONDecodable": MacroSpec(type: DecodableMacro.self, conformances: types(decoding)),
      "JSONEncodable": MacroSpec(type: EncodableMacro.self, conformances: types(encoding)),
      "StoredModel": MacroSpec(
        type: StoredModelMacro.self, conformances: types(["StoredModel", "ReferencedModel", "_CompositeModel"])),
    ]
    for name in Markers.names { macros[name] = MacroSpec(type: MarkerMacro.self) }
    return macros
  }()

  private static func types(_ names: [String]) -> [TypeSyntax] { names.map { TypeSyntax(stringLiteral: $0) } }

  /// Expands all macros in `text`.
  init(_ text: String) {
    let source = Parser.parse(source: text)
    let context = BasicMacroExpansionContext(
      sourceFiles: [source: .init(moduleName: "Models", fullFilePath: "Models.swift")])
    let expanded = source.expand(
      macroSpecs: Self.macros,
      contextGenerator: {
        BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
      },
      indentationWidth: .spaces(2))
    expansion = expanded.description
    diagnostics = context.diagnostics
    self.source = source
    self.context = context
    converter = SourceLocationConverter(fileName: "Models.swift", tree: source)
  }

  /// A diagnostic in one line, with the line and the column that it is about.
  func description(of diagnostic: Diagnostic) -> String {
    let location = context.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Models.swift")
    let place = converter.location(for: AbsolutePosition(utf8Offset: location.offset))
    return "\(place.line):\(place.column): \(diagnostic.message)"
  }

  /// Returns the source with the changes of `fixIts`.
  func applying(_ fixIts: [FixIt]) -> String {
    let edits = fixIts.flatMap(\.changes).map { change -> SourceEdit in
      switch change {
      case .replace(let old, let new): SourceEdit(range: range(of: old), replacement: new.description)
      case .replaceLeadingTrivia(let token, let trivia):
        SourceEdit(
          range: range(of: Syntax(token), \.position, \.positionAfterSkippingLeadingTrivia), replacement: "\(trivia)")
      case .replaceTrailingTrivia(let token, let trivia):
        SourceEdit(
          range: range(of: Syntax(token), \.endPositionBeforeTrailingTrivia, \.endPosition), replacement: "\(trivia)")
      default: fatalError("an unknown change")
      }
    }
    var bytes = Array(source.description.utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(
        edit.range.lowerBound.utf8Offset..<edit.range.upperBound.utf8Offset, with: Array(edit.replacement.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func range(
    of node: Syntax, _ start: KeyPath<Syntax, AbsolutePosition> = \.position,
    _ end: KeyPath<Syntax, AbsolutePosition> = \.endPosition
  ) -> Range<AbsolutePosition> {
    // The node is in a separate tree, which was detached for the expansion.
    let offset =
      context.location(for: node.position, anchoredAt: node, fileName: "Models.swift").offset - node.position.utf8Offset
    return AbsolutePosition(
      utf8Offset: node[keyPath: start].utf8Offset + offset)..<AbsolutePosition(
        utf8Offset: node[keyPath: end].utf8Offset + offset)
  }
}
