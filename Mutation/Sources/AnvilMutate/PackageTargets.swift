import Foundation

/// The targets of the package that is mutated, from its manifest.
struct PackageTargets {
  struct Target {
    let name: String
    let isTest: Bool
    let path: String
    let dependencies: [String]
  }

  let targets: [Target]

  init(root: URL, scratch: URL) throws {
    let dump = try ToolProcess.output(["swift", "package", "--scratch-path", scratch.path, "dump-package"], in: root)
    guard let manifest = try JSONSerialization.jsonObject(with: dump) as? [String: Any],
      let targets = manifest["targets"] as? [[String: Any]]
    else { throw Failure("the manifest cannot be read") }
    self.targets = targets.compactMap { target in
      guard let name = target["name"] as? String, let type = target["type"] as? String else { return nil }
      let dependencies = (target["dependencies"] as? [[String: Any]] ?? []).compactMap { dependency in
        ((dependency["byName"] ?? dependency["target"]) as? [Any])?.first as? String
      }
      let path = target["path"] as? String ?? "\(type == "test" ? "Tests" : "Sources")/\(name)"
      return Target(name: name, isTest: type == "test", path: path, dependencies: dependencies)
    }
  }

  /// The target and all that it depends on.
  func closure(of name: String) -> Set<String> {
    var found: Set<String> = []
    var pending = [name]
    while let next = pending.popLast() {
      guard found.insert(next).inserted else { continue }
      pending += targets.first { $0.name == next }?.dependencies ?? []
    }
    return found
  }
}
