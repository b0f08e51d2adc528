/// Generates code that codes members with the containers of any `Decoder` and `Encoder`.
struct ContainerCoding {
  /// The qualified name of the enumeration of keys, within the enumerations around it.
  let keys: String
  /// The name of the type whose properties are coded, for property wrappers.
  let model: String

  /// Returns the enumeration of the keys of `tree`. Enumerations for inner objects are nested in it.
  ///
  /// - Parameter name: The unqualified name of the enumeration.
  func keyEnumeration(of tree: MemberTree, named name: String) -> Lines {
    var cases: [(name: String, key: String)] = []
    var inner = Lines()
    let names = Self.objectNames(in: tree)
    for entry in tree.entries {
      switch entry {
      case .value(let property):
        for (key, caseName) in Self.cases(of: property) { cases.append((caseName, key)) }
      case .object(let key, let tree):
        let (name, keys) = names[key] ?? (key, key)
        cases.append((name, key))
        inner.add(keyEnumeration(of: tree, named: keys))
      }
    }
    return .block("enum \(name): \(cases.isEmpty ? "" : "Swift.String, ")Swift.CodingKey") { lines in
      let declarations = cases.map { name, key in
        name.filter { $0 != "`" } == key ? name : "\(name) = \(key.literal)"
      }
      if !declarations.isEmpty { lines.add("case \(declarations.joined(separator: ", "))") }
      lines.add(inner)
    }
  }

  /// The keys of a property and the names of their cases: the key itself first, then the aliases.
  private static func cases(of property: Property) -> [(key: String, name: String)] {
    [(property.path.last ?? "", property.name)] + zip(property.aliases, property.aliasCases).map { ($0, $1) }
  }

  /// Returns the names of the cases and the enumerations of keys for the inner objects of `tree`, by the objects' keys.
  private static func objectNames(in tree: MemberTree) -> [String: (name: String, keys: String)] {
    var names: [String: (name: String, keys: String)] = [:]
    var scope: Scope?
    for case .object(let key, _) in tree.entries {
      // Keys such as owner and Owner must have different names, which no property has.
      var taken = scope ?? Scope(names: tree.entries.flatMap(Self.caseNames))
      let part = key.identifierPart
      names[key] = (taken.name("\(part)_members"), taken.name("\(part.capitalizedFirst)Keys"))
      scope = taken
    }
    return names
  }

  private static func caseNames(of entry: MemberTree.Entry) -> [String] {
    guard case .value(let property) = entry else { return [] }
    return [property.plainName] + property.aliasCases
  }

  /// Returns the code that decodes the members of `tree`. Calls `assign` with each property and the expression for its
  /// value.
  func decoding(
    _ tree: MemberTree, from decoder: String, _ scope: inout Scope,
    _ assign: (_ property: Property, _ value: String, _ lines: inout Lines) -> Void
  ) -> Lines {
    let container = scope.name("container")
    var lines = Lines()
    let isEmpty = tree.entries.isEmpty
    lines.add("\(isEmpty ? "_" : "let \(container)") = try \(decoder).container(keyedBy: \(keys).self)")
    decode(tree, container, keys, &scope, &lines, assign)
    if let rest = tree.rest { assign(rest, "try \(decoder)._rest(except: \(keys).self)", &lines) }
    return lines
  }

  func decode(
    _ tree: MemberTree, _ container: String, _ keys: String, _ scope: inout Scope, _ lines: inout Lines,
    _ assign: (Property, String, inout Lines) -> Void
  ) {
    let names = Self.objectNames(in: tree)
    for entry in tree.entries {
      switch entry {
      case .value(let property): assign(property, value(of: property, in: container), &lines)
      case .object(let key, let inner):
        let (objectCase, objectKeys) = names[key] ?? (key, key)
        let innerContainer = scope.name(key.identifierPart + "Container")
        let innerKeys = "\(keys).\(objectKeys)"
        let function = inner.isOptional ? "_nestedContainerOrEmpty" : "nestedContainer"
        lines.add(
          "let \(innerContainer) = try \(container).\(function)"
            + "(keyedBy: \(innerKeys).self, forKey: .\(objectCase))")
        decode(inner, innerContainer, innerKeys, &scope, &lines, assign)
      }
    }
  }

  private func value(of property: Property, in container: String) -> String {
    let cases = Self.cases(of: property).map { "." + $0.name }
    // The first of several keys that is present is used.
    let key = cases.count == 1 ? cases[0] : "\(container)._firstKey(\(cases.joined(separator: ", ")))"
    if property.isWrapped {
      let wrapper = "AnvilCodable._Expansion.wrapper { (model: \(model)) in model.\(property.storedName) }"
      guard let fallback = property.storedFallback else {
        return "try \(container).decode(\(wrapper), forKey: \(key))"
      }
      return "(try \(container).decodeIfPresent(\(wrapper), forKey: \(key))) ?? \(fallback)"
    }
    let type = property.metatype
    let strategy = property.strategy.map { ", _by: \($0.text)" } ?? ""
    guard !property.isRequired else { return "try \(container).decode(\(type), forKey: \(key)\(strategy))" }
    let function = property.isNullDistinct ? "_decodeOrNull" : "decodeIfPresent"
    let decoded = "try \(container).\(function)(\(type), forKey: \(key)\(strategy))"
    guard let fallback = property.fallback?.text else { return decoded }
    guard property.isOptional, !property.isNullDistinct else { return "(\(decoded)) ?? \(fallback)" }
    return "\(container).contains(\(key)) ? \(decoded) : \(fallback)"
  }

  func encoding(_ tree: MemberTree, to encoder: String, _ scope: inout Scope, _ value: (Property) -> String) -> Lines {
    let container = scope.name("container")
    var lines = Lines()
    let isEmpty = tree.entries.isEmpty
    lines.add("\(isEmpty ? "_" : "var \(container)") = \(encoder).container(keyedBy: \(keys).self)")
    encode(tree, container, keys, &scope, &lines, value)
    if let rest = tree.rest { lines.add("try \(encoder)._encode(rest: \(value(rest)), except: \(keys).self)") }
    return lines
  }

  func encode(
    _ tree: MemberTree, _ container: String, _ keys: String, _ scope: inout Scope, _ lines: inout Lines,
    _ value: (Property) -> String
  ) {
    let names = Self.objectNames(in: tree)
    for entry in tree.entries {
      switch entry {
      case .value(let property):
        let function = property.isOmittable ? "encodeIfPresent" : "encode"
        let strategy = property.strategy.map { ", _by: \($0.text)" } ?? ""
        lines.add("try \(container).\(function)(\(value(property)), forKey: .\(property.name)\(strategy))")
      case .object(let key, let inner):
        let (objectCase, objectKeys) = names[key] ?? (key, key)
        let innerContainer = scope.name(key.identifierPart + "Container")
        let innerKeys = "\(keys).\(objectKeys)"
        inner.wrap(value, &lines) { lines in
          lines.add(
            "var \(innerContainer) = \(container).nestedContainer"
              + "(keyedBy: \(innerKeys).self, forKey: .\(objectCase))")
          encode(inner, innerContainer, innerKeys, &scope, &lines, value)
        }
      }
    }
  }
}

/// The variables of one generated function. Their names do not hide each other or a property.
struct Scope {
  private var taken: Set<String>

  /// - Parameter properties: The properties that the function uses by name.
  init(_ properties: [Property]) { taken = Set(properties.flatMap { [$0.plainName, $0.identifier] }) }

  init(names: some Sequence<String>) { taken = Set(names) }

  /// Returns `name`, or the first of `name_2`, `name_3`, … that is not taken.
  mutating func name(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }
}
