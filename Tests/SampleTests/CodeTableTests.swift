import Anvil
import AnvilTestSupport
import Foundation
import Testing

/// The guide that lists the codes of transport errors contains all of them.
@Suite struct CodeTableTests {
  @Test func tableListsEveryCodeOnce() throws {
    let text = try Checkout.guide("Failures")
    let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `.") }.compactMap {
      $0.split(separator: "|").first
    }
    let names = cells.flatMap { $0.split(separator: "`") }.filter { $0.hasPrefix(".") }
      .map { String($0.dropFirst().prefix { $0 != "(" }) }
    #expect(names.sorted() == TransportError.Code.Kind.allCases.map(\.rawValue).sorted())
  }
}
