import Foundation
import Testing

/// A fence of a document with what a sample printed: the document is where the text is kept, and this holds it to the truth.
///
/// Records an issue with `output` unless a fence of `document` says it, line by line and with its indentation.
///
/// - Parameter language: what the fence says it is.
func expectShown(
  _ output: String, in document: String, language: String = "text", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
  let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
  let fence = "\n```\(language)\n\(output)\n```\n"
  let isShown = text.contains(fence)
  #expect(isShown, "\(document) does not show:\n\(output)", sourceLocation: sourceLocation)
}

extension String {
  /// The text with each duration in milliseconds as `41 ms`, the one that the guides show.
  var withShownDurations: String { replacing(#/\b\d+ ms\b/#) { _ in "41 ms" } }
}
