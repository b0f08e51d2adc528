// Writes the public interface of modules as text, from their symbol graphs:
//
//   ledger FOLDER-OF-SYMBOL-GRAPHS MODULE…
//
// One line for each declaration, indented below its type, in an order that depends on nothing but the declarations.
// Cases of enumerations are listed and counted by themselves.
//
// A type's conformances are written on its line. Members that satisfy a requirement of a protocol named there are counted but
// not listed; the compiler notes in the graph which requirement a member satisfies. A member stays listed where it offers more
// than the requirement does (a setter, an initialiser that cannot fail) or where nothing else names an associated type.
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Kind: Decodable { var identifier: String }
    struct Fragment: Decodable { var spelling: String }
    struct Extension: Decodable { var constraints: [Constraint]? }
    struct Generics: Decodable { var constraints: [Constraint]? }

    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var swiftExtension: Extension?
    var swiftGenerics: Generics?

    var declaration: String {
      // How a case is stored is not part of the interface.
      declarationFragments.map(\.spelling).joined().split(whereSeparator: \.isWhitespace).filter { $0 != "indirect" }
        .joined(separator: " ")
    }

    var path: String { pathComponents.joined(separator: ".") }
    var parentPath: String { pathComponents.dropLast().joined(separator: ".") }

    var isType: Bool {
      ["swift.struct", "swift.enum", "swift.class", "swift.protocol", "swift.actor"].contains(kind.identifier)
    }

    /// `true` for the declaration of a requirement whose result is an associated type.
    var resultsInAssociatedType: Bool { declaration.contains(/(-> |: )Self\.\w+( { get })?$/) }

    var isSettable: Bool {
      declaration.contains("{ get set }") || declaration.contains(/^(@\w+ )*(static )?var [^{]*$/)
    }
  }

  struct Constraint: Decodable, Hashable {
    var kind: String
    var lhs: String
    var rhs: String

    /// Nearly every type has these.
    var isOfInterest: Bool { !["SendableMetatype", "Copyable", "Escapable"].contains(rhs) }

    var text: String { lhs + (kind == "sameType" ? " == " : " : ") + rhs }
  }

  struct Relationship: Decodable {
    struct Origin: Decodable {
      var identifier: String
      var displayName: String
    }

    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
    var sourceOrigin: Origin?
    var swiftConstraints: [Constraint]?
  }

  var symbols: [Symbol]
  var relationships: [Relationship]
}

struct Ledger {
  /// A type and its members, or the members of a type that another module declares.
  private struct Group {
    var heading: String?
    var members: Set<String> = []
  }

  private let symbols: [Graph.Symbol]
  private let relationships: [Graph.Relationship]
  /// The declarations of all modules, by mangled name.
  private let declared: [String: Graph.Symbol]
  /// The requirement that a member satisfies, by the member's name.
  private var origins: [String: Graph.Relationship.Origin] = [:]
  /// The default implementations of protocols in these modules, by requirement.
  private var defaults: [String: [Graph.Symbol]] = [:]
  /// The members by which a type satisfies requirements, by the type's path.
  private var witnesses: [String: [(requirement: String, symbol: Graph.Symbol)]] = [:]
  private var hidden: Set<String> = []

  init(of graphs: [Graph], among all: [Graph]) {
    symbols = graphs.flatMap(\.symbols)
    relationships = graphs.flatMap(\.relationships)
    declared = Dictionary(
      all.flatMap(\.symbols).map { ($0.identifier.precise, $0) }, uniquingKeysWith: { first, _ in first })
    for relationship in relationships {
      if let origin = relationship.sourceOrigin { origins[relationship.source] = origin }
      if relationship.kind == "defaultImplementationOf", let symbol = declared[relationship.source] {
        if declared[relationship.target] == nil {
          origins[relationship.source] = .init(
            identifier: relationship.target, displayName: relationship.targetFallback ?? "")
        } else {
          defaults[relationship.target, default: []].append(symbol)
        }
      }
    }
    for symbol in symbols {
      guard let origin = origins[symbol.identifier.precise] else { continue }
      witnesses[symbol.parentPath, default: []].append((origin.displayName, symbol))
    }
    hidden = Set(defaults.values.joined().map(\.identifier.precise)).intersection(symbols.map(\.identifier.precise))
    hidden.formUnion(symbols.filter { !$0.isType && satisfiesOnly($0) }.map(\.identifier.precise))
    // An iterator or an index that has no members of its own.
    let parents = Set(symbols.filter { !hidden.contains($0.identifier.precise) }.map(\.parentPath))
    hidden.formUnion(
      symbols.filter { $0.isType && origins[$0.identifier.precise] != nil && !parents.contains($0.path) }
        .map(\.identifier.precise))
  }

  /// `true` if a member offers exactly what the requirement does.
  private func satisfiesOnly(_ symbol: Graph.Symbol) -> Bool {
    guard let origin = origins[symbol.identifier.precise], symbol.kind.identifier != "swift.enum.case" else { return false }
    if symbol.declaration.contains(/^(convenience )?init\(/),
      ["RawRepresentable.init(rawValue:)", "CodingKeyRepresentable.init(codingKey:)"].contains(origin.displayName)
    {
      return false
    }
    let requirement = declared[origin.identifier]
    if symbol.isSettable, requirement?.isSettable != true { return false }
    return requirement?.declaration.contains("Self.") != true || requirement?.resultsInAssociatedType == true
  }

  /// The result of a type's member that satisfies `requirement`, without its optionality.
  private func result(of requirement: String, in path: String) -> String? {
    guard let witness = witnesses[path]?.first(where: { $0.requirement.hasSuffix(".\(requirement)") }) else { return nil }
    return witness.symbol.declaration.firstMatch(of: /(?: -> | = |(?:let|var) \w+: )(.*?)\??(?: \{.*)?$/).map { String($0.1) }
  }

  private func parameter(of requirement: String, in path: String) -> String? {
    guard let witness = witnesses[path]?.first(where: { $0.requirement == requirement }) else { return nil }
    return witness.symbol.declaration.firstMatch(of: /: \(?(.*?)\)?(?:\.\.\.)?\)$/).map { String($0.1) }
  }

  /// A protocol as a type conforms to it, with the associated types that a caller has to know.
  private func conformance(to name: String, of path: String) -> String {
    let argument: String? =
      switch name {
      case "RawRepresentable": parameter(of: "RawRepresentable.init(rawValue:)", in: path)
      case "ExpressibleByArrayLiteral": parameter(of: "ExpressibleByArrayLiteral.init(arrayLiteral:)", in: path)
      case "ExpressibleByDictionaryLiteral": parameter(of: "ExpressibleByDictionaryLiteral.init(dictionaryLiteral:)", in: path)
      case "IteratorProtocol", "AsyncIteratorProtocol":
        result(of: "Element", in: String(path[..<(path.lastIndex(of: ".") ?? path.endIndex)])) ?? result(of: "next()", in: path)
      case "Collection", "RandomAccessCollection": result(of: "subscript(_:)", in: path)
      case "Sequence": result(of: "next()", in: path + ".Iterator")
      case "AsyncSequence": result(of: "Element", in: path) ?? result(of: "next()", in: path + ".AsyncIterator")
      default:
        witnesses[path]?.first { witness in
          witness.requirement.hasPrefix("\(name).")
            && declared[origins[witness.symbol.identifier.precise]?.identifier ?? ""]?.resultsInAssociatedType == true
        }.flatMap { result(of: String($0.requirement.dropFirst(name.count + 1)), in: path) }
      }
    return argument.map { "\(name)<\($0)>" } ?? name
  }

  /// The conformances of each type: those without conditions, and those with one.
  private func conformances() -> [String: [String: Set<String>]] {
    var conformances: [String: [String: Set<String>]] = [:]
    for relationship in relationships where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
      let fallback = relationship.targetFallback.map { String($0.split(separator: ".").last ?? "") }
      // Nearly every type has these.
      guard let name = declared[relationship.target]?.path ?? fallback,
        !["SendableMetatype", "Copyable", "Escapable"].contains(name)
      else { continue }
      let own = declared[relationship.source]?.swiftGenerics?.constraints ?? []
      let condition = (relationship.swiftConstraints ?? []).filter { $0.isOfInterest && !own.contains($0) }
        .map(\.text).sorted().joined(separator: ", ")
      conformances[relationship.source, default: [:]][condition, default: []].insert(name)
    }
    return conformances
  }

  /// The declaration of a protocol, for protocols that are written with the protocols that they imply.
  private static let implied: [String: Set<String>] = [
    "Hashable": ["Equatable"], "Comparable": ["Equatable"], "Error": ["Sendable"], "LocalizedError": ["Error", "Sendable"],
    "ExpressibleByStringLiteral": ["ExpressibleByExtendedGraphemeClusterLiteral", "ExpressibleByUnicodeScalarLiteral"],
    "ExpressibleByStringInterpolation": [
      "ExpressibleByStringLiteral", "ExpressibleByExtendedGraphemeClusterLiteral", "ExpressibleByUnicodeScalarLiteral",
    ],
    "Collection": ["Sequence"], "RandomAccessCollection": ["BidirectionalCollection", "Collection", "Sequence"],
    "OptionSet": ["SetAlgebra", "RawRepresentable", "ExpressibleByArrayLiteral", "Equatable"],
    "InstantProtocol": ["Comparable", "Equatable", "Hashable", "Sendable"],
  ]

  private static let standardTypes = [
    "s:Sb": "Bool", "s:SD": "Dictionary", "s:Sd": "Double", "s:Sf": "Float", "s:Si": "Int", "s:SS": "String",
    "s:Ss": "Substring", "s:Su": "UInt",
  ]

  private func list(_ names: Set<String>, of path: String) -> String {
    var shown = names
    for name in names {
      shown.subtract(Self.implied[name] ?? [])
      if let declared = declared.values.first(where: { $0.kind.identifier == "swift.protocol" && $0.path == name }) {
        shown.subtract(declared.declaration.split(separator: " : ").last.map { $0.split(separator: ", ").map(String.init) } ?? [])
      }
    }
    if shown.isSuperset(of: ["Decodable", "Encodable"]) {
      shown.subtract(["Decodable", "Encodable"])
      shown.insert("Codable")
    }
    return shown.sorted().map { conformance(to: $0, of: path) }.joined(separator: ", ")
  }

  /// One heading for what a type has without conditions, and one line for each condition.
  private func headings(_ start: String, _ conformances: [String: Set<String>], path: String) -> String {
    let always = list(conformances[""] ?? [], of: path)
    let lines = conformances.sorted { $0.key < $1.key }.filter { !$0.key.isEmpty }.map { condition, names in
      "extension \(path): \(list(names.subtracting(conformances[""] ?? []), of: path)) where \(condition)"
    }
    // An extension whose conformances all have conditions has no line of its own.
    let first = always.isEmpty ? (lines.isEmpty || !start.hasPrefix("extension ") ? [start] : []) : [start.adding(conformances: always)]
    return (first + lines).joined(separator: "\n")
  }

  private func heading(of symbol: Graph.Symbol, _ conformances: [String: Set<String>]) -> String {
    var declaration = symbol.declaration
    if symbol.kind.identifier == "swift.protocol" { declaration = String(declaration.split(separator: " : ")[0]) }
    // With its path for a name.
    let name = symbol.pathComponents.last ?? ""
    if let range = declaration.firstRange(of: " \(name)") { declaration.replaceSubrange(range, with: " \(symbol.path)") }
    return headings(declaration, conformances, path: symbol.path)
  }

  /// The conditions of a requirement's default implementation; empty for an unconditional one.
  private func note(on requirement: Graph.Symbol) -> String {
    guard let defaults = defaults[requirement.identifier.precise] else { return "" }
    let conditions = defaults.map { ($0.swiftExtension?.constraints ?? []).map(\.text).sorted().joined(separator: ", ") }.sorted()
    return conditions.contains("") ? " // has a default" : " // has a default where \(conditions.joined(separator: "; where "))"
  }

  /// The number of declarations listed, of cases, and of members that are left out.
  var counts: (declarations: Int, cases: Int, witnesses: Int) {
    let cases = symbols.count { $0.kind.identifier == "swift.enum.case" }
    return (symbols.count - hidden.count - cases, cases, hidden.count)
  }

  func text() -> String {
    var conformances = conformances()
    var groups: [String: Group] = [:]
    let listed = symbols.filter { !hidden.contains($0.identifier.precise) }
    for symbol in listed {
      if symbol.isType {
        groups[symbol.path, default: Group()].heading =
          heading(of: symbol, conformances.removeValue(forKey: symbol.identifier.precise) ?? [:])
      } else {
        let name = symbol.pathComponents.last ?? ""
        // Two members may be declared in the same words; their names differ then.
        let declaration = symbol.declaration.contains(name.prefix { $0 != "(" }) ? symbol.declaration : "\(symbol.declaration) // \(name)"
        groups[symbol.parentPath, default: Group()].members.insert(declaration + note(on: symbol))
      }
    }
    // Types of other modules that these make conform, whose members have all been left out.
    let hiddenTypes = Set(symbols.filter { $0.isType && hidden.contains($0.identifier.precise) }.map(\.path))
    for symbol in symbols where hidden.contains(symbol.identifier.precise) && !symbol.isType {
      guard groups[symbol.parentPath] == nil, !hiddenTypes.contains(symbol.parentPath) else { continue }
      groups[symbol.parentPath] = Group()
    }
    var foreign = Dictionary(
      relationships.filter { $0.kind == "memberOf" }.compactMap { relationship in
        declared[relationship.source].map { ($0.parentPath, relationship.target) }
      }, uniquingKeysWith: { first, _ in first })
    // Conformances without a single member: the graph has no name for the type then, only the compiler's.
    let known = Set(foreign.values)
    for type in conformances.keys where declared[type] == nil && !known.contains(type) {
      // Mangled names of structures and classes: s for the standard library or the module, the length, the name, V or C.
      let structure = type.wholeMatch(of: /s:(?:s|\d+[A-Za-z]+)\d+(\w+)[VC]/).map { String($0.1) }
      let path = Self.standardTypes[type] ?? structure ?? type
      foreign[path] = type
      groups[path] = Group()
    }
    for path in groups.keys where groups[path]?.heading == nil && !path.isEmpty {
      groups[path]?.heading = headings(
        "extension \(path)", foreign[path].flatMap { conformances[$0] } ?? [:], path: path)
    }
    var lines: [String] = []
    for (path, group) in groups.sorted(by: { $0.key < $1.key }) {
      if let heading = group.heading { lines.append(heading) }
      lines += group.members.sorted().map { (path.isEmpty ? "" : "  ") + $0 }
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  /// A type's declaration with its conformances before its conditions.
  fileprivate func adding(conformances: String) -> String {
    guard let range = firstRange(of: " where ") else { return "\(self): \(conformances)" }
    return "\(self[..<range.lowerBound]): \(conformances)\(self[range.lowerBound...])"
  }
}

let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first, arguments.count > 1 else {
  FileHandle.standardError.write(Data("usage: ledger FOLDER MODULE…\n".utf8))
  exit(64)
}
let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
let graphs = try files.map { name in
  (name, try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
}
for module in arguments.dropFirst() {
  let own = graphs.filter { $0.0 == "\(module).symbols.json" || $0.0.hasPrefix("\(module)@") }.map(\.1)
  let ledger = Ledger(of: own, among: graphs.map(\.1))
  let counts = ledger.counts
  print("// \(module): \(counts.declarations) declarations, \(counts.cases) cases,",
    "and \(counts.witnesses) members that satisfy the protocols named\n\n\(ledger.text())\n")
}
