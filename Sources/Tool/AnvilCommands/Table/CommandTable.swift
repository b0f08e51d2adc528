internal import AnvilDiagnosis

/// The commands of the tool in the order in which help lists them.
///
/// A command is a static ``CommandEntry`` in a separate file, with its options as static members of ``CommandOption``,
/// and is listed here. The parser, help, completions, the manual page and their tests use this table.
enum CommandTable {
  static let entries: [CommandEntry] =
    RequestEntries.all + others

  private static let others: [CommandEntry] = [
    .check, .shape, .model, .pull, .proxy, .serve, .har, .helpCommand, .completions, .manual,
  ]

  static func entry(named name: String) -> CommandEntry? {
    entries.first { $0.name == name }
  }
}

/// The options of the tool that can be given without a command.
enum ToolOptions {
  static let version = CommandOption.flag("version", nil, "print the version")
  static let all = [CommandOption.flag("help", "h", "print this help, or the help of the preceding command"), version]
}

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
