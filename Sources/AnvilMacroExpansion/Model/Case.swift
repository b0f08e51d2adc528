/// A case of an enumeration.
struct Case {
  /// The name in code, with backticks if it has some.
  var name: String
  /// The text that stands for the case.
  var tag: String
  /// Other texts for the same case.
  var aliases: [String]
  /// The associated values.
  var values: [Property]
  /// True if the case stands for all texts that no other case has.
  var isUnknown: Bool

  var plainName: String { name.filter { $0 != "`" } }
  /// The only associated value if it has no label.
  var newtype: Property? { values.count == 1 && !values[0].isLabelled ? values[0] : nil }
}

extension Property {
  /// True if an associated value has a label.
  var isLabelled: Bool { !plainName.hasPrefix("_") }
}

/// How the cases of an enumeration are told apart.
enum Tagging {
  /// By the raw value of the given type.
  case raw(String)
  /// By a string, for cases without values.
  case name
  /// By the only key of an object, as the compiler's own `Codable` does: `{"circle": {"radius": 1}}`.
  case key
  /// By the only key of an object whose value is that of the case, or by a string for a case without values.
  case external
  /// By a member among those of the case's values.
  case `internal`(String)
  /// By a member beside the member with the case's values.
  case adjacent(String, content: String)
}
