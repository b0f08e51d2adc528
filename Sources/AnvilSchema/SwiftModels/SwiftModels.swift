internal import AnvilJSON

/// Swift models that decode what a shape was seen in.
///
///     let models = SwiftModels(of: shape, name: "Event")
///     print(models.source)
///
/// A member that an object lacks, or that is `null`, is optional. Strings become `Date`, `URL`, `UUID` or an enum where all of
/// them are one; objects of equal shape share a struct. What no sample shows is `Unknown`.
package struct SwiftModels: Sendable {
  /// How the models are decoded.
  package enum Style: Sendable {
    /// By a `Decoder`: `Codable`.
    case codable(Keys)
    /// By the operators `=>` and `=>?`: `JSONDecodable`.
    case mapping
  }

  /// How the keys of documents become those of `Codable` types.
  package enum Keys: Sendable {
    /// By `CodingKeys` where they are no names of Swift's form.
    case codingKeys
    /// By the decoder's `keyDecodingStrategy`, `.convertFromSnakeCase`; by `CodingKeys` where that does not help.
    case snakeCase
  }

  /// Who can see the types and their members.
  package enum Access: String, Sendable {
    case `public`, `internal`

    /// What stands before a declaration.
    var modifier: String { self == .public ? "public " : "" }
  }

  /// The file's text, formatted.
  package let source: String
  /// What a whole document is: `[Event]`.
  package let documentType: String

  /// Models of what `shape` was seen in.
  ///
  /// - Parameters:
  ///   - name: the name of what a document is, or holds where it is an array: ``typeName(from:)`` makes one of any text.
  ///   - style: how the models are decoded.
  ///   - access: who can see them.
  ///   - origin: where the samples come from, for the comment at the top.
  package init(
    of shape: Shape, name: String, style: Style = .codable(.codingKeys), access: Access = .internal,
    origin: String? = nil
  ) {
    let words = KeyWords(name)
    let graph = TypeGraph(shape, name: words, decodedKey: style.decodedKey)
    let types = ModelTypes(graph, rootName: words)
    let names = TypeNames(types, rootName: name)
    let writer = ModelSource(types: types, names: names, rootName: name, style: style, access: access)
    documentType = writer.documentType
    source = writer.source(origin: origin)
  }

  /// A name of a type, made of `text`; in the singular where documents are arrays.
  package static func typeName(from text: String, for shape: Shape) -> String {
    let isArray = shape.kinds.filter { $0 != .null } == [.array]
    return isArray ? typeName(ofOneOf: text) : typeName(KeyWords(text))
  }

  /// A name of a type for one of what `text` is the name of: the singular.
  package static func typeName(ofOneOf text: String) -> String {
    typeName(KeyWords(text).singular)
  }

  /// Whether `text` has a singular besides itself.
  package static func isPlural(_ text: String) -> Bool {
    let words = KeyWords(text)
    return words.singular.words != words.words
  }

  /// Whether `name` can be the name of a type.
  package static func isTypeName(_ name: String) -> Bool {
    SwiftName.isIdentifier(name) && !SwiftName.isReserved(name)
  }

  private static func typeName(_ words: KeyWords) -> String {
    let name = SwiftName.type(words)
    return SwiftName.isTaken(name) ? name + "Item" : name
  }
}

extension SwiftModels.Style {
  /// The key under which a decoder of this style finds the member with `key`.
  var decodedKey: (String) -> String {
    if case .codable(.snakeCase) = self { return SnakeCaseKey.converted }
    return { $0 }
  }
}
