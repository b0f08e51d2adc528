import Anvil
import Foundation
import Testing

/// The guide that lists the codes of transport errors contains all of them.
@Suite struct CodeTableTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func tableListsEveryCodeOnce() throws {
    let guide = Self.root.appending(path: "Sources/Anvil/Anvil.docc/Failures.md")
    let text = try String(contentsOf: guide, encoding: .utf8)
    let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `.") }.compactMap {
      $0.split(separator: "|").first
    }
    let names = cells.flatMap { $0.split(separator: "`") }.filter { $0.hasPrefix(".") }
      .map { String($0.dropFirst().prefix { $0 != "(" }) }
    #expect(names.sorted() == TransportError.Code.Kind.allCases.map(\.rawValue).sorted())
  }
}
