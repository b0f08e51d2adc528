internal import AnvilJSON

/// Swift models that decode the documents of a shape.
///
///     let models = SwiftModels(of: shape, name: "Event")
///     print(models.source)
///
/// A member that an object lacks, or that is `null`, is optional. Strings become `Date`, `URL`, `UUID` or an enum if all of them are of
/// that kind. Objects of similar shape share a struct. In ``Style/macro(_:)``, objects whose types one member identifies become a tagged
/// enum, and numbers that are sometimes in strings are read with `NumberOrString`. A value that no sample shows becomes `JSON`, or `Unknown` in ``Style/codable(_:)``.
package struct SwiftModels: Sendable {
  /// The way in which the models are decoded.
  package enum Style: Sendable {
    /// Models use the code that `@JSONCodable` generates.
    case macro(Keys)
    /// Models conform to `Codable` and use a `Decoder`.
    case codable(Keys)
    /// Models conform to `JSONDecodable` and use the operators `=>` and `=>?`.
    case mapping
  }

  /// The mapping from keys of documents to properties.
  package enum Keys: Sendable {
    /// Writes each key that is not a Swift-style name: with `@CodingKey`, or in `CodingKeys`.
    case codingKeys
    /// Leaves keys in snake case to `@CodableNaming(.snakeCase)`, or to the decoder's strategy `.convertFromSnakeCase`. Keys that these do
    /// not map are written as in ``codingKeys``.
    case snakeCase
  }

  /// The access level of the types and their members.
  package enum Access: String, Sendable {
    case `public`, `internal`

    /// The modifier in front of a declaration.
    var modifier: String { self == .public ? "public " : "" }
  }

  /// The formatted text of the file.
  package let source: String
  /// The type of a whole document: `[Event]`.
  package let documentType: String

  /// Creates models for `shape`.
  ///
  /// - Parameters:
  ///   - name: The name of a document's type or, for arrays, of the element type. ``typeName(from:for:)`` makes a name from any text.
  ///   - style: The way in which the models are decoded.
  ///   - access: The access level of the models.
  ///   - origin: The origin of the samples, for the comment at the top.
  package init(
    of shape: Shape, name: String, style: Style = .macro(.codingKeys), access: Access = .internal,
    origin: String? = nil
  ) {
    let words = KeyWords(name)
    let graph = TypeGraph(shape, name: words, hasVariants: style.usesMacros, decodedKey: style.decodedKey)
    let types = ModelTypes(graph, rootName: words, usesMacros: style.usesMacros)
    let names = TypeNames(types, rootName: name)
    let writer = ModelSource(types: types, names: names, rootName: name, style: style, access: access)
    documentType = writer.documentType
    source = writer.source(origin: origin)
  }

  /// Returns a type name made from `text`, in the singular if documents are arrays.
  package static func typeName(from text: String, for shape: Shape) -> String {
    let isArray = shape.kinds.filter { $0 != .null } == [.array]
    return isArray ? typeName(ofOneOf: text) : typeName(KeyWords(text))
  }

  /// Returns a type name for a single element of a list named `text`, in the singular.
  package static func typeName(ofOneOf text: String) -> String {
    typeName(KeyWords(text).singular)
  }

  /// Returns whether `text` has a singular that differs from it.
  package static func isPlural(_ text: String) -> Bool {
    let words = KeyWords(text)
    return words.singular.words != words.words
  }

  /// Returns whether `name` can be the name of a type.
  package static func isTypeName(_ name: String) -> Bool {
    SwiftName.isIdentifier(name) && !SwiftName.isReserved(name)
  }

  private static func typeName(_ words: KeyWords) -> String {
    let name = SwiftName.type(words)
    return SwiftName.isTaken(name) ? name + "Item" : name
  }
}

extension SwiftModels.Style {
  /// True if models use the code that `@JSONCodable` generates.
  var usesMacros: Bool { if case .macro = self { true } else { false } }

  /// A function that converts the key of a member to the key under which a decoder of this style finds the member.
  var decodedKey: (String) -> String {
    if case .codable(.snakeCase) = self { return SnakeCaseKey.converted }
    return { $0 }
  }
}
