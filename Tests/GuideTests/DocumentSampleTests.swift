import AnvilTestSupport
import Foundation
import Testing

// Every Swift sample in README and in the catalogs' guides is compiled, and run where there is something to run.
//
// To add a sample to a guide:
//
// 1. Write it in a file of Tests/SampleTests, one file for each guide, within a test that runs it and checks what it does, against
//    a `LoopbackServer` if it sends requests. These tests are compiled as the program of a user is, without the package's own declarations.
//    The text that readers see is between two marks:
//
//        @Test func usersAreFetched() async throws {
//          let url = server.url("/users/1")
//          // sample: fetch-user
//          let request = Request<User, APIError>(url: url)
//          let user = try await backend.execute(request)
//          // end sample
//          #expect(user.login == "ada")
//        }
//
//    Names that a sample uses without making them, such as `url` and `backend`, are the test's; the types that guides share,
//    `User` and `APIError`, are in SampleModels.swift. A sample in several pieces has the same name on each, in one file:
//    a type that cannot be local (an `extension` needs one that is not) before the test, the statements in it.
// 2. Format the file with scripts/format.
// 3. Put the same lines into the guide, between ```swift and ```. Indentation, blank lines and the width of spaces within a
//    line may differ, nothing else. There is no mark for leaving something out: a sample is all there.
// 4. A fence that is not Swift says what it is: ```text, ```sh, ```json. Code is not written as an indented block.
//
// README's first sample is in FirstSample.swift. `Examples/Sources/quickstart` runs the same program against a server.

/// Documents and samples have the same code.
@Suite struct DocumentSampleTests {
  /// README and the guides of all catalogs.
  static let documents = ["README.md"] + files(under: "Sources") { $0.hasSuffix(".md") && $0.contains(".docc/") }

  /// The samples that are marked in Tests/SampleTests, and those of package traits, which scripts/traits compiles.
  private static let samples = Result {
    var sources = files(under: "Tests/SampleTests") { $0.hasSuffix(".swift") }
    sources.append("Tests/Ecosystem/AnvilEcosystemTests/EcosystemSamples.swift")
    return try sources.flatMap { try Sample.marked(in: text($0), file: $0) }
  }

  private static func text(_ path: String) throws -> String {
    try Checkout.text(path)
  }

  private static func files(under folder: String, where isWanted: (String) -> Bool) -> [String] {
    let paths = FileManager.default.enumerator(atPath: Checkout.root.appending(path: folder).path())
    return (paths?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.filter(isWanted).sorted()
  }

  @Test(arguments: documents) func everySwiftFenceIsCompiled(path: String) throws {
    let document = try MarkdownDocument(Self.text(path))
    for fence in document.fences where fence.language == "swift" {
      if let difference = try fence.difference(from: Self.samples.get()) {
        Issue.record("\(path):\(fence.line): \(difference)")
      }
    }
  }

  @Test(arguments: documents) func everyFenceNamesItsLanguage(path: String) throws {
    let document = try MarkdownDocument(Self.text(path))
    for fence in document.fences {
      #expect(
        ["swift", "text", "sh", "json", "sql", "xml"].contains(fence.language),
        "\(path):\(fence.line): the fence does not name its language")
    }
    #expect(document.indentedCode == [], "\(path): code in these lines is not between fences")
  }

  @Test func everySampleIsInADocument() throws {
    let shown = try Set(Self.documents.flatMap { try MarkdownDocument(Self.text($0)).fences.map(\.lines) })
    for sample in try Self.samples.get() {
      if !shown.contains(sample.lines) { Issue.record("\(sample.file): no document has the sample \(sample.name)") }
    }
  }

  @Test func catalogsAndSamplesAreFound() throws {
    #expect(Self.documents.contains("\(Checkout.guides)/Anvil.md"))
    #expect(try Self.samples.get().contains { $0.file.hasSuffix("/FirstSample.swift") })
  }
}
