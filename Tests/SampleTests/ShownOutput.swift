import AnvilTestSupport
import Foundation
import Testing

/// Checks that a document shows the output of a sample.
///
/// Records an issue with `output` unless a fence of `document` has the same lines with the same indentation.
///
/// - Parameter language: The language of the fence.
func expectShown(
  _ output: String, in document: String, language: String = "text", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = try Checkout.text(document)
  let fence = "\n```\(language)\n\(output)\n```\n"
  let isShown = text.contains(fence)
  #expect(isShown, "\(document) does not show:\n\(output)", sourceLocation: sourceLocation)
}
