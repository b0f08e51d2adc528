internal import AnvilDiagnosis

/// Help as text, wrapped to a width.
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

  /// Returns the help of the tool: its commands.
  static func tool(width: Int) -> String {
    var help = HelpText(width: width)
    help.lines.append("Usage: anvil <command> [options]")
    help.add(
      "Commands",
      CommandTable.entries.map { ("\($0.name)\($0.operands.isEmpty ? "" : " \($0.operands)")", $0.summary) })
    help.add("Options", ToolOptions.all.map { ($0.term, $0.help) })
    help.lines.append("")
    help.add(paragraph: "'anvil help COMMAND' prints the options of a command, and 'anvil man' a manual page.", by: 0)
    return help.text
  }

  /// Returns the help of a command.
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
    for group in entry.groupsWithHelp { help.add(group.title, group.options.map { ($0.term, $0.help) }, column) }
    for section in entry.sections { help.add(section) }
    help.add("Exit status", entry.exitStatuses.map { (String($0.status.rawValue), $0.text) })
    return help.text
  }

  private var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ section: HelpSection) {
    lines += ["", "\(section.title):"]
    for (index, block) in section.blocks.enumerated() {
      if index > 0 { lines.append("") }
      switch block {
      case .paragraph(let text): add(paragraph: text, by: 2)
      case .terms(let terms): add(terms: terms.map { ($0.term, $0.text) })
      case .verbatim(let verbatim): lines += verbatim.map { "  \($0)" }
      }
    }
  }

  private mutating func add(_ title: String, _ terms: [(String, String)], _ column: Int? = nil) {
    lines += ["", "\(title):"]
    add(terms: terms, column)
  }

  /// Returns the column at which the explanations of `terms` begin.
  private static func column(of terms: [String]) -> Int {
    (terms.map(\.displayWidth).filter { $0 <= longestTerm }.max() ?? 0) + 4
  }

  private mutating func add(terms: [(String, String)], _ given: Int? = nil) {
    let column = given ?? Self.column(of: terms.map { $0.0 })
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
  private static func wrap(_ text: String, to width: Int) -> [String] {
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
