internal import AnvilBase
internal import AnvilJSON

/// Swift models that decode the documents of a shape.
///
///     let models = SwiftModels(of: shape, name: "Event")
///     print(models.source)
///
/// A member that an object lacks, or that is `null`, is optional. Strings become `Date`, `JSON.Day`, `URL`, `UUID` or an enum if all of
/// them are of that kind; in ``Style/codable(_:)``, a day stays a string. Objects of similar shape share a struct. In ``Style/macro(_:)``,
/// objects whose types one member identifies become a tagged enum, and numbers that are sometimes in strings are read with
/// `NumberOrString`. A value that no sample shows becomes `JSON`, or `Unknown` in ``Style/codable(_:)``.
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
  package enum Keys: String, CaseIterable, Sendable {
    /// Writes each key that is not a Swift-style name: with `@CodingKey`, or in `CodingKeys`.
    case codingKeys = "coding-keys"
    /// Leaves keys in snake case to `@CodableNaming(.snakeCase)`, or to the decoder's strategy `.convertFromSnakeCase`. Keys that these do
    /// not map are written as in ``codingKeys``.
    case snakeCase = "snake-case"
  }

  /// The access level of the types and their members.
  package enum Access: String, CaseIterable, Sendable {
    case `internal`, `public`

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
    let graph = TypeGraph(shape, name: words, hasVariants: style.isMacro, decodedKey: style.decodedKey)
    let types = ModelTypes(graph, rootName: words, style: style)
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
  var isMacro: Bool { if case .macro = self { true } else { false } }

  /// True if models use the `Codable` conformance that the compiler synthesises. They do not import Anvil.
  var isCodable: Bool { if case .codable = self { true } else { false } }

  var isMapping: Bool { if case .mapping = self { true } else { false } }

  /// A function that converts the key of a member to the key under which a decoder of this style finds the member.
  var decodedKey: (String) -> String {
    if case .codable(.snakeCase) = self { return KeyConversion.fromSnakeCase }
    return { $0 }
  }
}

enum SwiftName {
  /// Returns the name of the property or case for `key`: a valid name in lower camel case is kept, others are made of the words.
  static func property(_ key: String) -> String {
    isLowerCamel(key) ? key : identifier(KeyWords(key).lowerCamel)
  }

  /// Returns the name of a type. It starts with a capital letter, so that it differs from all property names.
  static func type(_ words: KeyWords) -> String {
    let name = words.upperCamel
    guard let first = name.unicodeScalars.first, first.properties.isUppercase else { return "Item" + name }
    return name
  }

  /// Returns `name` for use in declarations and after a dot, in backticks if it is a keyword.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// Returns `name` as an argument label. Most keywords need no backticks there.
  static func argumentLabel(_ name: String) -> String {
    name == "inout" ? "`\(name)`" : name
  }

  /// Returns whether `name` is an identifier that needs no backticks.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart, name != "_" else {
      return false
    }
    return name.unicodeScalars.allSatisfy(\.properties.isXIDContinue) && !keywords.contains(name)
  }

  /// Returns whether a generated type should not get this name, because the language, a library or SwiftUI uses it.
  static func isTaken(_ name: String) -> Bool { isReserved(name) || common.contains(name) }

  /// Returns whether a type of this name would break the generated code.
  static func isReserved(_ name: String) -> Bool { taken.contains(name) || keywords.contains(name) }

  private static func isLowerCamel(_ key: String) -> Bool {
    guard let first = key.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return key.utf8.allSatisfy { $0.isLetter || $0.isDigit } && !unusable.contains(key)
  }

  private static func identifier(_ name: String) -> String {
    if unusable.contains(name) { return name + "Value" }
    guard let first = name.unicodeScalars.first, first.properties.isXIDStart else { return "_" + name }
    return name
  }

  /// Names that have a special meaning after a dot, or that `Hashable` already uses.
  private static let unusable: Set<String> = ["self", "hashValue", "init"]

  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
    "internal", "let", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct",
    "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while", "Any", "as",
    "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
  ]

  private static let taken: Set<String> = [
    // Swift's.
    "Actor", "AnyHashable", "AnyObject", "Array", "AsyncSequence", "AsyncStream", "Bool", "Character", "Clock",
    "Codable", "CodingKey", "CodingKeys", "Collection", "Comparable", "Decodable", "Decoder", "Dictionary", "Double",
    "Duration", "Encodable", "Encoder", "Equatable", "Error", "Executor", "Float", "Hashable", "Hasher", "ID",
    "Identifiable", "Instant", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "Iterator", "Key", "KeyPath", "Main",
    "MainActor", "Mirror", "Module", "Never", "None", "Numeric", "Optional", "Protocol", "Range", "Regex", "Result",
    "Sendable", "Sequence", "Set", "Slice", "Some", "String", "Substring", "Swift", "Task", "TaskGroup", "Test", "Type",
    "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "Unicode", "Void",
    // Foundation's.
    "Bundle", "Calendar", "CharacterSet", "Data", "Date", "DateComponents", "DateInterval", "Decimal", "Dimension",
    "Expression", "FileHandle", "FileManager", "Formatter", "Foundation", "Host", "IndexPath", "IndexSet",
    "JSONDecoder", "JSONEncoder", "Locale", "Lock", "Measurement", "Notification", "Operation", "Pipe", "Port",
    "Predicate", "Process",
    "Progress", "Scanner", "Stream", "Thread", "TimeInterval", "TimeZone", "Timer", "URL", "URLComponents",
    "URLRequest", "URLResponse", "URLSession", "UUID", "Unit", "UserDefaults",
    // Anvil's, and what models are made with.
    "Anvil", "AnvilCodable", "AnvilJSON", "Box", "Gateway", "HTTP", "JSON", "JSONCodingKeys", "JSONDecodable",
    "JSONMembers", "JSONReadable", "JSONWritable", "NumberOrString", "Promise", "Request", "Store", "Unknown",
  ]

  /// Names of SwiftUI types, which are often used beside models. They are allowed if the caller chooses them.
  private static let common: Set<String> = [
    "App", "Binding", "Button", "Color", "Image", "Label", "List", "Menu", "Scene", "State", "Text", "View",
  ]
}
