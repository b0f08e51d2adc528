/// The shells for which the tool has completions.
enum Completions: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script that the shell reads.
  var script: String {
    switch self {
    case .bash: BashCompletions.script
    case .zsh: ZshCompletions.script
    case .fish: FishCompletions.script
    }
  }
}

extension String {
  /// The text in single quotation marks for a POSIX shell.
  var inSingleQuotes: String { "'" + replacing("'", with: "'\\''") + "'" }
}
