/// A conversion from a property's name to a key.
enum KeyNaming: String {
  case camelCase, snakeCase, upperSnakeCase, kebabCase, pascalCase, lowercase

  /// Returns the key for `name`.
  func key(for name: String) -> String {
    switch self {
    case .camelCase: name
    case .snakeCase: Self.words(in: name).map { $0.lowercased() }.joined(separator: "_")
    case .upperSnakeCase: Self.words(in: name).map { $0.uppercased() }.joined(separator: "_")
    case .kebabCase: Self.words(in: name).map { $0.lowercased() }.joined(separator: "-")
    case .pascalCase: name.prefix(1).uppercased() + name.dropFirst()
    case .lowercase: name.lowercased()
    }
  }

  /// Splits a name before each upper-case letter that starts a word: `fullURLString` becomes `full`, `URL`, `String`.
  /// Foundation's encoder splits names in the same way for snake case.
  private static func words(in name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      let beginsWord =
        character.isUppercase
        && (word.last.map { !$0.isUppercase } ?? false || next.map { $0.isLowercase } ?? false)
      if beginsWord, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word.append(character)
    }
    return word.isEmpty ? words : words + [word]
  }
}
