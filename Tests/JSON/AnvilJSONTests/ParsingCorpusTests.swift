import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilJSON

/// The public conformance suite, if it is available.
@Suite struct ParsingCorpusTests {
  static let folder = Corpora.folder?.appending(path: "JSONTestSuite/test_parsing")

  static let files: [String] = {
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path()) } ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted()
  }()

  @Test(.enabled(if: !files.isEmpty, "the corpora are not here: set ANVIL_CORPORA"))
  func conformanceSuiteIsAcceptedAndRejectedAsExpected() throws {
    let folder = try #require(Self.folder)
    #expect(Self.files.count == 318)
    for name in Self.files {
      let data = try Data(contentsOf: folder.appending(path: name))
      let result = Result { () throws(JSON.SyntaxError) in try Document.parse(data.bytes, options: .init()) }
      switch (name.first, result) {
      case ("y", .failure(let error)): Issue.record("\(name) was refused: \(error)")
      case ("n", .success): Issue.record("\(name) was accepted")
      case ("n", .failure(let error)): #expect((0...data.count).contains(error.offset), "\(name)")
      default: break
      }
    }
  }

  /// Decodes any JSON value.
  struct Accepted: Decodable {
    init(from decoder: any Swift.Decoder) {}
  }

  /// All paths accept the same files, including those that parsers may accept or reject.
  @Test(.enabled(if: !files.isEmpty, "the corpora are not here: set ANVIL_CORPORA"))
  func allParsersAcceptTheSameFiles() throws {
    let folder = try #require(Self.folder)
    for name in Self.files {
      let data = try Data(contentsOf: folder.appending(path: name))
      let parsed = try? JSON(parsing: data)
      #expect(((try? JSON.Decoder().decode(Accepted.self, from: data)) != nil) == (parsed != nil), "\(name)")
      #expect((try? JSON.read(JSON.self, from: data)) == parsed, "\(name)")
      if let parsed { #expect(try JSON(parsing: parsed.serialized()) == parsed, "\(name)") }
    }
  }
}
