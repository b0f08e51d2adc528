internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilHTTP

struct HelpText {
  /// The maximum width of the column of terms. A longer term is printed on a separate line.
  private static let longestTerm = 22
  /// The range of widths. In narrower windows the lines are broken by the terminal.
  static let widths = 60...100

  private let width: Int
  private var lines: [String] = []

  private init(width: Int) {
    self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
  }

  static func tool(width: Int) -> String {
    var help = HelpText(width: width)
    help.lines.append("Usage: anvil <command> [options]")
    let commands = CommandTable.entries.map {
      (term: "\($0.name)\($0.operands.isEmpty ? "" : " \($0.operands)")", text: $0.summary)
    }
    help.add(HelpSection("Commands", .terms(commands)))
    help.add(HelpSection("Options", ToolOptions.all))
    help.lines.append("")
    help.add(paragraph: "'anvil help COMMAND' prints the options of a command, and 'anvil man' a manual page.", by: 0)
    return help.text
  }

  static func command(_ entry: CommandEntry, width: Int) -> String {
    var help = HelpText(width: width)
    for (index, line) in entry.usageLines.enumerated() {
      help.lines.append("\(index == 0 ? "Usage:" : "      ") anvil \(line)")
    }
    for paragraph in entry.discussion {
      help.lines.append("")
      help.add(paragraph: paragraph, by: 0)
    }
    let column = Self.column(of: entry.options.map(\.term))
    for group in entry.optionSections { help.add(group, column) }
    for section in entry.otherSections { help.add(section) }
    return help.text
  }

  private var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ section: HelpSection, _ column: Int? = nil) {
    lines += ["", "\(section.title):"]
    for (index, block) in section.blocks.enumerated() {
      if index > 0 { lines.append("") }
      switch block {
      case .paragraph(let text): add(paragraph: text, by: 2)
      case .terms(let terms): add(terms: terms, column)
      case .verbatim(let verbatim): lines += verbatim.map { "  \($0)" }
      }
    }
  }

  private static func column(of terms: [String]) -> Int {
    (terms.map(\.displayWidth).filter { $0 <= longestTerm }.max() ?? 0) + 4
  }

  private mutating func add(terms: [(term: String, text: String)], _ given: Int?) {
    let column = given ?? Self.column(of: terms.map(\.term))
    for (term, text) in terms {
      var wrapped = Self.wrap(text, to: width - column)
      if term.displayWidth <= column - 4, !wrapped.isEmpty {
        let gap = String(repeating: " ", count: column - 2 - term.displayWidth)
        lines.append("  \(term)\(gap)\(wrapped.removeFirst())")
      } else {
        lines.append("  \(term)")
      }
      lines += wrapped.map { String(repeating: " ", count: column) + $0 }
    }
  }

  private mutating func add(paragraph: String, by indentation: Int) {
    lines += Self.wrap(paragraph, to: width - indentation).map { String(repeating: " ", count: indentation) + $0 }
  }

  /// Breaks `text` at spaces. A word that is longer than `width` is put on a separate line.
  fileprivate static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.displayWidth + 1 + String(word).displayWidth <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension CommandEntry {
  static let helpCommand = CommandEntry(
    name: "help", operands: "[COMMAND]", operandCompletion: .commands,
    summary: "print the options of a command",
    discussion: ["Prints the same as anvil COMMAND --help; without a command, the list of commands."],
    groups: [:],
    exitStatuses: [ExitStatusHelp(.success, "success"), .usage]
  ) { arguments, console throws(CommandError) in
    guard let name = arguments.operands.isEmpty ? nil : try arguments.operand("a command") else {
      console.write(HelpText.tool(width: console.outputColumns))
      return .success
    }
    guard let entry = CommandTable.entry(named: name) else { throw CommandError(unknownCommand: name) }
    console.write(HelpText.command(entry, width: console.outputColumns))
    return .success
  }

  static let completions = CommandEntry(
    name: "completions", operands: "SHELL", operandCompletion: .choices(Completions.allCases.map(\.rawValue)),
    summary: "print a script with which bash, zsh or fish completes command lines",
    discussion: ["Prints the completions for SHELL: bash, zsh or fish. scripts/install installs them."],
    groups: [:],
    sections: [
      HelpSection(
        "Use without installing",
        .verbatim([
          "bash  source <(anvil completions bash)",
          "zsh   anvil completions zsh > ~/.zfunc/_anvil   # a folder of $fpath",
          "fish  anvil completions fish | source",
        ]))
    ],
    exitStatuses: [ExitStatusHelp(.success, "success"), .usage]
  ) { arguments, console throws(CommandError) in
    if arguments.operands.isEmpty { throw CommandError("the shell is missing: bash, zsh or fish") }
    let name = try arguments.operand("the shell")
    guard let shell = Completions(rawValue: name) else {
      throw CommandError("\(name.quotedExcerpt) is not bash, zsh or fish")
    }
    console.write(shell.script)
    return .success
  }

  static let manual = CommandEntry(
    name: "man", operands: "", summary: "print the manual page",
    discussion: ["Prints the manual page of all commands for man: anvil man > anvil.1; man ./anvil.1"],
    groups: [:],
    exitStatuses: [ExitStatusHelp(.success, "success"), .usage]
  ) { arguments, console throws(CommandError) in
    try arguments.refuseOperands()
    console.write(ManualPage.text)
    return .success
  }
}

extension CommandError {
  init(unknownCommand name: String) {
    let names = CommandTable.entries.map(\.name)
    self.init("unknown command \(name.quotedExcerpt)\(Suggestion.text(for: name, among: names))")
  }
}

extension ArgumentParser {
  func refuseOperands() throws(CommandError) {
    if let operand = operands.first { throw CommandError("unexpected argument \(operand.quotedExcerpt)") }
  }
}

/// The manual page anvil(1), in the man macros of roff. Source: groff_man(7).
struct ManualPage {
  private var lines: [String] = []

  static var text: String {
    var page = ManualPage()
    page.lines.append(".TH ANVIL 1 \"\(AnvilVersion.date)\" \"anvil \(AnvilVersion.current)\" \"User Commands\"")
    page.section("NAME")
    page.lines.append("anvil \\- send HTTP requests, check and model JSON, store listings in a database")
    page.section("SYNOPSIS")
    for (index, entry) in CommandTable.entries.enumerated() {
      for (line, usage) in entry.usageLines.enumerated() {
        if index + line > 0 { page.lines.append(".br") }
        page.lines.append(".B anvil \(escape(usage))")
      }
    }
    page.section("COMMANDS")
    for entry in CommandTable.entries { page.add(entry) }
    page.section("ENVIRONMENT")
    for (name, text) in environment { page.item(name, text) }
    page.section("SEE ALSO")
    page.lines.append(".BR curl (1),\n.BR jq (1)")
    return page.lines.joined(separator: "\n") + "\n"
  }

  private static let environment = [
    ("ANVIL_USER", "NAME:PASSWORD, if no option names credentials"),
    ("ANVIL_BEARER", "a bearer token, if no option names credentials"),
    ("NETRC", "the file that --netrc reads; ~/.netrc by default"),
    ("NO_COLOR", "if it is set and not empty, nothing is coloured, except with --color always"),
    ("COLUMNS", "the width of the output if it is not a terminal"),
  ]

  private mutating func add(_ entry: CommandEntry) {
    lines.append(".SS \"anvil \(Self.escape(entry.name))\"")
    lines += Self.filled("\(entry.summary.prefix(1).uppercased())\(entry.summary.dropFirst()).")
    if let reference = entry.reference {
      lines += [".PP"] + Self.filled("The options are those of anvil \(reference).")
      return
    }
    for paragraph in entry.discussion { lines += [".PP"] + Self.filled(paragraph) }
    for section in entry.optionSections + entry.otherSections { add(section) }
  }

  private mutating func add(_ section: HelpSection) {
    lines += [".PP", "\\fI\(Self.escape(section.title))\\fR"]
    for block in section.blocks {
      switch block {
      case .paragraph(let text): lines += [".PP"] + Self.filled(text)
      case .terms(let terms): for (term, text) in terms { item(term, text) }
      case .verbatim(let text): lines += [".PP", ".nf"] + text.map(Self.escape) + [".fi"]
      }
    }
  }

  private mutating func section(_ title: String) { lines.append(".SH \(title)") }

  private mutating func item(_ term: String, _ text: String) {
    lines += [".TP", ".B \(Self.escape(term))"] + Self.filled(text)
  }

  /// Returns the escaped words of `text` in short lines, as the style of manual pages requires.
  private static func filled(_ text: String) -> [String] {
    HelpText.wrap(text.split(separator: " ").map { escape(String($0)) }.joined(separator: " "), to: 78)
  }

  /// Escapes `text` for roff, in which a full stop or an apostrophe at the start of a line begins a request.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "\"": escaped += "\\(dq"
      case "~": escaped += "\\(ti"
      case "^": escaped += "\\(ha"
      case "`": escaped += "\\(ga"
      case let scalar where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default: escaped += "\\[u\(scalar.value.text(digits: 4, radix: 16).uppercased())]"
      }
    }
    return escaped.hasPrefix(".") ? "\\&\(escaped)" : escaped
  }
}
