extension KeyConversion {
  /// Converts `oneTwoThree` to `one_two_three`. A word begins at an upper-case letter. Of several upper-case letters in a row, the last one
  /// also begins a word if a lower-case letter follows: `myURLProperty` becomes `my_url_property`.
  package static func toSnakeCase(_ key: String) -> String {
    guard !key.isEmpty else { return key }
    var words: [Range<String.Index>] = []
    var wordStart = key.startIndex
    var searchStart = key.index(after: wordStart)
    let scalars = key.unicodeScalars
    while let upper = scalars[searchStart...].firstIndex(where: isUppercase) {
      words.append(wordStart..<upper)
      guard let lower = scalars[upper...].firstIndex(where: isLowercase) else {
        wordStart = upper
        break
      }
      if lower == key.index(after: upper) {
        wordStart = upper
      } else {
        // The last of several capitals begins the next word.
        let lastCapital = max(upper, key.index(before: lower))
        words.append(upper..<lastCapital)
        wordStart = lastCapital
      }
      searchStart = scalars.index(after: lower)
    }
    words.append(wordStart..<key.endIndex)
    return words.map { key[$0].lowercased() }.joined(separator: "_")
  }

  private static func isUppercase(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter: true
    default: false
    }
  }

  private static func isLowercase(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .lowercaseLetter
  }
}
