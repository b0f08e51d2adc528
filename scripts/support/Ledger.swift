// Writes the public interface of modules as text, from their symbol graphs:
//
//   ledger FOLDER-OF-SYMBOL-GRAPHS MODULE…
//
// One line for each declaration, indented below its type, in an order that depends on nothing but the declarations.
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Kind: Decodable { var identifier: String }
    struct Fragment: Decodable { var spelling: String }
    struct Extension: Decodable { var extendedModule: String }

    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var swiftExtension: Extension?

    var declaration: String {
      declarationFragments.map(\.spelling).joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    var isType: Bool {
      ["swift.struct", "swift.enum", "swift.class", "swift.protocol", "swift.actor"].contains(kind.identifier)
    }
  }

  struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
  }

  struct Module: Decodable { var name: String }

  var module: Module
  var symbols: [Symbol]
  var relationships: [Relationship]
}

/// A type and its members, or the members of a type that another module declares.
final class Group {
  var heading: String?
  var members: Set<String> = []
}

func ledger(of graphs: [Graph]) -> (text: String, count: Int) {
  var names: [String: String] = [:]
  for symbol in graphs.flatMap(\.symbols) {
    names[symbol.identifier.precise] = symbol.pathComponents.joined(separator: ".")
  }
  var conformances: [String: Set<String>] = [:]
  for relationship in graphs.flatMap(\.relationships) where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
    let name = names[relationship.target] ?? relationship.targetFallback?.replacing("Swift.", with: "")
    // Nearly every type has these.
    if let name, !["SendableMetatype", "Copyable", "Escapable"].contains(name) { conformances[relationship.source, default: []].insert(name) }
  }
  var groups: [String: Group] = [:]
  func group(_ path: String) -> Group {
    let group = groups[path] ?? Group()
    groups[path] = group
    return group
  }
  var count = 0
  for symbol in graphs.flatMap(\.symbols) {
    count += 1
    if symbol.isType {
      let inherited = conformances[symbol.identifier.precise, default: []].sorted()
      group(symbol.pathComponents.joined(separator: ".")).heading =
        symbol.declaration + (inherited.isEmpty ? "" : ": " + inherited.joined(separator: ", "))
    } else {
      let name = symbol.pathComponents.last ?? ""
      // Two members may be declared in the same words; their names differ then.
      let declaration = symbol.declaration.contains(name.prefix { $0 != "(" }) ? symbol.declaration : "\(symbol.declaration) // \(name)"
      group(symbol.pathComponents.dropLast().joined(separator: ".")).members.insert(declaration)
    }
  }
  var lines: [String] = []
  for (path, group) in groups.sorted(by: { $0.key < $1.key }) {
    if !path.isEmpty { lines.append("\(path): \(group.heading ?? "extension")") }
    lines += group.members.sorted().map { (path.isEmpty ? "" : "  ") + $0 }
  }
  return (lines.joined(separator: "\n"), count)
}

let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first, arguments.count > 1 else {
  FileHandle.standardError.write(Data("usage: ledger FOLDER MODULE…\n".utf8))
  exit(64)
}
let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
for module in arguments.dropFirst() {
  let graphs = try files.filter { $0 == "\(module).symbols.json" || $0.hasPrefix("\(module)@") }.map { name in
    try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
  }
  let (text, count) = ledger(of: graphs)
  print("// \(module): \(count) declarations\n\n\(text)\n")
}
