#if os(Linux)
import AnvilTestSupport
import Foundation
import Testing

/// What variables change in the manifest.
@Suite(.timeLimit(.minutes(15))) struct ManifestTests {
  @Test func aFolderWithoutSwiftSyntaxIsAnErrorThatSaysWhatToSet() throws {
    let folder = try TemporaryFolder()
    for path in [folder.path("missing"), folder.url.path(), ""] {
      let error = #expect(throws: PackageGraph.Failure.self) {
        try PackageGraph.dump(environment: ["ANVIL_SWIFT_HOST": path])
      }
      let message = """
        error: ANVIL_SWIFT_HOST is \(path), which does not contain SwiftSyntax.swiftmodule: set ANVIL_SWIFT_HOST to the \
        folder lib/swift/host of the toolchain, or set ANVIL_SWIFT_SYNTAX=package to build SwiftSyntax from its repository
        """
      #expect(error?.messages.contains("\n\(message)\n") == true, "\(error?.messages ?? "no error")")
    }
  }

  @Test func theVariableNamesTheFolderOfSwiftSyntax() throws {
    let host = try TemporaryFolder().host()
    let manifest = try Self.manifest(environment: ["ANVIL_SWIFT_HOST": host.url.path()])
    #expect(manifest.contains(host.url.path()))
  }

  @Test func withoutTheVariableItIsThatOfTheCompiler() throws {
    let toolchain = try TemporaryFolder()
    let compiler = toolchain.url.appending(path: "bin/swiftc")
    for folder in ["bin", "lib/swift/host/SwiftSyntax.swiftmodule"] {
      try FileManager.default.createDirectory(
        at: toolchain.url.appending(path: folder), withIntermediateDirectories: true)
    }
    try Data().write(to: compiler)
    // The search path has a link to the compiler, and a program with the same name outside of a toolchain before it.
    let links = try TemporaryFolder()
    let (others, bin) = (links.url.appending(path: "others"), links.url.appending(path: "bin"))
    for folder in [others, bin] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try Data().write(to: others.appending(path: "swiftc"))
    try FileManager.default.createSymbolicLink(at: bin.appending(path: "swiftc"), withDestinationURL: compiler)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let manifest = try Self.manifest(environment: ["PATH": "\(others.path()):\(bin.path()):\(path)"])
    #expect(manifest.contains(toolchain.path("lib/swift/host")))
  }

  @Test func withoutACompilerInTheSearchPathItIsThatOfTheRunningToolchain() throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let swift = path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "swift") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
    let toolchain = try #require(swift).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent()
    // `swift` alone, without the compiler beside it.
    let links = try TemporaryFolder()
    try Data("#!/bin/sh\nexec \(try #require(swift).path()) \"$@\"\n".utf8).write(
      to: links.url.appending(path: "swift"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: links.path("swift"))
    let manifest = try Self.manifest(environment: ["PATH": "\(links.url.path()):/usr/bin:/bin"])
    #expect(manifest.contains(toolchain.appending(path: "lib/swift/host").path()))
  }

  @Test func aListOfTargetsKeepsWhatTheyNeed() throws {
    let graph = try PackageGraph(environment: ["ANVIL_TARGETS": "AnvilMacrosTests AnvilSQLite"])
    let names = Set(graph.targets.map(\.name))
    #expect(names.isSuperset(of: ["AnvilMacrosTests", "AnvilMacroExpansion", "AnvilSQLite", "AnvilStore", "CSQLite"]))
    #expect(names.isDisjoint(with: ["AnvilHTTP", "AnvilClient", "AnvilPostgres", "AnvilSQLiteTests", "demo"]))
    let products = Set(graph.products.map(\.name))
    #expect(products.isSuperset(of: ["AnvilSQLite"]) && products.isDisjoint(with: ["Anvil", "AnvilPostgres", "anvil"]))
    let error = #expect(throws: PackageGraph.Failure.self) {
      try PackageGraph(environment: ["ANVIL_TARGETS": "Anvils"])
    }
    #expect(error?.messages.contains("\nerror: there is no target Anvils\n") == true)
  }

  private static func manifest(environment: [String: String]) throws -> String {
    // Slashes are not escaped in what is compared.
    String(decoding: try PackageGraph.dump(environment: environment), as: UTF8.self).replacing("\\/", with: "/")
  }
}

extension TemporaryFolder {
  /// Makes this the folder of a toolchain with SwiftSyntax.
  fileprivate func host() throws -> TemporaryFolder {
    try FileManager.default.createDirectory(
      at: url.appending(path: "SwiftSyntax.swiftmodule"), withIntermediateDirectories: true)
    return self
  }
}
#endif
