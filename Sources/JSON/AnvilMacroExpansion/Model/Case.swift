import SwiftSyntax

/// A case of an enumeration.
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

extension Property {
  /// True if an associated value has a label.
  var isLabelled: Bool { !plainName.hasPrefix("_") }
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
