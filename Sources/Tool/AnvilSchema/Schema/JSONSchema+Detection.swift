package import AnvilJSON

extension JSONSchema {
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
    let names = value.kind == .array ? Array(value.elements) : [value]
    return !names.isEmpty && names.allSatisfy { $0.string.map { SchemaType(rawValue: $0) != nil } ?? false }
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
      "minItems",
      "maxItems", "minProperties", "maxProperties":
      return value.kind == .number
    case "pattern", "format": return value.string != nil
    default: return false
    }
  }
}
