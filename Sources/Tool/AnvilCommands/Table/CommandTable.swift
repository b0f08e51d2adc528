/// The commands of the tool in the order in which help lists them.
///
/// A command is a static ``CommandEntry`` in a separate file, with its options as static members of ``CommandOption``,
/// and is listed here. The parser, help, completions, the manual page and their tests use this table.
enum CommandTable {
  static let entries: [CommandEntry] =
    RequestEntries.all + others

  private static let others: [CommandEntry] = [
    .check, .shape, .model, .pull, .proxy, .serve, .har, .helpCommand, .completions, .manual,
  ]

  /// Returns the entry of the command `name`; `nil` if it does not exist.
  static func entry(named name: String) -> CommandEntry? {
    entries.first { $0.name == name }
  }
}

/// The options of the tool that can be given without a command.
enum ToolOptions {
  static let version = CommandOption.flag("version", nil, "print the version")
  static let all = [CommandOption.flag("help", "h", "print this help, or the help of the preceding command"), version]
}
