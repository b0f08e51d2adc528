import AnvilTestSupport
import Foundation
import Testing

/// README's first sample is the quick start that is built and run, and its output is the one that is compared.
@Suite struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    try Checkout.text(path)
  }

  /// The first fenced block of `language` in README.
  private func block(_ language: String) throws -> String {
    let readme = try text("README.md")
    let opened = try #require(readme.range(of: "```\(language)\n"))
    let closed = try #require(readme.range(of: "```\n", range: opened.upperBound..<readme.endIndex))
    return String(readme[opened.upperBound..<closed.lowerBound])
  }

  @Test func theSampleEqualsTheQuickStartExceptForTheURL() throws {
    let sample = try block("swift")
    let start = try #require(sample.range(of: #"let api = Gateway("https://api.example.com")"#))
    let local = sample.replacingCharacters(
      in: start, with: "let server = try UserServer()\nlet api = Gateway(baseURL: server.url)")
    #expect(try local == text("Examples/Sources/quickstart/main.swift"))
  }

  @Test func theSampleImportsOnlyAnvil() throws {
    #expect(try block("swift").split(separator: "\n").filter { $0.contains("import ") } == ["import Anvil"])
  }

  @Test func theOutputEqualsThatOfTheExample() throws {
    #expect(try block("text") == text("Examples/quickstart.output"))
  }

  @Test func relativeLinksHaveExistingTargets() throws {
    let readme = try text("README.md")
    for match in readme.matches(of: /\]\((?<target>[^)#:]+)\)/) {
      let target = Checkout.root.appending(path: String(match.output.target))
      #expect(FileManager.default.fileExists(atPath: target.path()), "\(match.output.target)")
    }
  }
}
