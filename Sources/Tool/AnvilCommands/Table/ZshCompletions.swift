/// The completions of zsh. Source: zshcompsys(1), `_arguments` and `_describe`.
enum ZshCompletions {
  static var script: String {
    var lines = [
      "#compdef anvil",
      "# zsh completion for anvil, made by 'anvil completions zsh'",
      "_anvil_attached_files() {",
      "  compset -P 1 '*@' && _files",
      "}",
      "_anvil() {",
      "  local -a commands=(",
    ]
    lines += CommandTable.entries.map { "    \("\($0.name):\(description($0.summary))".inSingleQuotes)" }
    lines += [
      "  )",
      "  if (( CURRENT == 2 )); then",
      "    _describe command commands",
      "    return",
      "  fi",
      "  local command=$words[2]",
      "  shift words",
      "  (( CURRENT-- ))",
      "  case $command in",
    ]
    for entry in CommandTable.entries {
      lines.append("  \(entry.name))")
      lines.append("    _arguments -s -S \\")
      for option in entry.options {
        let repeats = option.form == .values ? "*" : ""
        let text = "[\(description(option.help))]" + value(option)
        lines.append("      \("\(repeats)--\(option.name)\(option.form == .flag ? "" : "=")\(text)".inSingleQuotes) \\")
        if let letter = option.letter { lines.append("      \("\(repeats)-\(letter)\(text)".inSingleQuotes) \\") }
      }
      if let first = entry.firstOperandCompletion {
        lines.append("      \("1:operand:\(action(first))".inSingleQuotes) \\")
      }
      lines.append("      \("*:operand:\(action(entry.operandCompletion))".inSingleQuotes) ;;")
    }
    return (lines + ["  esac", "}", "_anvil \"$@\""]).joined(separator: "\n") + "\n"
  }

  private static func value(_ option: CommandOption) -> String {
    guard let placeholder = option.placeholder else { return "" }
    return ":\(description(placeholder)):\(action(option.completion))"
  }

  private static func action(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: " "
    case .files: "_files"
    case .attachedFiles: "_anvil_attached_files"
    case .commands: "(\(CommandTable.entries.map(\.name).joined(separator: " ")))"
    case .choices(let choices): "(\(choices.joined(separator: " ")))"
    case .choicesOrFiles(let choices): "{compadd -- \(choices.joined(separator: " ")); _files}"
    }
  }

  /// Returns `text` for use in a specification. Square brackets become parentheses and colons are escaped, because they separate the parts
  /// of a specification.
  private static func description(_ text: String) -> String {
    text.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
  }
}
