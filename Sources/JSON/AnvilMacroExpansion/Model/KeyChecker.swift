/// Checks that no two values of an object have the same key.
struct KeyChecker {
  private let problems: Problems

  init(_ problems: Problems) { self.problems = problems }

  /// Reports values with the same key.
  ///
  /// - Parameter tag: The path of the tag, which no value may use.
  func check(_ properties: [Property], tag: [String]? = nil) {
    var owners: [[String]: String] = [:]
    if let tag { owners[tag] = "" }
    for property in properties {
      for path in [property.path] + property.aliases.map({ property.path.dropLast() + [$0] }) {
        let key = path.joined(separator: ".")
        switch owners.updateValue(property.plainName, forKey: path) {
        case nil: break
        case ""?: problems.report("tag", "the key \(key) is already the key of the tag", at: property.node)
        case let other?: problems.report("key", "\(other) already has the key \(key)", at: property.node)
        }
      }
    }
    for property in properties {
      for length in 1..<max(1, property.path.count) {
        guard let other = owners[Array(property.path.prefix(length))] else { continue }
        let key = property.path.prefix(length).joined(separator: ".")
        problems.report(
          "key", "the key \(key) cannot contain other keys: it is the key of \(other.isEmpty ? "the tag" : other)",
          at: property.node)
      }
    }
  }
}
