import AnvilTestSupport

/// The graph of Documentation/Design/modules.md: lines such as `AnvilSync ◄ AnvilClient, AnvilStore`.
struct DocumentedGraph {
  private var direct: [String: [String]] = [:]

  var names: Set<String> { Set(direct.keys) }

  init() throws {
    let lines = try Checkout.text("Documentation/Design/modules.md").split(separator: "\n")
    for line in lines.drop(while: { !$0.hasPrefix("    ") }).prefix(while: { $0.hasPrefix("    ") }) {
      let sides = line.split(separator: "◄").map(Self.targets)
      // "no target of this package"
      for name in sides[0] { direct[name] = sides.count > 1 ? sides[1] : [] }
    }
  }

  /// Returns the names of all targets that `name` depends on, directly or not.
  func dependencies(of name: String) -> Set<String> {
    (direct[name] ?? []).reduce(into: []) { found, next in found.formUnion(dependencies(of: next).union([next])) }
  }

  private static func targets(in text: Substring) -> [String] { text.matches(of: /\bAnvil\w*/).map { String($0.0) } }
}
