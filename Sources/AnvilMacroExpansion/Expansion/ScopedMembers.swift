/// Gives an extension what it cannot name: the types and the expressions of a type inside another type.
///
/// An extension of `Outer.Inner` does not see the other types in `Outer`; the body of `Inner` does. So an enumeration in the body names
/// them. The initialisers of a structure have to be in an extension, because in the body they would take away the one that the
/// compiler writes.
struct ScopedMembers {
  static let name = "JSONMembers"

  private let tree: MemberTree

  init(_ tree: MemberTree) { self.tree = tree }

  /// The enumeration; `nil` if there is nothing to name.
  var declaration: String? {
    guard !tree.properties.isEmpty else { return nil }
    var lines = Lines()
    // The types that it names may be those of the file alone.
    lines.block("fileprivate enum \(Self.name)") { lines in
      for property in tree.properties where !property.isWrapped {
        lines.add("typealias \(typeName(property)) = \(property.wrapped ?? property.type)")
        if let fallback = property.fallback, !isPlain(fallback) {
          lines.add("static var \(property.plainName)Default: \(property.type) { \(fallback) }")
        }
        if let strategy = property.strategy, !strategy.hasPrefix(".") {
          lines.add(
            "static var \(property.plainName)Strategy: some AnvilCodable.CodableStrategy<\(typeName(property))> { \(strategy) }"
          )
        }
      }
    }
    return lines.joined
  }

  /// The members with the enumeration's names in the place of their own.
  var members: MemberTree {
    MemberTree(
      tree.properties.map { property in
        guard !property.isWrapped else { return property }
        var named = property
        let type = "\(Self.name).\(typeName(property))"
        named.type = property.isOptional ? "\(type)?" : type
        if property.isOptional { named.wrapped = type }
        if let fallback = property.fallback, !isPlain(fallback) {
          named.fallback = "\(Self.name).\(property.plainName)Default"
        }
        if let strategy = property.strategy, !strategy.hasPrefix(".") {
          named.strategy = "\(Self.name).\(property.plainName)Strategy"
        }
        return named
      })
  }

  private func typeName(_ property: Property) -> String { property.plainName.capitalizedFirst + "MemberType" }

  /// True for literals, which mean the same everywhere.
  private func isPlain(_ expression: String) -> Bool {
    guard let first = expression.first else { return true }
    return expression == "[]" || expression == "[:]" || expression == "nil" || expression == "true"
      || expression == "false"
      || first.isNumber || (first == "\"" && !expression.contains("\\("))
  }
}
