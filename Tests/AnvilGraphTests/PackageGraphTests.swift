#if os(Linux) || os(macOS)
import Foundation
import Testing

/// The allowed dependencies of targets: the graph in Documentation/Design/modules.md.
@Suite(.timeLimit(.minutes(15))) struct PackageGraphTests {
  @Test func targetsHaveOnlyAllowedDependencies() throws {
    let graph = try PackageGraph()
    let strangers: KeyValuePairs<String, [String]> = [
      // These have no dependencies.
      "AnvilText": graph.targets.map(\.name), "AnvilPlatform": graph.targets.map(\.name),
      "AnvilContracts": graph.targets.map(\.name),
      "AnvilJSON": ["AnvilDiagnosis", "AnvilModel", "AnvilHTTP", "AnvilPlatform"],
      "AnvilMacroExpansion": graph.targets.map(\.name),
      "AnvilMacros": graph.targets.map(\.name).filter { $0 != "AnvilMacroExpansion" },
      "AnvilCodable": ["AnvilDiagnosis", "AnvilModel", "AnvilHTTP", "AnvilPlatform"],
      "AnvilDiagnosis": ["AnvilHTTP", "AnvilClient", "AnvilCodable"],
      "AnvilModel": ["AnvilJSON", "AnvilHTTP"],
      "AnvilFormats": ["AnvilHTTP", "AnvilDiagnosis", "AnvilPlatform"],
      "AnvilBodies": ["AnvilDiagnosis", "AnvilClient", "AnvilPlatform"],
      "AnvilCompression": ["AnvilJSON", "AnvilClient"],
      "AnvilSchema": ["AnvilHTTP", "AnvilModel"],
      "AnvilSQLiteCache": ["AnvilSync", "AnvilPostgres", "AnvilCurl"],
      "AnvilHTTP": ["AnvilJSON", "AnvilDiagnosis", "AnvilClient", "AnvilPlatform"],
      "AnvilClient": ["AnvilStore", "AnvilSync", "AnvilTesting", "AnvilServer", "CZlib", "CCurl"],
      "AnvilStore": ["AnvilHTTP", "AnvilBodies", "AnvilClient", "AnvilDiagnosis"],
      "AnvilSQLite": ["AnvilHTTP", "AnvilClient", "AnvilSQLiteCache"],
      "AnvilPostgres": ["AnvilHTTP", "AnvilClient"],
      "AnvilSync": ["AnvilSQLite", "AnvilPostgres", "AnvilCurl"],
      "AnvilServer": ["AnvilJSON", "AnvilClient", "AnvilTesting", "COpenSSL"],
      "AnvilServerTLS": ["AnvilJSON", "AnvilClient", "AnvilTesting"],
      "AnvilTesting": ["AnvilStore", "AnvilStoreTesting", "AnvilServerTLS"],
      "AnvilStoreTesting": ["AnvilHTTP", "AnvilClient", "AnvilTesting"],
      "Anvil": ["AnvilStore", "AnvilSync", "AnvilTesting", "AnvilServer", "AnvilSchema"],
      "AnvilCommands": ["AnvilTesting", "AnvilStoreTesting"],
    ]
    for (name, others) in strangers {
      #expect(graph.targets.contains { $0.name == name }, "there is no target \(name)")
      #expect(graph.dependencies(of: name).intersection(others) == [], "\(name) has a dependency that is not allowed")
    }
  }

  @Test func manifestListsTargetsAfterTheirDependencies() throws {
    let graph = try PackageGraph()
    #expect(!graph.targets.isEmpty)
    var listed: Set<String> = []
    for target in graph.targets {
      let later = target.dependencies.map(\.name).filter { !listed.contains($0) }
      #expect(later == [], "\(target.name) is listed before its dependency")
      listed.insert(target.name)
    }
  }

  /// `Fuzzing` is a separate package that CI does not build. Its product must list the targets that it imports.
  @Test func fuzzingImportsOnlyTargetsOfItsProduct() throws {
    let graph = try PackageGraph(environment: ["ANVIL_FUZZING": "1"])
    let product = try #require(graph.products.first { $0.name == "AnvilParsers" })
    let sources = try Self.sources(in: "Fuzzing/Sources")
    #expect(!sources.isEmpty)
    for (name, text) in sources {
      let modules = text.matches(of: /(?m)^(?:@testable |\w+ )?import (Anvil\w+)$/).map { String($0.1) }
      let missing = modules.filter { !product.targets.contains($0) }
      #expect(missing == [], "\(name) imports a target that AnvilParsers does not contain")
    }
  }

  private static func sources(in folder: String) throws -> [(name: String, text: String)] {
    let folder = PackageGraph.root.appending(path: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".swift") }
    return try names.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }
}
#endif
