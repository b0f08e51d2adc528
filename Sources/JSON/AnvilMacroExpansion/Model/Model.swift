import SwiftSyntax

/// A type to which a macro is attached.
struct Model {
  enum Shape {
    case structure(MemberTree)
    case finalClass(MemberTree)
    case enumeration(Tagging, [Case])

    var properties: [Property] {
      if case .enumeration(_, let cases) = self { cases.flatMap(\.values) } else { tree?.properties ?? [] }
    }

    var tree: MemberTree? {
      switch self {
      case .structure(let tree), .finalClass(let tree): tree
      case .enumeration: nil
      }
    }

    /// Returns the type `name` and its members, such as `name.Element`, that are in the types of the values or in `others`.
    func types(from name: String, _ others: [String] = []) -> [String] {
      let names = properties.flatMap { $0.type.split { !($0.isLetter || $0.isNumber || "_.".contains($0)) } }
      return Set((names.map(String.init) + others).filter { $0 == name || $0.hasPrefix(name + ".") }).sorted()
    }
  }

  /// A parameter of the memberwise initialiser.
  struct Parameter {
    /// The name of the property, including backticks: `let` and `var` need them in a declaration.
    var name: String
    var type: String
    /// The expression for the default; `nil` if an argument is required. Only a literal is a default argument: other expressions may use
    /// declarations that a default argument of a public initialiser cannot.
    var value: PastedExpression?
    /// The property whose default ``value`` is.
    var scopedProperty: Property?
    /// True if another initialiser does not have the parameter, so that the property has its initial value.
    var isOverload = false

    var plainName: String { name.filter { $0 != "`" } }
    /// True if ``value`` is an initial value that uses names of variables or functions. In the initialiser, they could be its parameters.
    var hasScopedValue: Bool { scopedProperty == nil && value?.usesVariables == true && !type.isEmpty }
  }

  /// The unqualified name of the type.
  var name: String
  /// The qualified name of the type, for extensions.
  var type: String
  /// The access modifier of the generated members: `public `, `package `, `fileprivate ` or empty.
  var access: String
  /// True if the type is nested in another declaration, whose types are not visible in an extension.
  var isNested: Bool
  /// The generic parameters that must be coded, and members of parameters.
  var genericParameters: [String]
  /// The same of the types around the type.
  var outerParameters: [String]
  var shape: Shape
  /// The attribute of the global actor to which a class with variables belongs; `nil` for other types.
  var isolation: String?
  /// The attributes `@available` of the type and of the types around it.
  var availability: String
  var hasInitializer: Bool
  /// True if the type declares `init(from:)`.
  var hasDecodableInitializer: Bool
  var hasEncodeFunction: Bool
  /// True if the type is declared to be `DecoderUpdatable` and does not declare `update(from:)`.
  var isUpdatable: Bool
  var isDeclaredEncodable: Bool
  /// True if the type declares `CodingKeys`, which determine the keys.
  var hasCodingKeys: Bool
  /// The names of the stored variables that are not coded. An update keeps their values.
  var ignoredVariables: [String] = []
  /// True if a property has an init accessor, or several have one pattern. The compiler's memberwise initialiser then has other parameters
  /// than the coded properties.
  var hasOtherParameters = false
  /// True if a property or a case is deprecated. The generated functions are then deprecated, too, because the compiler would warn about
  /// their use of it. Calls by a protocol do not warn.
  var hasDeprecatedMember = false
  /// The names of the members that the type declares.
  var memberNames: Set<String> = []
  /// The names of the nested types that are private to the model.
  var privateTypes: Set<String> = []
  /// The parameters of the memberwise initialiser to generate; `nil` if no initialiser is generated.
  var parameters: [Parameter]?

  /// The name of the type in generated members. In an extension, a nested generic type could not be named without its arguments.
  var selfName: String { isStructure ? "Self" : type }

  /// The type as an expression, also if a member of the model has the same name.
  var selfExpression: String {
    if isStructure { return "Self" }
    return memberNames.contains(name.filter { $0 != "`" }) ? "Swift.Array<\(name)>.Element" : selfName
  }

  /// The modifiers of a generated member in the body of the type. Members in the extensions need only ``access``.
  var modifiersInBody: String { access + nonisolated }

  /// `nonisolated`, unless an actor owns the model.
  private var nonisolated: String { isolation == nil ? "nonisolated " : "" }

  /// The beginning of an extension, which would be available everywhere otherwise. Models may be in modules whose types belong to the main
  /// actor by default; they are coded everywhere.
  var extensionKeyword: String { availability + nonisolated + "extension" }

  /// The modifiers of a generated member, which is in an extension for a structure and in the body for other types.
  var modifiers: String { deprecation + (isStructure ? access : modifiersInBody) }

  var privateModifiers: String { deprecation + "private " + (isStructure ? "" : nonisolated) }

  var deprecation: String { hasDeprecatedMember ? "@available(*, deprecated) " : "" }

  var isStructure: Bool { if case .structure = shape { true } else { false } }

  /// True if the compiler generates a memberwise initialiser that takes the coded values. With property wrappers, it
  /// takes the wrapped values instead.
  var hasMemberwiseInitializer: Bool {
    guard case .structure(let tree) = shape else { return false }
    return !hasInitializer && !hasOtherParameters && !tree.properties.contains(where: \.isWrapped)
  }

  var hasParameters: Bool { !genericParameters.isEmpty || !outerParameters.isEmpty }

  /// Returns the where clause that a conformance needs for the generic parameters, with a leading space; empty without
  /// generic parameters.
  func clause(_ protocols: [String]) -> String {
    let requirements = (genericParameters + outerParameters).map { "\($0): \(protocols.joined(separator: " & "))" }
    return requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
  }

  /// Returns the where clause of a function. It is empty for a structure, whose extension has the clause.
  ///
  /// A type such as `Set`, or the model itself, is readable or writable only if its parameters are also `Codable`.
  func functionClause(_ protocolName: String) -> String {
    let codable = [Names.readable: [Names.decodable], Names.writable: [Names.encodable]]
    return isStructure ? "" : clause((codable[protocolName] ?? []) + [protocolName])
  }

  /// The coded properties, or the associated values of the cases.
  var properties: [Property] { shape.properties }

  /// The members of a structure or a class.
  var tree: MemberTree? { shape.tree }

  /// The name of the generated enumeration of keys.
  var codingKeys: String { hasCodingKeys ? "JSONCodingKeys" : "CodingKeys" }
}

struct Case {
  /// The name in code, including backticks.
  var name: String
  /// The text that identifies the case.
  var tag: String
  /// The literal that is written as the tag: a string, a number or a Boolean.
  var tagLiteral: String
  /// Other texts that identify the same case.
  var aliases: [String]
  /// The associated values.
  var values: [Property]
  /// True if the case is used for texts that identify no other case.
  var isUnknown: Bool
  /// The syntax node for error messages.
  var node: Syntax

  var plainName: String { name.filter { $0 != "`" } }
  /// The name as a part of generated identifiers.
  var identifier: String { plainName.isPlainIdentifier ? plainName : plainName.identifierPart }
  /// The associated value if there is only one and it has no label.
  var newtype: Property? { values.count == 1 && !values[0].isLabelled ? values[0] : nil }
}

/// The coding that identifies the case of an enumeration.
enum Tagging {
  /// A raw value of the given type, which is a qualified name.
  case raw(String)
  /// The name of the case, for enumerations without values.
  case name
  /// The only key of an object, as in the `Codable` conformance that the compiler synthesises: `{"circle": {"radius":
  /// 1}}`.
  case key
  /// The only key of an object, whose value is that of the case. A case without values is a string.
  case external
  /// A member next to the members of the case's values.
  case `internal`(String)
  /// A member next to another member that contains the case's values.
  case adjacent(String, content: String)

  /// The key of the member that identifies the case; `nil` without such a member.
  var tag: String? {
    switch self {
    case .internal(let tag), .adjacent(let tag, _): tag
    case .raw, .name, .key, .external: nil
    }
  }
}
