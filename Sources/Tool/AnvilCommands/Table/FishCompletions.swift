/// The completions of fish. Source: the manual of fish, `complete`.
enum FishCompletions {
  static var script: String {
    var lines = [
      "# fish completion for anvil, made by 'anvil completions fish'", attachedFiles, "complete -c anvil -f",
    ]
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
      guard let first = entry.firstOperandCompletion else {
        lines += operand(entry.operandCompletion, condition)
        continue
      }
      // commandline -opc has the words before the cursor: two of them are anvil and the command.
      lines += operand(first, words(entry.name, "-eq 2")) + operand(entry.operandCompletion, words(entry.name, "-gt 2"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Fish quotes the candidates of a function when it inserts one.
  private static let attachedFiles = #"""
    function __anvil_attached_files
      set -l token (string unescape -- (commandline -ct)); or return
      string match -q '*@*' -- $token; or return
      set -l start (string replace -r '@.*' '@' -- $token)
      for name in (__fish_complete_path (string replace -r '^[^@]*@' '' -- $token))
        echo $start$name
      end
    end
    """#

  private static func words(_ command: String, _ comparison: String) -> String {
    "-n '__fish_seen_subcommand_from \(command); and test (count (commandline -opc)) \(comparison)'"
  }

  private static func operand(_ completion: ValueCompletion, _ condition: String) -> [String] {
    switch completion {
    case .none: []
    case .files: ["complete -c anvil \(condition) -F"]
    case .attachedFiles: ["complete -c anvil \(condition) -a '(__anvil_attached_files)'"]
    case .commands: operand(.choices(CommandTable.entries.map(\.name)), condition)
    case .choices(let choices): ["complete -c anvil \(condition) -a \(quoted(choices.joined(separator: " ")))"]
    case .choicesOrFiles(let choices): operand(.choices(choices), condition) + operand(.files, condition)
    }
  }

  private static func value(_ option: CommandOption) -> String {
    guard option.form != .flag else { return "" }
    switch option.completion {
    case .none, .commands: return " -x"
    case .files: return " -r -F"
    case .attachedFiles: return " -x -a '(__anvil_attached_files)'"
    case .choices(let choices): return " -x -a \(quoted(choices.joined(separator: " ")))"
    case .choicesOrFiles(let choices): return " -r -F -a \(quoted(choices.joined(separator: " ")))"
    }
  }

  /// Returns the text in single quotation marks, in which fish interprets a backslash and a quotation mark only.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
