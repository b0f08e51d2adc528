import Foundation
import Testing

@testable import AnvilJSON

/// The public conformance suite, where it is at hand.
@Suite struct ParsingCorpusTests {
  static let folder = Corpora.folder?.appending(path: "JSONTestSuite/test_parsing")

  static let files: [String] = {
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path()) } ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted()
  }()

  @Test(.enabled(if: !files.isEmpty, "the corpora are not here: set ANVIL_CORPORA"))
  func verdictsHold() throws {
    let folder = try #require(Self.folder)
    #expect(Self.files.count == 318)
    for name in Self.files {
      let data = try Data(contentsOf: folder.appending(path: name))
      let result = Result { () throws(JSON.SyntaxError) in try Document.parse(data.bytes, options: .init()) }
      switch (name.first, result) {
      case ("y", .failure(let error)): Issue.record("\(name) was refused: \(error)")
      case ("n", .success): Issue.record("\(name) was accepted")
      case ("n", .failure(let error)): #expect(error.offset <= data.count, "\(name)")
      default: break
      }
    }
  }
}

/// Test data outside the package.
enum Corpora {
  static let folder: URL? = {
    let beside = URL(filePath: #filePath).appending(path: "../../../../shared/corpora").standardized
    let named = ProcessInfo.processInfo.environment["ANVIL_CORPORA"].map { URL(filePath: $0) }
    return [named, beside].compactMap(\.self).first { FileManager.default.fileExists(atPath: $0.path()) }
  }()
}
