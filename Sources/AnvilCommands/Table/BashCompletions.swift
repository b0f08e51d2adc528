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
      "  local word=${COMP_WORDS[COMP_CWORD]} index=$COMP_CWORD breaks= previous command=${COMP_WORDS[1]} typed",
      "  COMPREPLY=()",
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then",
      "    _anvil_words \(words(entries.map(\.name) + ToolOptions.all.map { "--\($0.name)" }))",
      "    return",
      "  fi",
      // Bash treats "=", ":" and "@" as words: --into=a has three.
      "  if [[ $word && -z ${word//[=:@]/} ]]; then",
      "    breaks=$word word=",
      "  elif [[ ${COMP_WORDS[index-1]} && -z ${COMP_WORDS[index-1]//[=:@]/} ]]; then",
      "    index=$((index - 1)) breaks=${COMP_WORDS[index]}",
      "  fi",
      "  typed=${COMP_LINE:0:COMP_POINT} typed=${typed##*[[:space:]]}",
      "  [[ $breaks == *:* && $typed != @* && $typed != *=@* ]] && return",
      "  previous=${COMP_WORDS[index-1]}",
      "  [[ $breaks == *=@ && $index -gt 2 && $previous != --* ]] && previous=${COMP_WORDS[index-2]}",
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

  /// The functions use the variables `word` and `typed` of `_anvil`: the word to complete, and the whole argument before the cursor.
  ///
  /// Readline replaces only the text after the last "=", ":" or "@", and the "@" itself. A name that contains them is therefore offered without
  /// its beginning.
  ///
  /// A word with a quotation mark, a backslash or a tilde is completed by readline only, because `compgen` does not remove them.
  private static let functions = #"""
    _anvil_words() {
      local IFS=$' \t\n'
      COMPREPLY=($(compgen -W "$1" -- "$word"))
    }
    _anvil_files() {
      compopt -o default 2>/dev/null
    }
    _anvil_words_or_files() {
      local name quotes=
      _anvil_words "$1"
      if [[ $word == *[\\\'\"\$\`~]* ]]; then _anvil_files; return; fi
      compopt -o filenames 2>/dev/null || quotes=1
      while IFS= read -r name; do
        if [[ ! -e $name && ! -L $name ]]; then continue; fi
        if [[ $quotes ]]; then name=$(printf %q "$name"); fi
        COMPREPLY+=("$name")
      done < <(compgen -f -- "$word")
    }
    _anvil_attached_files() {
      local name start mark=
      case $typed in
      @*) typed=${typed#@} ;;
      *=@*) typed=${typed#*=@} ;;
      *) return ;;
      esac
      [[ $typed == *[\\\'\"\$\`~]* ]] && return
      start=${typed%"${typed##*[=:@]}"}
      if [[ -z $start || $start == *@ ]]; then mark=@; fi
      while IFS= read -r name; do
        if [[ -d $name ]]; then
          COMPREPLY+=("$mark$(printf %q "${name#"$start"}")/")
          compopt -o nospace 2>/dev/null
        elif [[ -e $name || -L $name ]]; then
          COMPREPLY+=("$mark$(printf %q "${name#"$start"}")")
        fi
      done < <(compgen -f -- "$typed")
    }
    """#

  private static func operandReply(_ entry: CommandEntry) -> String {
    let later = reply(entry.operandCompletion)
    guard let first = entry.firstOperandCompletion else { return later }
    return "if [ \"$COMP_CWORD\" -eq 2 ]; then \(reply(first)); else \(later); fi"
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
