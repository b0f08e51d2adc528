import AnvilJSON
import AnvilSchema
import AnvilTestSupport
import Foundation
import Testing

/// The models that the tool writes are those that SampleTests compile and use.
@Suite struct GeneratedSourceTests {
  private static let twitter = Corpora.folder.flatMap {
    try? String(contentsOf: $0.appending(path: "bench/twitter.json"), encoding: .utf8)
  }

  private func source(of documents: [String], name: String, origin: String) throws -> String {
    var shape = Shape()
    for document in documents { shape.add(try JSON(parsing: document)) }
    return SwiftModels(of: shape, name: name, style: .macro(.codingKeys), origin: origin).source
  }

  @Test(.enabled(if: twitter != nil, "there is no twitter.json: set ANVIL_CORPORA to the folder of corpora"))
  func fileIsWhatTheToolWrites() throws {
    let source = try source(of: [#require(Self.twitter)], name: "Twitter", origin: "twitter.json")
    #expect(
      try Checkout.text("Tests/SampleTests/Generated/Twitter.swift") == "// swift-format-ignore-file\n" + source)
  }

  @Test func modelOfTheGuideIsWhatTheToolWrites() throws {
    let guide = try Checkout.guide("ModelsInOneWord")
    let fence = try #require(MarkdownDocument(guide).fences.first { $0.language == "json" })
    let source = try source(of: fence.lines.map(\.text), name: "Repository", origin: "repository.json")
    let model = try #require(source.range(of: "@JSONCodable")).lowerBound
    let shown = "\n```swift\n\(source[model...].trimmingCharacters(in: .newlines))\n```\n"
    #expect(guide.contains(shown), "the guide does not show:\n\(shown)")
  }
}
