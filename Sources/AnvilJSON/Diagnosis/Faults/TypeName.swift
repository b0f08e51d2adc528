/// The names of types as their authors write them: `User.Address` for `App.User.Address`, `[User?]`, `[String: Int]`.
package enum TypeName {
  /// The name of `type` with the types around it and without its module.
  package static func of(_ type: Any.Type) -> String {
    var scanner = Scanner(text: Array(String(reflecting: type).unicodeScalars))
    let name = scanner.type()
    // What the scanner does not know is left as the standard library writes it.
    return scanner.isAtEnd ? name : String(describing: type)
  }

  /// The model whose coding keys `key` is one of: the type around an enumeration nested in one; `nil` for other keys.
  package static func model(ofKey key: any CodingKey) -> String? {
    let parts = of(Swift.type(of: key)).split(separator: ".")
    guard parts.count > 1, parts.last?.hasSuffix("Keys") == true else { return nil }
    return parts.dropLast().joined(separator: ".")
  }
}

/// Reads what `String(reflecting:)` says of a type: `Swift.Array<App.User>`, `App.User.(CodingKeys in _30A1)`.
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
        // Nested in a generic type: the module is gone already.
        parts.insert("", at: 0)
      } else {
        break
      }
    }
    // A module, and for local types nothing that has a name, stand before it.
    return (parts.count > 1 ? parts.dropFirst() : parts[...]).joined(separator: ".")
  }

  /// One name; for a private type what stands in parentheses, and nothing for the place of a local one.
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
    // What lenient types are made of stands in the text as if they were not there.
    case (["AnvilJSON", "LossyArray"], 1): "[\(arguments[0])]"
    case (["AnvilJSON", "LossyDictionary"], 2): "[\(arguments[0]): \(arguments[1])]"
    case (["AnvilJSON", "NumberOrString"], 1), (["AnvilJSON", "OpenEnum"], 1), (["AnvilJSON", "Attempt"], 2):
      arguments[0]
    case (["Swift", "Dictionary"], 2): "[\(arguments[0]): \(arguments[1])]"
    default:
      (parts.count > 1 ? parts.dropFirst() : parts[...]).joined(separator: ".")
        + "<\(arguments.joined(separator: ", "))>"
    }
  }
}
