/// Generates code that writes members with a `JSON.Writer`.
struct DirectWriting {
  /// Returns the expression for the value of a property.
  private let value: (Property) -> String

  init(value: @escaping (Property) -> String = { "self.\($0.storedName)" }) { self.value = value }

  /// Returns the code that writes the members of `tree` to `members`.
  func members(of tree: MemberTree, to members: String = "members") -> Lines {
    var lines = Lines()
    for entry in tree.entries {
      switch entry {
      case .value(let property):
        let argument = property.isOmittable ? "ifPresent: \(value(property))" : value(property)
        let strategy = property.strategy.map { ", _by: \($0)" } ?? ""
        lines.add("\(members).write(\(property.path.last?.literal ?? ""), \(argument)\(strategy))")
      case .object(let key, let inner):
        wrap(inner, &lines) { lines in
          lines.block("\(members).object(\(key.literal))", parameters: " members in") { lines in
            lines.add(self.members(of: inner))
          }
        }
      }
    }
    return lines
  }

  /// Adds the code for an object that only groups values. The object is left out if all of them are.
  private func wrap(_ tree: MemberTree, _ lines: inout Lines, _ body: (inout Lines) -> Void) {
    guard tree.isOmittable else { return body(&lines) }
    let conditions = tree.properties.map { "\(value($0)) != nil" }
    lines.block("if \(conditions.joined(separator: " || "))", body)
  }
}
