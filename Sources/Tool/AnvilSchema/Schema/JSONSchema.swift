internal import AnvilBase
package import AnvilJSON

/// A JSON Schema that is ready to check documents. It supports draft 2020-12, and the keywords of the drafts from 6 on where they differ.
///
/// `Documentation/JSON-Schema.md` lists which keywords are checked. Nothing is fetched: references must lead to places in the document.
package struct JSONSchema: Sendable {
  let nodes: [SchemaNode]
  let root: Int
  /// The schemas with a `$dynamicAnchor`, by its name and the number of the resource that contains it.
  let dynamicAnchors: [String: [Int: Int]]
  /// True if the schema contains `unevaluatedProperties` or `unevaluatedItems`, which depend on the ``Coverage`` of other schemas.
  let collectsCoverage: Bool
  /// The keywords of the schema that are not checked, each listed once, at most 100.
  package let notes: [Note]

  /// Compiles the schema in `document`.
  ///
  /// - Throws: ``Malformed`` for an invalid schema, for references that cannot be resolved or lead to another document, for schemas that
  ///   apply themselves to the same value without end, and for drafts before 6.
  package init(compiling document: JSON) throws(Malformed) {
    var compiler = SchemaCompiler(document: document)
    root = try compiler.compileAll()
    nodes = compiler.nodes
    dynamicAnchors = compiler.dynamicAnchors
    collectsCoverage = nodes.lazy.flatMap(\.rules).contains { rule in
      switch rule {
      case .unevaluatedMembers, .unevaluatedElements: true
      default: false
      }
    }
    notes = compiler.notes
  }

  /// Returns the violations of this schema in `document`, up to the limits. A value of a wrong type is not checked further.
  ///
  /// - Complexity: bounded by `limits`, which include the cost of patterns.
  package func check(_ document: JSON, limits: CheckLimits = CheckLimits()) -> CheckFindings {
    var run = SchemaRun(schema: self, limits: limits)
    return run.findings(in: document)
  }
}

extension JSONSchema {
  /// An error for a document that is not a usable schema, with the location of the problem.
  package struct Malformed: Error, Sendable, CustomStringConvertible {
    /// The path to the invalid part of the schema.
    package let steps: [JSON.Step]
    /// A short description of the problem that may quote the schema: `a reference that cannot be resolved: "#/$defs/user"`.
    package let reason: String

    package var pointer: JSON.Pointer { JSON.Pointer(steps) }

    /// The problem and its location: `the schema is invalid at "/properties/id/type": not a valid type name`.
    package var description: String { "the schema is invalid at \"\(pointer)\": \(reason)" }
  }

  /// A part of a schema that is not checked.
  package struct Note: Hashable, Sendable, CustomStringConvertible {
    /// The keyword, including its value if only that is unknown: `contentSchema`, `format "duration"`.
    package let keyword: String
    /// The location of its first occurrence.
    package let pointer: JSON.Pointer

    /// The keyword and its location: `not checked: contentSchema at "/properties/a"`.
    package var description: String { "not checked: \(keyword) at \"\(pointer)\"" }
  }

  /// Returns whether `document` is a schema rather than a sample. Only the outermost object is considered. It is a
  /// schema in one of these cases:
  ///
  /// - `$schema` is an address at json-schema.org.
  /// - It contains `$ref`, or `type` with one or more type names. In addition, it contains another keyword with a value of the right kind,
  ///   such as `properties` or `required`, or no other members than annotations, such as `title` or `description`.
  /// - `properties`, `$defs` or `definitions` is an object of schemas, each of which contains a keyword or is `{}`, `true` or `false`.
  /// - `allOf`, `anyOf` or `oneOf` is an array of such schemas.
  ///
  /// Any other `$schema` does not make the document a schema, because samples use it to refer to their schema. `true` and `false` are
  /// samples.
  package static func isSchema(_ document: JSON) -> Bool {
    guard document.kind == .object else { return false }
    if let dialect = document["$schema"]?.string, dialect.contains("json-schema.org/") { return true }
    let hasType = document["type"].map(isType) ?? false
    if hasType || document["$ref"]?.string != nil {
      let keys = document.keys.filter { $0 != "$ref" && $0 != "type" }
      if keys.allSatisfy(annotations.contains) { return true }
      if keys.contains(where: { isKeyword($0, of: document) }) { return true }
    }
    for keyword in ["properties", "$defs", "definitions"] {
      if let members = document[keyword]?.members, !members.isEmpty, members.allSatisfy({ isPart($0.value) }) {
        return true
      }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
      if let elements = document[keyword]?.elements, !elements.isEmpty, elements.allSatisfy(isPart) { return true }
    }
    return false
  }

  private static let annotations: Set<String> = [
    "$id", "$schema", "$comment", "title", "description", "default", "examples",
  ]

  private static func isType(_ value: JSON) -> Bool {
    let names = value.oneOrMore
    return !names.isEmpty && names.allSatisfy { $0.string.flatMap(SchemaType.init) != nil }
  }

  /// Returns whether `value` can be a nested schema: `{}`, `true`, `false`, or an object with `type`, `$ref` or another keyword.
  private static func isPart(_ value: JSON) -> Bool {
    guard value.kind == .object else { return value.bool != nil }
    if value.count == 0 { return true }
    return value["type"].map(isType) ?? false || value["$ref"]?.string != nil
      || value.keys.contains { isKeyword($0, of: value) }
  }

  /// Returns whether `key` is a keyword that samples are unlikely to contain, with a value of the right kind.
  private static func isKeyword(_ key: String, of object: JSON) -> Bool {
    guard let value = object[key] else { return false }
    switch key {
    case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependentRequired":
      return value.kind == .object
    case "items", "additionalProperties", "additionalItems", "propertyNames", "not", "contains",
      "unevaluatedProperties":
      return value.kind == .object || value.bool != nil
    case "allOf", "anyOf", "oneOf", "prefixItems": return value.kind == .array
    case "enum": return value.kind == .array
    case "const": return true
    case "required": return value.kind == .array && value.elements.allSatisfy { $0.string != nil }
    case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
      "minItems", "maxItems", "minProperties", "maxProperties":
      return value.kind == .number
    case "pattern", "format": return value.string != nil
    default: return false
    }
  }
}

extension URIReference {
  /// The identifier of the schema resource: the reference without its fragment.
  var resource: String {
    var resource = self
    resource.scheme = scheme?.lowercased()
    resource.fragment = nil
    return resource.description
  }
}
