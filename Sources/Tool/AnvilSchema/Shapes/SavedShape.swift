internal import AnvilJSON

/// The shape of documents in the form of a file: a JSON Schema with a few keywords, which people can read and edit.
///
/// Source: JSON Schema 2020-12: `type`, `format`, `properties`, `required`, `additionalProperties`, `items`.
package struct SavedShape: Hashable, Sendable {
  /// A member of objects.
  package struct Member: Hashable, Sendable {
    package let key: String
    /// True if all objects have the member.
    package let isRequired: Bool
    package let shape: SavedShape
  }

  /// The types of the values. It is empty if there were no values.
  let types: Set<SchemaType>
  /// The format of all strings: `date-time`, `uuid` or `uri`; `nil` if they have no common format.
  let format: String?
  /// The members of objects with fixed keys, in their order.
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

  /// Creates the shape of documents.
  package init(_ shape: Shape) {
    var types: Set<SchemaType> = []
    if shape.nulls > 0 { types.insert(.null) }
    if shape.bools > 0 { types.insert(.boolean) }
    if shape.numbers.count > 0 { types.insert(shape.numbers.fractions > 0 ? .number : .integer) }
    if shape.strings.count > 0 { types.insert(.string) }
    if shape.arrays.count > 0 { types.insert(.array) }
    if shape.objects.count > 0 { types.insert(.object) }
    let objects = shape.objects
    let areDictionaries = objects.areDictionaries
    self.init(
      types: types, format: shape.strings.count > 0 ? Self.format(of: shape.strings.formats) : nil,
      members: areDictionaries
        ? []
        : objects.members.map {
          Member(key: $0.key, isRequired: $0.count == objects.count, shape: SavedShape($0.shape))
        },
      values: areDictionaries ? SavedShape(objects.values) : nil, elements: shape.arrays.elements.map { SavedShape($0) }
    )
  }

  private static func format(of formats: StringFormats) -> String? {
    if formats.contains(.schemaDate) { return "date-time" }
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
