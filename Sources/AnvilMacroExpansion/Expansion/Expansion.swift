/// The code that the macros generate for a model.
///
/// The members of a class or an enumeration are generated in its body, where all names are visible to the type. The
/// members of a structure are generated in extensions, because an initialiser in the body would suppress the memberwise
/// initialiser.
package struct Expansion {
  /// The directions in which a model is coded.
  package struct Directions: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    static let decoding = Directions(rawValue: 1)
    static let encoding = Directions(rawValue: 2)
  }

  /// A protocol and the members that implement it.
  private struct Conformance {
    var name: String
    /// The protocols that generic parameters must conform to; `nil` for the protocol itself.
    var requirements: [String]?
    var members = Lines()
  }

  let model: Model
  let directions: Directions
  /// The protocols that the type does not declare itself.
  let missing: Set<String>

  /// The declarations in the body of the type.
  var members: [String] {
    switch model.shape {
    case .structure(let tree): model.isNested ? ScopedMembers(tree).declaration.map { [$0] } ?? [] : []
    case .finalClass, .enumeration: ([keys] + conformances.map(\.members)).filter { !$0.text.isEmpty }.map(\.joined)
    }
  }

  /// The extensions, each with one conformance.
  var extensions: [String] {
    var extensions = conformances.compactMap { extensionOf($0) }
    if model.isStructure, !keys.text.isEmpty {
      var lines = Lines()
      lines.block("\(Names.extension) \(model.type)") { $0.add(keys) }
      extensions.insert(lines.joined, at: 0)
    }
    return extensions
  }

  private var keys: Lines {
    switch model.shape {
    case .structure(let tree), .finalClass(let tree): StructureExpansion(model, tree).keys
    case .enumeration(let tagging, let cases): EnumerationExpansion(model, tagging, cases).keys
    }
  }

  private var conformances: [Conformance] {
    let parts = parts
    var conformances: [Conformance] = []
    if case .enumeration(let tagging, let cases) = model.shape, tagging.tag != nil {
      let members = EnumerationExpansion(model, tagging, cases).tag
      conformances.append(Conformance(name: Names.tagged, requirements: [], members: members))
    }
    if directions.contains(.decoding) {
      conformances += [
        Conformance(name: Names.readable, members: model.hasDecodableInitializer ? customReading : parts.reading),
        // The protocol has an implementation for types that are `Decodable`.
        Conformance(
          name: Names.mappingDecodable, members: model.hasDecodableInitializer ? Lines() : parts.mappingDecoding),
        Conformance(name: Names.decodable, members: model.hasDecodableInitializer ? Lines() : parts.decoding),
      ]
      // A handwritten initialiser may read a different format, which a decoder reads with containers.
      if !model.hasDecodableInitializer {
        conformances.append(
          Conformance(
            name: "AnvilJSON.JSONDirectlyDecodable", requirements: [Names.decodable, Names.readable],
            members: keyAliases))
      }
      if isUpdatedDirectly {
        conformances.append(Conformance(name: Names.updatable, members: parts.updating))
      }
    }
    if directions.contains(.encoding) {
      conformances += [
        Conformance(name: Names.writable, members: model.hasEncodeFunction ? customWriting : parts.writing),
        Conformance(name: Names.encodable, members: model.hasEncodeFunction ? Lines() : parts.encoding),
      ]
      if !model.hasEncodeFunction, !hasSlashes {
        conformances.append(
          Conformance(
            name: "AnvilJSON.JSONDirectlyEncodable", requirements: [Names.encodable, Names.writable]))
      }
    }
    return conformances
  }

  /// Reading by the type's own `init(from:)`, also where the type is a member of a model on the direct path.
  private var customReading: Lines {
    var lines = Lines()
    lines.block(
      "\(model.modifiers)static func read(from reader: inout \(Names.reader)) throws(\(Names.readingError)) -> \(model.selfName)\(model.functionClause(Names.readable))"
    ) { $0.add("try reader._readCodable(\(model.selfName).self)") }
    return lines
  }

  /// The other keys of the members of the outermost object.
  private var keyAliases: Lines {
    var lines = Lines()
    let properties =
      switch model.shape {
      case .structure(let tree), .finalClass(let tree): tree.decoded.declared
      case .enumeration: [Property]()
      }
    let aliased = properties.filter { $0.path.count == 1 && !$0.aliases.isEmpty }
    guard !aliased.isEmpty else { return lines }
    lines.block("\(model.modifiers)static var _keyAliases: [Swift.String: [Swift.String]]") { lines in
      lines.add("[")
      for property in aliased {
        lines.add("  \(property.path[0].literal): [\(property.aliases.map(\.literal).joined(separator: ", "))],")
      }
      lines.add("]")
    }
    return lines
  }

  /// Writing by the type's own `encode(to:)`.
  private var customWriting: Lines {
    var lines = Lines()
    lines.block("\(model.modifiers)func write(to writer: inout \(Names.writer))\(model.functionClause(Names.writable))")
    {
      $0.add("writer._writeCodable(self)")
    }
    return lines
  }

  /// True if members can be updated by a `JSON.Reader` with the same results as by containers.
  ///
  /// Macros must generate the coding in both directions, because updating with containers keeps the values that `encode(to:)` writes. The
  /// type must not have generic parameters, because its functions would be in an extension with requirements. The compiler would then
  /// silently ignore an `update(from:)` that the type declares in another extension. Without requirements, the compiler reports a
  /// redeclaration.
  private var isUpdatedDirectly: Bool {
    guard model.isUpdatable, !model.hasDecodableInitializer, !model.hasEncodeFunction, model.genericParameters.isEmpty,
      directions.contains(.encoding) || model.isDeclaredEncodable
    else { return false }
    switch model.shape {
    case .structure, .enumeration: return true
    case .finalClass: return false
    }
  }

  private var parts: Parts {
    switch model.shape {
    case .structure(let tree):
      StructureExpansion(model, model.isNested ? ScopedMembers(tree).members : tree).parts
    case .finalClass(let tree): StructureExpansion(model, tree).parts
    case .enumeration(let tagging, let cases): EnumerationExpansion(model, tagging, cases).parts
    }
  }

  /// True if a key contains a slash. Encoders escape slashes, and a `JSON.Writer` does not.
  private var hasSlashes: Bool {
    switch model.shape {
    case .structure(let tree), .finalClass(let tree): tree.hasSlashes
    case .enumeration(let tagging, let cases):
      switch tagging {
      case .raw, .name: false
      case .key, .external: cases.contains { $0.tag.contains("/") || MemberTree($0.values).hasSlashes }
      case .internal(let tag): tag.contains("/")
      case .adjacent(let tag, let content): (tag + content).contains("/")
      }
    }
  }

  /// Returns an extension that conforms to a protocol; `nil` if it would be empty.
  private func extensionOf(_ conformance: Conformance) -> String? {
    let isMissing = missing.contains(conformance.name.split(separator: ".").last.map(String.init) ?? "")
    let members = model.isStructure ? conformance.members : Lines()
    guard isMissing || !members.text.isEmpty else { return nil }
    let requirements = conformance.requirements ?? [conformance.name]
    let clause = requirements.isEmpty ? "" : model.clause(requirements)
    var lines = Lines()
    lines.block("\(Names.extension) \(model.type)\(isMissing ? ": \(conformance.name)" : "")\(clause)") {
      $0.add(members)
    }
    return lines.joined
  }
}

/// The generated members of a model, for each of its conformances.
struct Parts {
  var reading: Lines
  var updating: Lines
  var mappingDecoding: Lines
  var decoding: Lines
  var writing: Lines
  var encoding: Lines
}
