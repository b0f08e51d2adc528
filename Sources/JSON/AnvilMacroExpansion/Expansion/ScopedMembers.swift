/// Makes the types and expressions of a nested type available to its extensions.
///
/// The body of `Inner` can use the other types in `Outer`, but an extension of `Outer.Inner` cannot. So an enumeration
/// in the body declares names for them. The initialisers of a structure must be in an extension, because in the body
/// they would suppress the memberwise initialiser.
struct ScopedMembers {
  static let name = "JSONMembers"

  private let tree: MemberTree

  init(_ tree: MemberTree) { self.tree = tree }

  /// The enumeration; `nil` if it would be empty.
  var declaration: String? {
    guard !tree.properties.isEmpty else { return nil }
    var lines = Lines()
    // The types may be private to the file.
    lines.block("fileprivate nonisolated enum \(Self.name)") { lines in
      for property in tree.properties where !property.isWrapped {
        lines.add("typealias \(typeName(property)) = \(property.wrapped ?? property.type)")
        if let fallback = property.fallback, !isPlain(fallback) {
          lines.add("static var \(property.identifier)Default: \(property.type) { \(fallback) }")
        }
        if let strategy = property.strategy, !strategy.hasPrefix(".") {
          // The values of a strategy for an optional property may be optional or not.
          let isOptional = property.isOptional && !property.isNullDistinct
          let value = typeName(property) + (isOptional ? "?" : "")
          let expression = isOptional ? "AnvilCodable._strategy(\(strategy), for: (\(value)).self)" : strategy
          lines.add(
            "static var \(property.identifier)Strategy: some AnvilCodable.CodableStrategy<\(value)> { \(expression) }")
        }
      }
    }
    return lines.joined
  }

  /// The members, with their types and expressions replaced by the names from the enumeration.
  var members: MemberTree {
    MemberTree(
      tree.properties.map { property in
        guard !property.isWrapped else { return property }
        var named = property
        let type = "\(Self.name).\(typeName(property))"
        named.type = type + (property.isOptional ? "?" : "") + (property.isNullDistinct ? "?" : "")
        if property.isOptional { named.wrapped = type }
        if let fallback = property.fallback, !isPlain(fallback) {
          named.fallback = "\(Self.name).\(property.identifier)Default"
        }
        if let strategy = property.strategy, !strategy.hasPrefix(".") {
          named.strategy = "\(Self.name).\(property.identifier)Strategy"
        }
        return named
      })
  }

  private func typeName(_ property: Property) -> String { property.identifier.capitalizedFirst + "MemberType" }

  /// Returns whether an expression is a literal, which has the same meaning in every scope.
  private func isPlain(_ expression: String) -> Bool {
    guard let first = expression.first else { return true }
    return expression == "[]" || expression == "[:]" || expression == "nil" || expression == "true"
      || expression == "false"
      || first.isNumber || (first == "\"" && !expression.contains("\\("))
  }
}
