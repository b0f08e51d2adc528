#if os(Linux) || os(macOS)
import Testing

/// Which targets may know of which: the graph in Documentation/Design/modules.md.
@Suite(.timeLimit(.minutes(5))) struct PackageGraphTests {
  @Test func targetsKnowOnlyWhatTheirWorkNeeds() throws {
    let graph = try PackageGraph()
    let strangers: KeyValuePairs<String, [String]> = [
      // Nothing is below these.
      "AnvilText": graph.targets.map(\.name), "AnvilPlatform": graph.targets.map(\.name),
      "AnvilContracts": graph.targets.map(\.name),
      "AnvilJSON": ["AnvilDiagnosis", "AnvilModel", "AnvilHTTP", "AnvilPlatform"],
      "AnvilMacros": graph.targets.map(\.name),
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
      "AnvilServer": ["AnvilJSON", "AnvilClient", "AnvilTesting"],
      "AnvilTesting": ["AnvilStore", "AnvilStoreTesting"],
      "AnvilStoreTesting": ["AnvilHTTP", "AnvilClient", "AnvilTesting"],
      "Anvil": ["AnvilStore", "AnvilSync", "AnvilTesting", "AnvilServer", "AnvilSchema"],
      "AnvilCommands": ["AnvilTesting", "AnvilStoreTesting"],
    ]
    for (name, others) in strangers {
      #expect(graph.targets.contains { $0.name == name }, "there is no target \(name)")
      #expect(graph.dependencies(of: name).intersection(others) == [], "\(name) depends on what it should not know")
    }
  }

  @Test func manifestListsTargetsBeforeTheirUsers() throws {
    let graph = try PackageGraph()
    #expect(!graph.targets.isEmpty)
    var listed: Set<String> = []
    for target in graph.targets {
      let later = target.dependencies.map(\.name).filter { !listed.contains($0) }
      #expect(later == [], "\(target.name) is listed before what it depends on")
      listed.insert(target.name)
    }
  }
}
#endif
