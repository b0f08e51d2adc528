extension String {
  /// Returns the text with some of its scalars replaced. `replacement` returns the text for a scalar, or `nil` to leave it unchanged.
  ///
  /// A quotation mark with a combining mark is another `Character`, but the formats in which texts are escaped still see the quotation mark.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text. `UnicodeScalarView.append(contentsOf:)` would copy the text in each call.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if let replacement = replacement(scalar) { text += replacement } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
