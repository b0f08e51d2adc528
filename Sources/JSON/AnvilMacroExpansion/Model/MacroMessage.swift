import SwiftDiagnostics
import SwiftSyntax

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

  func add(_ others: Problems) { diagnostics += others.diagnostics }

  /// Returns a fix-it that replaces `old` with `new`.
  static func replacing(
    _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String
  ) -> FixIt {
    FixIt(
      message: MacroMessage("fix", message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }
}
