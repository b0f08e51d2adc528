import AnvilJSON
import AnvilTestSupport
import Foundation

/// The targets of the package's manifest, in its order, with their dependencies.
struct PackageGraph {
  struct Target: Decodable {
    struct Dependency: Decodable {
      let name: String
      /// Whether it is a product of another package.
      let isProduct: Bool
      /// The traits of which one has to be enabled; empty for a dependency without this condition.
      let traits: [String]

      init(from decoder: any Decoder) throws {
        // {"byName": ["AnvilJSON", null]}, {"target": ["AnvilCurl", {"platformNames": ["linux"]}]},
        // {"product": ["Logging", "swift-log", null, {"platformNames": [], "traits": ["SwiftLog"]}]}
        let kinds = try decoder.singleValueContainer().decode([String: [JSON]].self)
        guard let (kind, values) = kinds.first, let name = values.first?.string else {
          throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no name"))
        }
        self.name = name
        isProduct = kind == "product"
        traits = values.last?["traits"].map { all in (0..<all.count).compactMap { all[$0]?.string } } ?? []
      }
    }

    let name: String
    let type: String
    /// The folder, if it is not the one that is named after the target.
    let path: String?
    let dependencies: [Dependency]

    /// Whether programs can contain the target: it is no test, and not only for tests.
    var isModule: Bool { type != "test" && path?.hasPrefix("Tests/") != true }
    /// The folder below `Sources` or `Tests` that contains the target's, if there is one.
    var floor: Substring? { path?.split(separator: "/").dropLast().dropFirst().first }
  }

  struct Product: Decodable {
    let name: String
    let targets: [String]
  }

  private struct Manifest: Decodable {
    let products: [Product]
    let targets: [Target]
  }

  /// The error for a manifest that cannot be read.
  struct Failure: Error {
    let status: Int32
    /// What SwiftPM has written to its standard error.
    let messages: String
  }

  let products: [Product]
  let targets: [Target]

  /// The graph of the package, which is read once for all tests: SwiftPM takes a second of the processor.
  static let own = Result { try PackageGraph(environment: [:]) }

  /// Reads the manifest.
  ///
  /// - Parameter environment: The variables that are set in addition to those of the process.
  init(environment: [String: String]) throws {
    let manifest = try JSON.Decoder().decode(Manifest.self, from: Self.dump(environment: environment))
    products = manifest.products
    targets = manifest.targets
  }

  /// Returns the manifest as JSON.
  ///
  /// SwiftPM reads it in a separate folder, because another SwiftPM may be running the tests.
  static func dump(environment: [String: String]) throws -> Data {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "anvil-graph-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let messages = scratch.appending(path: "messages")
    try Data().write(to: messages)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", Checkout.root.path(), "--scratch-path", scratch.path(), "dump-package",
    ]
    // scripts/check runs the tests of a part of the package.
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "ANVIL_TARGETS" }
      .merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = try FileHandle(forWritingTo: messages)
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        status: process.terminationStatus, messages: String(decoding: try Data(contentsOf: messages), as: UTF8.self))
    }
    return data
  }

  /// Returns the names of all targets that `name` depends on, directly or not.
  func dependencies(of name: String) -> Set<String> {
    var found: Set<String> = []
    var queue = [name]
    while let next = queue.popLast() {
      for dependency in targets.first(where: { $0.name == next })?.dependencies ?? []
      where found.insert(dependency.name).inserted {
        queue.append(dependency.name)
      }
    }
    return found
  }
}
