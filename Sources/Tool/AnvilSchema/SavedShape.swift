internal import AnvilDiagnosis
package import AnvilJSON

/// The shape of documents in the form of a file: a JSON Schema (2020-12) with a few keywords, which people can read and edit.
package struct SavedShape: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package let key: String
    /// True if all objects have the member.
    package let isRequired: Bool
    package let shape: SavedShape
  }

  let types: Set<SchemaType>
  /// The format of all strings: `date-time`, `date`, `uuid` or `uri`; `nil` if they have no common format.
  let format: String?
  let members: [Member]
  // An array with at most one element, because a struct cannot contain itself.
  private let valueShapes: [SavedShape]
  private let elementShapes: [SavedShape]

  /// The shape of the values in objects whose keys are data, or `nil` for other objects.
  var values: SavedShape? { valueShapes.first }
  /// The shape of the elements of arrays, or `nil` if there were no elements.
  var elements: SavedShape? { elementShapes.first }

  init(
    types: Set<SchemaType>, format: String? = nil, members: [Member] = [], values: SavedShape? = nil,
    elements: SavedShape? = nil
  ) {
    self.types = types
    self.format = format
    self.members = members
    valueShapes = values.map { [$0] } ?? []
    elementShapes = elements.map { [$0] } ?? []
  }

  /// Creates the shape of documents. `areDictionaries` returns whether the keys of objects are data.
  package init(_ shape: Shape, areDictionaries: (Shape.Objects) -> Bool = { $0.areDictionaries }) {
    var types: Set<SchemaType> = []
    if shape.nulls > 0 { types.insert(.null) }
    if shape.bools > 0 { types.insert(.boolean) }
    if shape.numbers.count > 0 { types.insert(shape.numbers.fractions > 0 ? .number : .integer) }
    if shape.strings.count > 0 { types.insert(.string) }
    if shape.arrays.count > 0 { types.insert(.array) }
    if shape.objects.count > 0 { types.insert(.object) }
    let objects = shape.objects
    let haveValues = areDictionaries(objects)
    let members = haveValues ? [] : objects.members
    self.init(
      types: types, format: shape.strings.count > 0 ? Self.format(of: shape.strings.formats) : nil,
      members: members.map { member in
        let shape = SavedShape(member.shape, areDictionaries: areDictionaries)
        return Member(key: member.key, isRequired: member.count == objects.count, shape: shape)
      },
      values: haveValues ? SavedShape(objects.values, areDictionaries: areDictionaries) : nil,
      elements: shape.arrays.elements.map { SavedShape($0, areDictionaries: areDictionaries) })
  }

  private static func format(of formats: StringFormats) -> String? {
    if formats.contains(.schemaDate) { return "date-time" }
    if formats.contains(.day) { return "date" }
    if formats.contains(.uuid) { return "uuid" }
    return formats.contains(.schemaURI) ? "uri" : nil
  }

  var sortedTypes: [SchemaType] {
    ([.object, .array, .string, .number, .integer, .boolean, .null] as [SchemaType]).filter(types.contains)
  }

  /// The types as a phrase: `string or null`, `unknown`.
  var phrase: String {
    let names = sortedTypes.map(\.rawValue)
    guard let last = names.last else { return "unknown" }
    return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or \(last)"
  }

  /// True if the values were always `null`, or if there were no values.
  var isUnknown: Bool { types.isSubset(of: [.null]) }
}

extension SavedShape {
  /// The error for a schema that a shape cannot represent.
  package struct Unreadable: Error, CustomStringConvertible {
    package let description: String
  }

  /// Returns the schema of the shape. `comment` tells readers of the file where it comes from.
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

  /// Creates the shape that a schema describes. Other keywords, such as `description` or `minimum`, are ignored.
  ///
  /// - Throws: ``Unreadable`` for a keyword that refers to or combines schemas, and for an invalid value.
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
    for name in schema["type"]?.oneOrMore ?? [] {
      guard let type = name.string.flatMap(SchemaType.init) else { throw fail("\(name) is not a type") }
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

/// A difference between two shapes.
package struct ShapeChange: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case added, removed, optional, required, type, format
  }

  package let kind: Kind
  /// The path, such as `$.users[].address.zip`. `*` is any key of objects whose keys are data.
  package let path: String
  /// A short text about the old and the new state.
  package let text: String
  /// True if a program for the old shape may fail.
  package let isBreaking: Bool
}

extension SavedShape {
  /// Returns the changes from this shape to `new`, in the order of this shape. The added members of an object come last.
  ///
  /// Parts without values in one of the shapes, such as the elements of empty arrays, count as unchanged.
  package func changes(to new: SavedShape) -> [ShapeChange] {
    var finder = ShapeChangeFinder()
    finder.compare(self, new, at: "$")
    return finder.changes
  }
}

private struct ShapeChangeFinder {
  var changes: [ShapeChange] = []

  mutating func compare(_ old: SavedShape, _ new: SavedShape, at path: String) {
    guard !old.types.isEmpty, !new.types.isEmpty else { return }
    compareTypes(old, new, at: path)
    if old.types.contains(.string), new.types.contains(.string), old.format != new.format {
      let text = "was \(old.format ?? "any text"), is \(new.format ?? "any text")"
      add(.format, path, text, isBreaking: old.format != nil)
    }
    if let elements = old.elements, let newElements = new.elements { compare(elements, newElements, at: "\(path)[]") }
    compareObjects(old, new, at: path)
  }

  private mutating func compareTypes(_ old: SavedShape, _ new: SavedShape, at path: String) {
    guard old.types != new.types else { return }
    // The type of a value that was always null is not known.
    let isNew = old.isUnknown && !new.isUnknown
    var added = new.types.subtracting(old.types)
    if old.types.contains(.number) { added.remove(.integer) }
    add(.type, path, "was \(old.phrase), is \(new.phrase)", isBreaking: !isNew && !added.isEmpty)
  }

  private mutating func compareObjects(_ old: SavedShape, _ new: SavedShape, at path: String) {
    guard old.types.contains(.object), new.types.contains(.object) else { return }
    switch (old.values, new.values) {
    case (let values?, let newValues?): return compare(values, newValues, at: "\(path).*")
    case (_?, nil) where !new.members.isEmpty:
      return add(
        .type, path, "was a dictionary with arbitrary keys, is now an object with fixed fields", isBreaking: true)
    case (nil, _?) where !old.members.isEmpty:
      return add(
        .type, path, "was an object with fixed fields, is now a dictionary with arbitrary keys", isBreaking: true)
    default: break
    }
    // An empty object says nothing about the types of members. But members of other objects are not required then.
    let members = Dictionary(new.members.map { (ScalarKey($0.key), $0) }) { first, _ in first }
    for member in old.members {
      let place = "\(path)\(Self.step(member.key))"
      guard let newMember = members[ScalarKey(member.key)] else {
        add(.removed, place, "was \(member.shape.phrase)", isBreaking: member.isRequired)
        continue
      }
      if member.isRequired != newMember.isRequired {
        if member.isRequired {
          add(.optional, place, "was in every object, is now missing in some", isBreaking: true)
        } else {
          add(.required, place, "was missing in some objects, is now in every one", isBreaking: false)
        }
      }
      compare(member.shape, newMember.shape, at: place)
    }
    let known = Set(old.members.map { ScalarKey($0.key) })
    for member in new.members where !known.contains(ScalarKey(member.key)) {
      let presence = member.isRequired ? "in every object" : "missing in some objects"
      add(.added, "\(path)\(Self.step(member.key))", "\(member.shape.phrase), \(presence)", isBreaking: false)
    }
  }

  private mutating func add(_ kind: ShapeChange.Kind, _ path: String, _ text: String, isBreaking: Bool) {
    changes.append(ShapeChange(kind: kind, path: path, text: text, isBreaking: isBreaking))
  }

  private static func step(_ key: String) -> String {
    let step = JSON.Path(steps: [.key(key)]).description
    return step.hasPrefix("[") ? step : ".\(step)"
  }
}
