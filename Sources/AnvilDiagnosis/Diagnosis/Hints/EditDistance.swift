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

  /// The text in lower case without underscores, hyphens, spaces and full stops.
  var folded: String {
    String(unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "." }.map(Character.init)).lowercased()
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
