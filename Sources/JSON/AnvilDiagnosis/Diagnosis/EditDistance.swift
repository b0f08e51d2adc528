extension String {
  /// The similarity of two names, for hints.
  package enum Similarity: Comparable {
    /// The names differ only in case and separators, such as underscores and hyphens.
    case spelling
    /// The number of characters to change, add, remove or swap with a neighbour.
    case edits(Int)
  }

  /// Returns the similarity of this name and `other`; `nil` if more than a third of the shorter name would have to change. Names of fewer
  /// than three or more than 64 characters are similar only if they are equal apart from case and separators.
  package func similarity(to other: String) -> Similarity? {
    let (left, right) = (folded, other.folded)
    if left == right { return left.isEmpty ? nil : .spelling }
    let most = Swift.min(left.count, right.count) / 3
    guard Swift.min(left.count, right.count) > 2, abs(left.count - right.count) <= most,
      Swift.max(left.count, right.count) <= 64
    else { return nil }
    let distance = Self.distance(Array(left), Array(right))
    return distance <= most ? .edits(distance) : nil
  }

  /// The text in lower case without underscores, hyphens, full stops, blanks and invisible characters.
  var folded: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != "." && !$0.isBlank }))
      .lowercased()
  }

  /// Returns the reason why this name is not `other`, from which it differs only in spelling; `nil` for no reason that is worth naming.
  func difference(from other: String) -> String? {
    func withoutBlanks(_ text: String) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isBlank }))
    }
    // Texts are equal if they have the same characters, whatever their scalars are.
    if self == other { return "its letters have another normal form of Unicode" }
    if withoutBlanks(self) == withoutBlanks(other) { return "its blanks or invisible characters differ" }
    return lowercased() == other.lowercased() ? "case matters" : nil
  }

  /// Returns the number of edits between two names. Source: optimal string alignment, the distance of Damerau (1964) restricted to swaps of
  /// neighbours.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var older: [Int] = []
    var old = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var new = [row + 1]
      for (column, other) in right.enumerated() {
        var best = Swift.min(old[column + 1] + 1, new[column] + 1, old[column] + (character == other ? 0 : 1))
        if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
          best = Swift.min(best, older[column - 1] + 1)
        }
        new.append(best)
      }
      (older, old) = (old, new)
    }
    return old[right.count]
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is white space or shows nothing, such as a no-break space, a zero-width space or a byte-order mark.
  fileprivate var isBlank: Bool {
    if isASCII { return self == " " || ("\t"..."\r").contains(self) }
    return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
  }
}
