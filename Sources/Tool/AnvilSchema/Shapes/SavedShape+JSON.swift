internal import AnvilDiagnosis
package import AnvilJSON

extension SavedShape {
  /// The error for a schema that a shape cannot represent.
  package struct Unreadable: Error, CustomStringConvertible {
    package let description: String
  }

  /// Returns the schema of the shape.
  ///
  /// - Parameter comment: A text about the origin of the shape, for readers of the file.
  package func schema(comment: String) -> JSON {
    let head: [(key: String, value: JSON)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("$comment", JSON(comment)),
    ]
    return JSON(head + keywords)
  }

  private var keywords: [(key: String, value: JSON)] {
    var keywords: [(key: String, value: JSON)] = []
    let names = sortedTypes.map { JSON($0.rawValue) }
    if let name = names.first { keywords.append(("type", names.count == 1 ? name : JSON(names))) }
    if let format { keywords.append(("format", JSON(format))) }
    if !members.isEmpty {
      keywords.append(("properties", JSON(members.map { (key: $0.key, value: JSON($0.shape.keywords)) })))
      let required = members.filter(\.isRequired).map { JSON($0.key) }
      if !required.isEmpty { keywords.append(("required", JSON(required))) }
    }
    if let values { keywords.append(("additionalProperties", JSON(values.keywords))) }
    if let elements { keywords.append(("items", JSON(elements.keywords))) }
    return keywords
  }

  /// Creates the shape that a schema describes. Keywords that a shape cannot represent are ignored, such as
  /// `description` or `minimum`.
  ///
  /// - Throws: ``Unreadable`` for a keyword that refers to or combines schemas, and for a keyword with an invalid
  ///   value.
  package init(schema: JSON) throws(Unreadable) {
    try self.init(schema: schema, at: [])
  }

  private init(schema: JSON, at steps: [JSON.Step]) throws(Unreadable) {
    if schema.kind == .bool {
      self.init(types: [])
      return
    }
    func fail(_ reason: String) -> Unreadable {
      Unreadable(
        description: "\(reason) at \(JSON.Pointer(steps).description.isEmpty ? "the root" : "\(JSON.Pointer(steps))")")
    }
    guard schema.kind == .object else { throw fail("expected a schema, found \(schema.kind)") }
    if let keyword = ["$ref", "allOf", "anyOf", "oneOf", "not", "if"].first(where: { schema[$0] != nil }) {
      throw fail("\(keyword) is not supported")
    }
    var types: Set<SchemaType> = []
    let names = schema["type"].map { $0.kind == .array ? Array($0.elements) : [$0] } ?? []
    for name in names {
      guard let type = name.string.flatMap(SchemaType.init(rawValue:)) else { throw fail("\(name) is not a type") }
      types.insert(type)
    }
    let required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
    var members: [Member] = []
    for (key, value) in schema["properties"]?.members.map({ ($0.key, $0.value) }) ?? [] {
      let shape = try SavedShape(schema: value, at: steps + [.key("properties"), .key(key)])
      members.append(Member(key: key, isRequired: required.contains(key), shape: shape))
    }
    var values: SavedShape?
    if let schema = schema["additionalProperties"], schema.kind == .object {
      values = try SavedShape(schema: schema, at: steps + [.key("additionalProperties")])
    }
    var elements: SavedShape?
    if let schema = schema["items"] { elements = try SavedShape(schema: schema, at: steps + [.key("items")]) }
    self.init(types: types, format: schema["format"]?.string, members: members, values: values, elements: elements)
  }
}
