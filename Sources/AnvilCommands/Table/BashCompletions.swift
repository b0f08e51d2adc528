/// The completions of bash. Source: the manual of bash, "Programmable Completion".
enum BashCompletions {
  static var script: String {
    let entries = CommandTable.entries
    var lines = [
      "# bash completion for anvil, made by 'anvil completions bash'",
      "_anvil() {",
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}",
      "  COMPREPLY=()",
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then",
      "    COMPREPLY=($(compgen -W \(words(entries.map(\.name) + ToolOptions.all.map { "--\($0.name)" })) -- \"$word\"))",
      "    return",
      "  fi",
      "  case $command in",
    ]
    for entry in entries {
      lines += ["  \(entry.name))", "    case $previous in"]
      lines += entry.options.compactMap { option in
        guard option.form != .flag else { return nil }
        let spelled = ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
        return "    \(spelled.joined(separator: "|"))) \(reply(option.completion)); return ;;"
      }
      lines += [
        "    esac",
        "    case $word in",
        "    -*) COMPREPLY=($(compgen -W \(words(entry.options.map { "--\($0.name)" })) -- \"$word\")) ;;",
        "    *) \(operandReply(entry)) ;;",
        "    esac ;;",
      ]
    }
    return (lines + ["  esac", "}", "complete -F _anvil anvil"]).joined(separator: "\n") + "\n"
  }

  private static func operandReply(_ entry: CommandEntry) -> String {
    let later = reply(entry.operandCompletion)
    guard let first = entry.firstOperandCompletion else { return later }
    return "if [ \"$COMP_CWORD\" -eq 2 ]; then \(reply(first)); else \(later); fi"
  }

  private static func reply(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: ":"
    case .commands: "COMPREPLY=($(compgen -W \(words(CommandTable.entries.map(\.name))) -- \"$word\"))"
    case .files: "COMPREPLY=($(compgen -f -- \"$word\"))"
    case .choices(let choices): "COMPREPLY=($(compgen -W \(words(choices)) -- \"$word\"))"
    case .choicesOrFiles(let choices): "COMPREPLY=($(compgen -f -W \(words(choices)) -- \"$word\"))"
    }
  }

  private static func words(_ words: [String]) -> String { words.joined(separator: " ").inSingleQuotes }
}
