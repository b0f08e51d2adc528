internal import AnvilBase

/// Conversions between snake case and camel case.
package enum KeyConversion {
  /// Returns whether a key has an underscore. Without one, both forms are the same.
  static func mayConvert(_ key: String) -> Bool { key.utf8.contains(.underscore) }

  /// Converts `one_two_three` to `oneTwoThree`. Underscores at the beginning and end are kept, and so are keys without inner underscores.
  package static func fromSnakeCase(_ key: String) -> String {
    let leading = key.prefix { $0 == "_" }
    guard leading.endIndex != key.endIndex else { return key }
    let trailing = key.reversed().prefix { $0 == "_" }.count
    let middle = key[leading.endIndex..<key.index(key.endIndex, offsetBy: -trailing)]
    let words = middle.split(separator: "_")
    guard words.count > 1, let first = words.first else { return key }
    // Like Foundation, this turns `2x` into `2X`, because the first letter is capitalised.
    let rest = words.dropFirst().map(\.capitalized)
    return leading + first.lowercased() + rest.joined() + String(repeating: "_", count: trailing)
  }
}

/// A key or an index on a coding path.
package struct DecodingKey: CodingKey, Hashable {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  package init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
}

/// A key that is data, as those of a dictionary are. No strategy converts it.
package struct DataKey: CodingKey, Hashable {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { nil }
}

extension Swift.Encoder {
  /// Returns the keys of the text for the keys in `keys`, which this encoder converts; empty if it does not convert keys.
  package func convertedKeys<Keys: CodingKey>(of keys: Keys.Type) -> Set<ScalarKey> {
    guard let encoder = self as? SlotEncoder, !encoder.session.usesDefaultKeys else { return [] }
    return Set(EnumMetadata.cases(of: keys).map { ScalarKey(encoder.session.convertedKey($0, in: encoder.identity)) })
  }
}

extension CodingKey {
  /// Creates the key with the text `text`; `nil` also if the text of that key is another Unicode form of `text`, with which it is not found.
  package init?(spelled text: String) {
    self.init(stringValue: text)
    if stringValue == text, !stringValue.hasSameBytes(as: text) { return nil }
  }

  /// Returns whether one of the keys has the text `text`, byte by byte.
  package static func contains(_ text: String) -> Bool { Self(spelled: text)?.stringValue == text }
}

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
