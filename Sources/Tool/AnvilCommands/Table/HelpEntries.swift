/// The commands about the tool itself.
extension CommandEntry {
  static let helpCommand = CommandEntry(
    name: "help", operands: "[COMMAND]", operandCompletion: .commands,
    summary: "print the options of a command",
    discussion: ["Prints the same as anvil COMMAND --help; without a command, the list of commands."],
    groups: [],
    exitStatuses: [ExitStatusHelp(.success, "success"), .usage]
  ) { arguments, console throws(UsageError) in
    if arguments.operands.count > 1 {
      throw UsageError("unexpected argument \(arguments.operands[1].quotedExcerpt)")
    }
    guard let name = arguments.operands.first else {
      console.write(HelpText.tool(width: console.outputColumns))
      return .success
    }
    guard let entry = CommandTable.entry(named: name) else { throw UsageError(unknownCommand: name) }
    console.write(HelpText.command(entry, width: console.outputColumns))
    return .success
  }

  static let completions = CommandEntry(
    name: "completions", operands: "SHELL", operandCompletion: .choices(Completions.allCases.map(\.rawValue)),
    summary: "print a script with which bash, zsh or fish completes command lines",
    discussion: ["Prints the completions for SHELL: bash, zsh or fish. scripts/install installs them."],
    groups: [],
    sections: [
      HelpSection(
        title: "Use without installing",
        blocks: [
          .verbatim([
            "bash  source <(anvil completions bash)",
            "zsh   anvil completions zsh > ~/.zfunc/_anvil   # a folder of $fpath",
            "fish  anvil completions fish | source",
          ])
        ])
    ],
    exitStatuses: [ExitStatusHelp(.success, "success"), .usage]
  ) { arguments, console throws(UsageError) in
    guard let name = arguments.operands.first else { throw UsageError("the shell is missing: bash, zsh or fish") }
    guard arguments.operands.count == 1 else {
      throw UsageError("unexpected argument \(arguments.operands[1].quotedExcerpt)")
    }
    guard let shell = Completions(rawValue: name) else {
      throw UsageError("\(name.quotedExcerpt) is not bash, zsh or fish")
    }
    console.write(shell.script)
    return .success
  }

  static let manual = CommandEntry(
    name: "man", operands: "", summary: "print the manual page",
    discussion: ["Prints the manual page of all commands for man: anvil man > anvil.1; man ./anvil.1"],
    groups: [],
    exitStatuses: [ExitStatusHelp(.success, "success"), .usage]
  ) { arguments, console throws(UsageError) in
    try arguments.refuseOperands()
    console.write(ManualPage.text)
    return .success
  }
}

extension UsageError {
  /// Creates the error for a command that does not exist.
  init(unknownCommand name: String) {
    let names = CommandTable.entries.map(\.name)
    self.init("unknown command \(name.quotedExcerpt)\(Suggestion.text(for: name, among: names))")
  }
}

extension ArgumentParser {
  /// Checks that there are no operands.
  ///
  /// - Throws: ``UsageError`` if an operand was given.
  func refuseOperands() throws(UsageError) {
    if let operand = operands.first { throw UsageError("unexpected argument \(operand.quotedExcerpt)") }
  }
}
