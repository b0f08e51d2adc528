internal import AnvilDiagnosis

/// Suggests the known name that is most similar to a mistyped one.
enum Suggestion {
  /// Returns `; did you mean "NAME"?` with the most similar of `names`, or an empty text if none is similar.
  ///
  /// - Parameter prefix: The text before the name in the suggestion, such as `--`. `word` and `names` do not contain it.
  static func text(for word: String, among names: [String], prefix: String = "") -> String {
    let best = names.compactMap { name in word.similarity(to: name).map { (name, $0) } }.min { $0.1 < $1.1 }
    let beginning = word.count > 1 ? names.filter { $0.hasPrefix(word) } : []
    guard let name = best?.0 ?? (beginning.count == 1 ? beginning[0] : nil) else { return "" }
    return "; did you mean \"\(prefix)\(name)\"?"
  }
}
