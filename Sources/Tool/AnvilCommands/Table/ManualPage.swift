internal import AnvilHTTP

/// The manual page anvil(1), in the man macros of roff. Source: groff_man(7).
struct ManualPage {
  private var lines: [String] = []

  /// The page of all commands.
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
    for group in entry.groupsWithHelp {
      lines += [".PP", "\\fI\(Self.escape(group.title))\\fR"]
      for option in group.options { item(option.term, option.help) }
    }
    for section in entry.sections { add(section) }
    lines += [".PP", "\\fIExit status\\fR"]
    for status in entry.exitStatuses { item(String(status.status.rawValue), status.text) }
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
    text.split(separator: " ").map { escape(String($0)) }.reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= 78 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
  }

  /// Escapes `text` so that roff prints it unchanged. A full stop or an apostrophe at the start of a line would begin a
  /// request.
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
      default: escaped += "\\[u\(padded(String(scalar.value, radix: 16, uppercase: true)))]"
      }
    }
    return escaped.hasPrefix(".") ? "\\&\(escaped)" : escaped
  }

  private static func padded(_ digits: String) -> String {
    String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
