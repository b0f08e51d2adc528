import AnvilTestSupport
import Foundation
import Testing

/// The examples of clients are as short as their documentation says. `scripts/test` builds it and compares its output.
@Suite struct ExampleTests {
  private static func lines(of path: String) throws -> [Substring] {
    let text = try String(
      contentsOf: Checkout.root.appending(path: "Examples/Sources").appending(path: path), encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test(arguments: [("github/Client.swift", 120), ("chat/Chat.swift", 60)])
  func clientsAreShort(path: String, limit: Int) throws {
    #expect(try Self.lines(of: path).count <= limit)
  }

  @Test(arguments: ["github/Client.swift", "chat/Chat.swift"]) func clientsImportOnlyAnvil(path: String) throws {
    let imports = try Self.lines(of: path).filter { $0.contains(#/^(@\S+ )?(\w+ )?import /#) }
    #expect(imports == ["import Anvil"])
  }
}
