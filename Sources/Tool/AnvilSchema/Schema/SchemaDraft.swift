/// A version of JSON Schema.
enum SchemaDraft: Sendable {
  case draft6
  case draft7
  case draft2019
  case draft2020

  /// The draft of schemas without `$schema`.
  static let latest = SchemaDraft.draft2020

  /// The result of looking up a value of `$schema`.
  enum Naming {
    case known(SchemaDraft)
    /// A draft of JSON Schema that is not supported.
    case unsupported
    /// A dialect that is not published at json-schema.org.
    case unknown
  }

  /// Returns the draft whose meta-schema has the address `text`.
  static func named(_ text: String) -> Naming {
    var name = Substring(text)
    if name.hasSuffix("#") { name = name.dropLast() }
    for scheme in ["https://", "http://"] where name.hasPrefix(scheme) { name = name.dropFirst(scheme.count) }
    return switch name {
    case "json-schema.org/draft/2020-12/schema": .known(.draft2020)
    case "json-schema.org/draft/2019-09/schema": .known(.draft2019)
    case "json-schema.org/draft-07/schema": .known(.draft7)
    case "json-schema.org/draft-06/schema": .known(.draft6)
    default: name.hasPrefix("json-schema.org/") ? .unsupported : .unknown
    }
  }

  /// True if `$ref` replaces all other members of its object.
  var ignoresBesideReference: Bool { self == .draft6 || self == .draft7 }
}
