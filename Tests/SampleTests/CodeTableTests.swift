import Anvil
import Foundation
import Testing

/// The documents that list the kinds of transport failure have all of them.
@Suite struct CodeTableTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(arguments: ["README.md", "Sources/Anvil/Anvil.docc/Failures.md"])
  func tablesListEveryCodeOnce(path: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `.") }.compactMap {
      $0.split(separator: "|").first
    }
    let names = cells.flatMap { $0.split(separator: "`") }.filter { $0.hasPrefix(".") }
      .map { String($0.dropFirst().prefix { $0 != "(" }) }
    #expect(names.sorted() == TransportError.Code.Kind.allCases.map(\.rawValue).sorted())
  }
}
