enum Completions: String, CaseIterable, Sendable {
  case bash, zsh, fish

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

/// The completions of bash. Source: the manual of bash, "Programmable Completion".
///
/// Names of files are never inserted unquoted, because a name may contain a command. If possible, the function offers nothing and asks for
/// readline's own completion of files (`-o default`), which handles quotation marks, tildes and line ends. Bash 3, which macOS has as
/// `/bin/bash`, has no `compopt`: it completes files wherever nothing else is offered, and names that are offered together with words are
/// quoted by the function.
enum BashCompletions {
  static var script: String {
    let entries = CommandTable.entries
    var lines = [
      "# bash completion for anvil, made by 'anvil completions bash'",
      functions,
      "_anvil() {",
      "  local command=${COMP_WORDS[1]} typed previous count value prefix=",
      "  COMPREPLY=()",
      "  _anvil_arguments",
      "  if [ \"$count\" -eq 1 ]; then",
      "    value=$typed",
      "    _anvil_words \(words(entries.map(\.name) + ToolOptions.all.map { "--\($0.name)" }))",
      "    return",
      "  fi",
      "  value=$typed",
      "  if [[ $typed == --*=* ]]; then",
      "    previous=${typed%%=*} value=${typed#*=}",
      "    [[ $COMP_WORDBREAKS == *=* ]] || prefix=$previous=",
      "  fi",
      "  [[ $COMP_WORDBREAKS == *:* && $value == *:* && $value != @* && $value != *=@* ]] && return",
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
        "    case $typed in",
        "    --*=*) ;;",
        "    -*) if [[ \" ${COMP_WORDS[*]:2:COMP_CWORD-2} \" == *' -- '* ]]; then \(operandReply(entry)); else "
          + "_anvil_words \(words(entry.options.map { "--\($0.name)" })); fi ;;",
        "    *) \(operandReply(entry)) ;;",
        "    esac ;;",
      ]
    }
    lines += [
      "  esac", "}",
      "if type compopt >/dev/null 2>&1; then complete -F _anvil anvil; else complete -o default -F _anvil anvil; fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The functions use the variables of `_anvil`: `typed`, the argument before the cursor as it was typed, and `previous`, the argument
  /// before it; `count`, the number of arguments before the cursor; `value`, the argument or the value of an option in it.
  ///
  /// The arguments are found in the line, because `COMP_WORDS` also splits them at "=", ":" and "@", unless `COMP_WORDBREAKS` is changed.
  /// Readline replaces only the text after the last of these characters, and the "@" itself. A name that contains them is therefore offered
  /// without its beginning. Without a "=" in `COMP_WORDBREAKS`, readline replaces the name of the option, too, which is then in `prefix`.
  ///
  /// A word with a quotation mark or a tilde is completed by readline only, because `compgen` does not remove them.
  private static var functions: String { String(decoding: PackageResources.Completions_bash.dropLast(), as: UTF8.self) }

  private static func operandReply(_ entry: CommandEntry) -> String {
    let later = reply(entry.operandCompletion)
    guard let first = entry.firstOperandCompletion else { return later }
    return "if [ \"$count\" -eq 2 ]; then \(reply(first)); else \(later); fi"
  }

  private static func reply(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: ":"
    case .commands: "_anvil_words \(words(CommandTable.entries.map(\.name)))"
    case .files: "_anvil_files"
    case .attachedFiles: "_anvil_attached_files"
    case .choices(let choices): "_anvil_words \(words(choices))"
    case .choicesOrFiles(let choices): "_anvil_words_or_files \(words(choices))"
    }
  }

  private static func words(_ words: [String]) -> String { words.joined(separator: " ").inSingleQuotes }
}

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

  /// Returns `text` without the square brackets and colons that separate the parts of a specification.
  private static func description(_ text: String) -> String {
    text.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
  }
}
