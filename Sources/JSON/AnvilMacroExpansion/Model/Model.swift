/// A type to which a macro is attached.
struct Model {
  enum Shape {
    case structure(MemberTree)
    case finalClass(MemberTree)
    case enumeration(Tagging, [Case])
  }

  /// A parameter of the memberwise initialiser.
  struct Parameter {
    /// The name of the property, including backticks: `let` and `var` need them in a declaration.
    var name: String
    var type: String
    /// The expression for the default; `nil` if an argument is required.
    var value: String?
    /// True if the default is a literal. Other expressions may use declarations that a default argument of a public initialiser cannot.
    var isLiteral = true
  }

  /// The unqualified name of the type.
  var name: String
  /// The qualified name of the type, for extensions.
  var type: String
  /// The access modifier of the generated members: `public `, `package `, `fileprivate ` or empty.
  var access: String
  /// True if the type is nested in another declaration, whose types are not visible in an extension.
  var isNested: Bool
  var genericParameters: [String]
  var shape: Shape
  /// True if the type declares an initialiser.
  var hasInitializer: Bool
  /// True if the type declares `init(from:)`.
  var hasDecodableInitializer: Bool
  /// True if the type declares `encode(to:)`.
  var hasEncodeFunction: Bool
  /// True if the type is declared to be `DecoderUpdatable` and does not declare `update(from:)`.
  var isUpdatable: Bool
  /// True if the type is declared to be `Encodable`.
  var isDeclaredEncodable: Bool
  /// True if the type declares `CodingKeys`, which determine the keys.
  var hasCodingKeys: Bool
  /// The names of the stored variables that are not coded. An update keeps their values.
  var ignoredVariables: [String] = []
  /// The parameters of the memberwise initialiser to generate; `nil` if no initialiser is generated.
  var parameters: [Parameter]?

  /// The name of the type in generated members. In an extension, a nested generic type could not be named without its arguments.
  var selfName: String { isStructure ? "Self" : type }

  /// The modifiers of a generated member in the body of the type. Members in the extensions need only ``access``.
  var modifiersInBody: String { access + "nonisolated " }

  /// The modifiers of a generated member, which is in an extension for a structure and in the body for other types.
  var modifiers: String { isStructure ? access : modifiersInBody }

  /// The modifiers of a generated private member.
  var privateModifiers: String { isStructure ? "private " : "private nonisolated " }

  var isStructure: Bool { if case .structure = shape { true } else { false } }

  /// True if the compiler generates a memberwise initialiser that takes the coded values. With property wrappers, it
  /// takes the wrapped values instead.
  var hasMemberwiseInitializer: Bool {
    guard case .structure(let tree) = shape else { return false }
    return !hasInitializer && !tree.properties.contains(where: \.isWrapped)
  }

  /// Returns the where clause that a conformance needs for the generic parameters, with a leading space; empty without
  /// generic parameters.
  func clause(_ protocols: [String]) -> String {
    let additional = hasGenericWrappers ? protocols.compactMap(Self.codable).filter { !protocols.contains($0) } : []
    let requirements = genericParameters.map { "\($0): \((protocols + additional).joined(separator: " & "))" }
    return requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
  }

  /// Returns the where clause of a function. It is empty for a structure, whose extension has the clause.
  func functionClause(_ protocolName: String) -> String { isStructure ? "" : clause([protocolName]) }

  /// True if a generic parameter may be inside a type such as `Set`, which is `Codable` only if the parameter is `Codable`.
  private var hasGenericWrappers: Bool {
    let properties =
      switch shape {
      case .structure(let tree), .finalClass(let tree): tree.properties
      case .enumeration(_, let cases): cases.flatMap(\.values)
      }
    return properties.contains { $0.isWrapped || $0.type.contains("<") }
  }

  /// Returns `Decodable` or `Encodable` for the protocol of this package that corresponds to it; `nil` for other names.
  private static func codable(_ protocolName: String) -> String? {
    switch protocolName {
    case Names.readable: Names.decodable
    case Names.writable: Names.encodable
    default: nil
    }
  }

  /// The name of the generated enumeration of keys.
  var codingKeys: String { hasCodingKeys ? "JSONCodingKeys" : "CodingKeys" }
}
