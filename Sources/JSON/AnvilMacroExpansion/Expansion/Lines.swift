/// Lines of code that are indented by their braces.
struct Lines {
  private(set) var text: [String] = []

  mutating func add(_ line: String) { text.append(line) }

  mutating func add(_ lines: Lines) { text += lines.text }

  /// Adds a block: `header`, an opening brace with the `parameters` of a closure, the lines that `body` adds, and a closing brace followed by
  /// `end`.
  mutating func block(_ header: String, parameters: String = "", end: String = "", _ body: (inout Lines) -> Void) {
    text.append(header + " {" + parameters)
    var inner = Lines()
    body(&inner)
    text += inner.text.map { $0.isEmpty ? $0 : "  " + $0 }
    text.append("}" + end)
  }

  var joined: String { text.joined(separator: "\n") }
}

extension String {
  /// The text as a string literal.
  var literal: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// The text with an upper-case first letter.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// True if the text needs no backticks as a name, except for keywords.
  var isPlainIdentifier: Bool {
    guard let first, !first.isNumber else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// The text as part of an identifier. Other characters are replaced by their numbers, so that different texts stay
  /// different.
  var identifierPart: String {
    let part = unicodeScalars.map { scalar in
      let character = Character(scalar)
      let isPlain = scalar.isASCII && (character.isLetter || character.isNumber || character == "_")
      return isPlain ? String(character) : "_\(String(scalar.value, radix: 16))_"
    }.joined()
    return part.first.map(\.isNumber) ?? true ? "_" + part : part
  }
}

/// The names of the types that generated code uses. They are qualified, so that a model may have members with the same
/// names.
enum Names {
  static let reader = "AnvilJSON.JSON.Reader"
  static let readingError = "AnvilJSON.JSON.ReadingError"
  static let writer = "AnvilJSON.JSON.Writer"
  static let json = "AnvilJSON.JSON"
  static let decoder = "any Swift.Decoder"
  static let encoder = "any Swift.Encoder"
  static let readable = "AnvilJSON.JSONReadable"
  static let writable = "AnvilJSON.JSONWritable"
  static let mappingDecodable = "AnvilJSON.JSONDecodable"
  static let directlyDecodable = "AnvilJSON.JSONDirectlyDecodable"
  static let directlyEncodable = "AnvilJSON.JSONDirectlyEncodable"
  static let tagged = "AnvilCodable._TaggedByMember"
  static let decodable = "Swift.Decodable"
  static let encodable = "Swift.Encodable"
  /// Models may be in modules whose types belong to the main actor by default. They are coded everywhere.
  static let `extension` = "nonisolated extension"
}
