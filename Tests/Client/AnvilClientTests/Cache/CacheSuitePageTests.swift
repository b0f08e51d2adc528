import AnvilTestSupport
import Foundation
import Testing

/// The page about the public cache test suite lists each case once and names existing tests.
@Suite struct CacheSuitePageTests {
  private func page() throws -> String {
    try Checkout.text("Documentation/Design/cache-suite.md")
  }

  @Test func eachTestExists() throws {
    let folder = Checkout.root.appending(path: "Tests")
    let paths = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
    let tests = try page().matches(of: #/`(\w+Tests)\.(\w+)`/#)
    #expect(!tests.isEmpty)
    for test in tests {
      let path = try #require(paths.first { $0.hasSuffix("/\(test.1).swift") }, "\(test.1)")
      let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(source.contains("func \(test.2)("), "\(test.1).\(test.2)")
    }
  }

  @Test func eachCaseIsListedOnce() throws {
    let rows = try page().split(separator: "\n").filter { $0.hasPrefix("| `") }
    let cells = rows.compactMap { $0.split(separator: "|").first }
    let cases = cells.flatMap { cell in cell.matches(of: #/`([^`]+)`/#).map { $0.1 } }
    #expect(!cases.isEmpty)
    let counts = Dictionary(grouping: cases, by: \.self).mapValues(\.count)
    #expect(counts.filter { $0.value > 1 }.isEmpty)
  }
}
