internal import AnvilJSON

/// The names of types as their authors write them: `User.Address` for `App.User.Address`, `[User?]`, `[String: Int]`.
package enum TypeName {
  /// Returns the name of `type` with its enclosing types and without its module.
  package static func of(_ type: Any.Type) -> String {
    var scanner = Scanner(text: Array(String(reflecting: type).unicodeScalars))
    let name = scanner.type()
    // Names that the scanner does not recognise stay as the standard library writes them.
    return scanner.isAtEnd ? name : String(describing: type)
  }

  /// Returns the model that `key` is a coding key of, which is the type that encloses the key's enumeration; `nil` for other keys.
  package static func model(ofKey key: any CodingKey) -> String? {
    let parts = of(Swift.type(of: key)).split(separator: ".")
    guard parts.count > 1, parts.last?.hasSuffix("Keys") == true else { return nil }
    return parts.dropLast().joined(separator: ".")
  }
}

/// Parses the output of `String(reflecting:)`: `Swift.Array<App.User>`, `App.User.(CodingKeys in _30A1)`.
private struct Scanner {
  let text: [Unicode.Scalar]
  private var index = 0

  init(text: [Unicode.Scalar]) { self.text = text }

  var isAtEnd: Bool { index == text.count }

  mutating func type() -> String {
    var name = component()
    var parts: [String] = name.map { [$0] } ?? []
    var arguments: [String] = []
    while index < text.count {
      if take(".") {
        guard let next = component() else { break }
        name = next
        parts.append(next)
      } else if take("<") {
        repeat {
          skipSpace()
          arguments.append(type())
        } while take(",")
        guard take(">") else { break }
        let generic = sugared(parts, arguments)
        parts = [generic]
        arguments = []
        if index < text.count, text[index] != "." { return generic }
        // A type nested in a generic type: the module has been removed already.
        parts.insert("", at: 0)
      } else {
        break
      }
    }
    // The first part is the module, unless the type is local.
    return (parts.count > 1 ? parts.dropFirst() : parts[...]).joined(separator: ".")
  }

  /// Returns one name. For a private type it is in parentheses; the context of a local type is skipped.
  private mutating func component() -> String? {
    if index < text.count, text[index] == "(" {
      let end = text[index...].firstIndex(of: ")") ?? index
      let inner = String(String.UnicodeScalarView(text[index..<end].dropFirst()))
      let isPlace = inner.hasPrefix("unknown context")
      // Tuples and functions are left to the standard library.
      guard isPlace || inner.contains(" in ") else { return nil }
      index = end + 1
      if isPlace {
        guard take(".") else { return nil }
        return component()
      }
      return inner.split(separator: " ").first.map(String.init)
    }
    let start = index
    while index < text.count, isNamePart(text[index]) { index += 1 }
    return index > start ? String(String.UnicodeScalarView(text[start..<index])) : nil
  }

  private func isNamePart(_ scalar: Unicode.Scalar) -> Bool { !".<>,() ".unicodeScalars.contains(scalar) }

  private mutating func skipSpace() {
    while index < text.count, text[index] == " " { index += 1 }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == scalar else { return false }
    index += 1
    return true
  }

  private func sugared(_ parts: [String], _ arguments: [String]) -> String {
    switch (parts, arguments.count) {
    case (["Swift", "Array"], 1): "[\(arguments[0])]"
    case (["Swift", "Optional"], 1): "\(arguments[0])?"
    // Names of lenient types are shortened to the wrapped type.
    case (["AnvilDiagnosis", "LossyArray"], 1): "[\(arguments[0])]"
    case (["AnvilDiagnosis", "LossyDictionary"], 2): "[\(arguments[0]): \(arguments[1])]"
    case (["AnvilDiagnosis", "NumberOrString"], 1), (["AnvilDiagnosis", "OpenEnum"], 1),
      (["AnvilDiagnosis", "Attempt"], 2):
      arguments[0]
    case (["Swift", "Dictionary"], 2): "[\(arguments[0]): \(arguments[1])]"
    default:
      (parts.count > 1 ? parts.dropFirst() : parts[...]).joined(separator: ".")
        + "<\(arguments.joined(separator: ", "))>"
    }
  }
}

extension JSON.Kind {
  /// Returns the kinds that `type` is decoded from if they are the same for all decoders, otherwise an empty array.
  static func kinds(of type: Any.Type) -> [JSON.Kind] { kinds(ofTypeNamed: TypeName.of(type)) }
}

extension EnumMetadata {
  /// Returns all keys of the enumeration that has the case `key`; an empty array if the key's type is not an enumeration.
  static func keys(besides key: any CodingKey) -> [String] {
    func keys<Key: CodingKey>(_ key: Key) -> [String] { EnumMetadata.cases(of: Key.self).map(\.stringValue) }
    return keys(key)
  }
}

extension JSON.Decoder.KeyDecodingStrategy {
  /// The strategy as written in code; `nil` for unconverted keys.
  var name: String? { if case .useDefaultKeys = self { nil } else { nameOfCase(self) } }

  /// Returns `key`, a coding key of the model, as it is spelled in the JSON text. Returns `key` unchanged if keys are not converted, or if
  /// the conversion cannot be reversed.
  func spelling(of key: String) -> String {
    guard case .convertFromSnakeCase = self else { return key }
    let spelling = KeyConversion.toSnakeCase(key)
    return KeyConversion.fromSnakeCase(spelling) == key ? spelling : key
  }
}

extension JSON.Decoder.DateDecodingStrategy {
  /// The strategy as written in code; `nil` for the default.
  var name: String? { if case .automatic = self { nil } else { nameOfCase(self) } }
}

extension JSON.Decoder.DataDecodingStrategy {
  var name: String { nameOfCase(self) }
}

/// Returns the case of an enumeration as written in code, without associated values: `.custom`.
private func nameOfCase(_ value: some Any) -> String { "." + "\(value)".prefix { $0 != "(" } }
