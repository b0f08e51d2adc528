/// The completions of fish. Source: the manual of fish, `complete`.
enum FishCompletions {
  static var script: String {
    var lines = ["# fish completion for anvil, made by 'anvil completions fish'", "complete -c anvil -f"]
    for entry in CommandTable.entries {
      lines.append(
        "complete -c anvil -n __fish_use_subcommand -a \(entry.name) -d \(quoted(entry.summary))")
    }
    for entry in CommandTable.entries {
      let condition = "-n '__fish_seen_subcommand_from \(entry.name)'"
      lines += entry.options.map { option in
        "complete -c anvil \(condition) -l \(option.name)" + (option.letter.map { " -s \($0)" } ?? "")
          + value(option) + " -d \(quoted(option.help))"
      }
      switch entry.operandCompletion {
      case .none: break
      case .files: lines.append("complete -c anvil \(condition) -F")
      case .commands:
        let names = CommandTable.entries.map(\.name).joined(separator: " ")
        lines.append("complete -c anvil \(condition) -a \(quoted(names))")
      case .choices(let choices):
        lines.append("complete -c anvil \(condition) -a \(quoted(choices.joined(separator: " ")))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func value(_ option: CommandOption) -> String {
    guard option.form != .flag else { return "" }
    switch option.completion {
    case .none, .commands: return " -x"
    case .files: return " -r -F"
    case .choices(let choices): return " -x -a \(quoted(choices.joined(separator: " ")))"
    }
  }

  /// Returns the text in single quotation marks, in which fish interprets a backslash and a quotation mark only.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
