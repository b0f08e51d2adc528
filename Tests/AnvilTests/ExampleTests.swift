import Foundation
import Testing

/// The example of a whole client is as short as its documentation says. `scripts/test` builds it and compares its output.
@Suite struct ExampleTests {
  private static let client = Result {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "Examples/Sources/github/Client.swift"), encoding: .utf8)
  }

  @Test func clientHasAtMost120Lines() throws {
    #expect(try Self.client.get().split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 120)
  }

  @Test func clientImportsOnlyAnvil() throws {
    let imports = try Self.client.get().split(separator: "\n").filter { $0.contains(#/^(@\S+ )?(\w+ )?import /#) }
    #expect(imports == ["import Anvil"])
  }
}
