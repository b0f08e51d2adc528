/// Names of Swift declarations.
enum SwiftName {
  /// Returns the name of the property for `key`: the key itself if it is a valid name in lower camel case, otherwise a name made of its
  /// words.
  static func property(_ key: String) -> String {
    isLowerCamel(key) ? key : identifier(KeyWords(key).lowerCamel)
  }

  /// Returns the name of the enum case for `value`.
  static func enumCase(_ value: String) -> String {
    isLowerCamel(value) ? value : identifier(KeyWords(value).lowerCamel)
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
    let isPlain = key.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isPlain && !unusable.contains(key)
  }

  private static func identifier(_ name: String) -> String {
    if unusable.contains(name) { return name + "Value" }
    guard let first = name.unicodeScalars.first, first.properties.isXIDStart else { return "_" + name }
    return name
  }

  /// Names that have a special meaning after a dot, or that `Hashable` already uses.
  private static let unusable: Set<String> = ["self", "hashValue", "init"]

  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "operator", "precedencegroup", "private", "protocol",
    "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue",
    "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw",
    "where", "while", "Any", "as", "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
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
    "JSONDecoder",
    "JSONEncoder", "Locale", "Lock", "Measurement", "Notification", "Operation", "Pipe", "Port", "Predicate", "Process",
    "Progress", "Scanner", "Stream", "Thread", "TimeInterval", "TimeZone", "Timer", "URL", "URLComponents",
    "URLRequest",
    "URLResponse", "URLSession", "UUID", "Unit", "UserDefaults",
    // Anvil's, and what models are made with.
    "Anvil", "AnvilCodable", "AnvilJSON", "Box", "Gateway", "HTTP", "JSON", "JSONCodingKeys", "JSONDecodable",
    "JSONMembers", "JSONReadable", "JSONWritable", "Promise", "Request", "Store", "Unknown",
  ]

  /// Names of SwiftUI types, which are often used beside models. They are allowed if the caller chooses them.
  private static let common: Set<String> = [
    "App", "Binding", "Button", "Color", "Image", "Label", "List", "Menu", "Scene", "State", "Text", "View",
  ]
}
