/// A type to which a macro is attached.
struct Model {
  enum Shape {
    case structure(MemberTree)
    case finalClass(MemberTree)
    case enumeration(Tagging, [Case])
  }

  /// The name of the type, without the names of those around it.
  var name: String
  /// The type as an extension names it.
  var type: String
  /// `public ` or `package `, or nothing.
  var access: String
  /// True if the type is inside another declaration, whose types an extension does not see.
  var isNested: Bool
  var genericParameters: [String]
  var shape: Shape
  /// True if the type has an initialiser of its own.
  var hasInitializer: Bool
  /// True if the type has its own `init(from:)`.
  var hasDecodableInitializer: Bool
  /// True if the type has its own `encode(to:)`.
  var hasEncodeFunction: Bool
  /// True if the type is declared to be `DecoderUpdatable` and has no `update(from:)` of its own.
  var isUpdatable: Bool
  /// True if the type is declared to be `Encodable`.
  var isDeclaredEncodable: Bool
  /// True if the type has its own `CodingKeys`, from which the keys were taken.
  var hasCodingKeys: Bool

  var isStructure: Bool { if case .structure = shape { true } else { false } }

  /// True if the compiler writes an initialiser with all properties. One with property wrappers takes the values in them.
  var hasMemberwiseInitializer: Bool {
    guard case .structure(let tree) = shape else { return false }
    return !hasInitializer && !tree.properties.contains(where: \.isWrapped)
  }

  /// Returns the clause with what a conformance requires of the generic parameters, with a space before it; empty if there are none.
  func clause(_ protocols: [String]) -> String {
    let additional = hasGenericWrappers ? protocols.compactMap(Self.codable).filter { !protocols.contains($0) } : []
    let requirements = genericParameters.map { "\($0): \((protocols + additional).joined(separator: " & "))" }
    return requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
  }

  /// Returns the clause of a function for a conformance. Those of a structure are in extensions, which have it.
  func functionClause(_ protocolName: String) -> String { isStructure ? "" : clause([protocolName]) }

  /// True if a generic parameter may be inside a type that is only `Codable` if the parameter is, such as `Set`.
  private var hasGenericWrappers: Bool {
    let properties =
      switch shape {
      case .structure(let tree), .finalClass(let tree): tree.properties
      case .enumeration(_, let cases): cases.flatMap(\.values)
      }
    return properties.contains { $0.isWrapped || $0.type.contains("<") }
  }

  /// Returns the protocol of `Codable` that goes with one of this package's; `nil` for others.
  private static func codable(_ protocolName: String) -> String? {
    switch protocolName {
    case Names.readable, Names.mappingDecodable: Names.decodable
    case Names.writable, Names.mappingEncodable: Names.encodable
    default: nil
    }
  }

  /// The name of the generated enumeration of keys.
  var codingKeys: String { hasCodingKeys ? "JSONCodingKeys" : "CodingKeys" }
}
