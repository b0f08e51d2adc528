import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilMacroExpansion

/// The expansions of the models of AnvilCodableTests and of the store's contract, which compile and run there. Each
/// file of models is compared with a file of `Expansions`.
///
/// After an intended change, run the tests with `ANVIL_WRITE_EXPANSIONS=1` in the environment and review the
/// differences.
@Suite struct ExpansionTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private static let expansions = tests.appending(path: "Expansions")
  private static let models = tests.deletingLastPathComponent().appending(path: "AnvilCodableTests/Models")

  private static let storedModels = tests.deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/AnvilStoreTesting/StoredModels.swift")

  /// The files with models, by their names.
  private static let files: [String: URL] = {
    let files = try? FileManager.default.contentsOfDirectory(at: models, includingPropertiesForKeys: nil)
    let pairs = ((files ?? []) + [storedModels]).map { ($0.deletingPathExtension().lastPathComponent, $0) }
    return Dictionary(pairs) { first, _ in first }
  }()
  private static let names = files.keys.sorted()

  private static func expander(_ name: String) throws -> Expander {
    Expander(try String(contentsOf: try #require(files[name]), encoding: .utf8))
  }

  @Test(arguments: names)
  func expansionsMatchTheFiles(_ name: String) throws {
    let expander = try Self.expander(name)
    #expect(expander.diagnostics.isEmpty)
    let file = Self.expansions.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["ANVIL_WRITE_EXPANSIONS"] == "1" {
      try Data(expander.expansion.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let found = expander.expansion.components(separatedBy: "\n")
    let line = zip(found, expected).prefix { $0 == $1 }.count + 1
    #expect(found == expected, "line \(line) of \(file.lastPathComponent)")
  }

  @Test func everyModelHasAnExpansionFile() throws {
    let files = try FileManager.default.contentsOfDirectory(at: Self.expansions, includingPropertiesForKeys: nil)
    #expect(files.map { $0.deletingPathExtension().lastPathComponent }.sorted() == Self.names)
    #expect(Self.names.count >= 7)
  }

  @Test(arguments: [("", ["let id =", "let text ="]), ("public ", ["public let id =", "let text ="])])
  func columnsAreNotMoreAccessibleThanTheModel(access: String, columns: [String]) {
    let expander = Expander("@StoredModel \(access)struct Item { public var id: Int; var text: String }")
    #expect(expander.diagnostics.isEmpty)
    let lines = expander.expansion.split(separator: "\n").map { $0.drop { $0 == " " } }
    for column in columns { #expect(lines.contains { $0.hasPrefix(column) }, "\(expander.expansion)") }
  }

  /// The compiler expands the members and the extensions of a type in separate calls.
  @Test func expansionsAreTheSameEachTime() throws {
    for name in Self.names { #expect(try Self.expander(name).expansion == Self.expander(name).expansion) }
  }
}
