#if os(Linux) || os(macOS)
import AnvilTestSupport
import Foundation
import Testing

/// The dependencies of targets: the graph in Documentation/Design/modules.md.
@Suite(.timeLimit(.minutes(15))) struct PackageGraphTests {
  @Test func targetsHaveExactlyTheDocumentedDependencies() throws {
    let graph = try PackageGraph.own.get()
    let documented = try DocumentedGraph()
    let own = graph.targets.filter { $0.name.hasPrefix("Anvil") && $0.isModule }
    #expect(Set(own.map(\.name)) == documented.names)
    for target in own {
      let dependencies = graph.dependencies(of: target.name).filter { $0.hasPrefix("Anvil") }
      #expect(dependencies == documented.dependencies(of: target.name), "\(target.name)")
    }
  }

  @Test func librariesOfCAreUsedByOneModuleEach() throws {
    let users: [String: Set<String>] = [
      "CAnvilVectors": ["AnvilJSON"], "CCurl": ["AnvilCurl"], "CZlib": ["AnvilBodies"],
      "CSQLite": ["AnvilSQLite"], "CPostgres": ["AnvilPostgres"], "COpenSSL": ["AnvilCommands"],
    ]
    let graph = try PackageGraph.own.get()
    let libraries = graph.targets.map(\.name).filter { $0.hasPrefix("C") && $0 != "CAnvilTestLimits" }
    #expect(Set(libraries) == Set(users.keys))
    for (library, expected) in users {
      let found = graph.targets.filter { target in target.dependencies.contains { $0.name == library } }
      #expect(Set(found.map(\.name)) == expected, "\(library)")
    }
  }

  /// A floor is a folder of `Sources` with its modules.
  @Test func floorsKnowOnlyThoseBelow() throws {
    let floors = ["Base", "JSON", "HTTP", "Client", "Store", "Ecosystem", "Testing", "Tool"]
    let modules = try PackageGraph.own.get().targets.filter { $0.isModule && $0.name.hasPrefix("Anvil") }
    let heights = Dictionary(
      uniqueKeysWithValues: try modules.map { module in
        (module.name, try #require(floors.firstIndex { $0[...] == module.floor }, "\(module.name) is on no floor"))
      })
    for module in modules {
      let above = module.dependencies.map(\.name).filter { heights[$0, default: 0] > heights[module.name, default: 0] }
      #expect(above == [], "\(module.name) knows a module of a floor above it")
    }
  }

  /// Without traits, the package needs no other package: SwiftPM resolves nothing.
  @Test func otherPackagesAreOnlyDependenciesOfTraits() throws {
    let graph = try PackageGraph.own.get()
    for target in graph.targets {
      // Where SwiftSyntax is a package, the macros have its products.
      let products = target.dependencies.filter { $0.isProduct && !$0.name.hasPrefix("Swift") }
      #expect(
        products.isEmpty || target.name.contains("Ecosystem"), "\(target.name) depends on other packages")
      for product in products {
        #expect(!product.traits.isEmpty, "\(target.name) depends on \(product.name) without a trait")
      }
    }
  }

  @Test func noTargetDependsOnATargetOfTraits() throws {
    let graph = try PackageGraph.own.get()
    let others = graph.targets.filter { !$0.name.contains("Ecosystem") }
    #expect(!others.isEmpty)
    for target in others {
      let dependencies = target.dependencies.map(\.name).filter { $0.contains("Ecosystem") }
      #expect(dependencies == [], "\(target.name)")
    }
  }

  @Test func manifestListsTargetsAfterTheirDependencies() throws {
    let graph = try PackageGraph.own.get()
    #expect(!graph.targets.isEmpty)
    var listed: Set<String> = []
    for target in graph.targets {
      let later = target.dependencies.filter { !$0.isProduct }.map(\.name).filter { !listed.contains($0) }
      #expect(later == [], "\(target.name) is listed before its dependency")
      listed.insert(target.name)
    }
  }

  /// Outside of the folders for it, unsafe code is rare and gives its reason.
  @Test func unsafeCodeIsInItsFoldersOrExplained() throws {
    let sources = try Self.sources(in: "Sources")
    #expect(!sources.isEmpty)
    for (name, text) in sources where !name.contains("/Unsafe/") {
      // Most lines are not matched, which is slow.
      let lines = text.split(separator: "\n").filter { $0.contains("nsafe") && !$0.contains(/^\s*\/\//) }
      let count = lines.count { $0.contains(/\bunsafe\b(?![:-])|Unsafe\w*Pointer/) }
      #expect(count == 0 || text.contains("Safety:"), "\(name) does not say why its unsafe code is sound")
      #expect(count <= 4, "\(name) belongs into a folder with the name Unsafe")
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
    let folder = Checkout.root.appending(path: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".swift") }
    return try names.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }
}
#endif
