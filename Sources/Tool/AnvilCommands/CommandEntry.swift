internal import AnvilDiagnosis

/// A command of the tool: one entry of ``CommandTable``. Help, the manual page, completions and the parser use it.
struct CommandEntry: Sendable {
  typealias Run = @Sendable (ArgumentParser, Console) async throws(CommandError) -> ExitStatus

  /// The word after `anvil`.
  let name: String
  /// The operands in the form of help, such as `URL`, or an empty text.
  let operands: String
  var operandCompletion = ValueCompletion.none
  /// The values that a shell offers for the first operand; `nil` for the same as for the others.
  var firstOperandCompletion: ValueCompletion?
  let summary: String
  /// The command that has the same options and describes them; `nil` if the entry describes them itself.
  var reference: String?
  /// The forms of the command line, without `anvil`. Empty if there is only one, which is then derived from the other properties.
  var synopses: [String] = []
  let discussion: [String]
  /// The options by the titles of their groups. Every command also has `--help`.
  let groups: KeyValuePairs<String, [CommandOption]>
  var sections: [HelpSection] = []
  let exitStatuses: [ExitStatusHelp]
  let run: Run
}

struct HelpSection: Sendable {
  enum Block: Sendable {
    case paragraph(String)
    /// Words and their explanations, in two columns.
    case terms([(term: String, text: String)])
    case verbatim([String])
  }

  let title: String
  let blocks: [Block]
}

struct ExitStatusHelp: Sendable {
  let status: ExitStatus
  let text: String

  init(_ status: ExitStatus, _ text: String) {
    self.status = status
    self.text = text
  }
}

extension CommandEntry {
  var options: [CommandOption] { groups.flatMap(\.value) + [.help] }

  /// The groups of options, with `--help` in the last one.
  var optionSections: [HelpSection] {
    guard let last = groups.last else { return [HelpSection("Options", [.help])] }
    return groups.dropLast().map { HelpSection($0.key, $0.value) } + [HelpSection(last.key, last.value + [.help])]
  }

  var otherSections: [HelpSection] {
    let statuses = exitStatuses.map { (term: String($0.status.rawValue), text: $0.text) }
    return sections + [HelpSection("Exit status", .terms(statuses))]
  }

  var usageLines: [String] {
    guard synopses.isEmpty else { return synopses }
    return [([name, operands] + (groups.isEmpty ? [] : ["[options]"])).filter { !$0.isEmpty }.joined(separator: " ")]
  }
}

extension HelpSection {
  init(_ title: String, _ blocks: Block...) {
    self.init(title: title, blocks: blocks)
  }

  init(_ title: String, _ options: [CommandOption]) {
    self.init(title, .terms(options.map { ($0.term, $0.help) }))
  }
}

extension CommandOption {
  static let help = flag("help", "h", "print this help")
}

extension ExitStatusHelp {
  static let usage = ExitStatusHelp(.usage, "usage: the command line is invalid (EX_USAGE of sysexits.h)")
  static let listening = ExitStatusHelp(
    .transport, "the command could not listen: the port is in use or not permitted")
  static let transport = ExitStatusHelp(.transport, "transport: no complete response was received")
  static let status = ExitStatusHelp(.status, "status: the status of a response is 3xx, 4xx or 5xx")
  static let inputOutput = ExitStatusHelp(
    .inputOutput, "input or output: a file cannot be read, or standard output cannot be written (EX_IOERR)")
}

/// An option of a command, identified by its name, for the parser, the help, the manual page and the completions.
struct CommandOption: Sendable {
  /// The long name without `--`.
  let name: String
  /// The letter of the short form; `nil` for none.
  let letter: Character?
  let form: OptionForm
  /// The placeholder of the value in help, such as `FILE`; `nil` for a flag.
  let placeholder: String?
  let completion: ValueCompletion
  /// The effect, as a phrase without a full stop.
  let help: String

  static func flag(_ name: String, _ letter: Character? = nil, _ help: String) -> CommandOption {
    CommandOption(name: name, letter: letter, form: .flag, placeholder: nil, completion: .none, help: help)
  }

  /// Creates an option with a value, which may be given once.
  static func value(
    _ name: String, _ letter: Character? = nil, _ placeholder: String, completion: ValueCompletion = .none,
    _ help: String
  ) -> CommandOption {
    CommandOption(
      name: name, letter: letter, form: .value, placeholder: placeholder, completion: completion, help: help)
  }

  /// Creates an option with a value, which may be given any number of times.
  static func values(
    _ name: String, _ letter: Character? = nil, _ placeholder: String, completion: ValueCompletion = .none,
    _ help: String
  ) -> CommandOption {
    CommandOption(
      name: name, letter: letter, form: .values, placeholder: placeholder, completion: completion, help: help)
  }
}

extension CommandOption: Hashable {
  static func == (lhs: CommandOption, rhs: CommandOption) -> Bool { lhs.name == rhs.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension CommandOption {
  /// The forms as help shows them: `--header, -H 'NAME: VALUE'`.
  var term: String {
    "--\(name)" + (letter.map { ", -\($0)" } ?? "") + (placeholder.map { " \($0)" } ?? "")
  }
}

enum OptionForm: Sendable {
  /// No value, any number of times.
  case flag
  /// A value, once.
  case value
  /// A value, any number of times.
  case values
}

enum ValueCompletion: Hashable, Sendable {
  case none
  case files
  /// Names of files after `@`: `@FILE` or `NAME=@FILE`.
  case attachedFiles
  case commands
  case choices([String])
  case choicesOrFiles([String])

  static func choices<Choice: CaseIterable & RawRepresentable<String>>(of _: Choice.Type) -> ValueCompletion {
    .choices(Choice.allCases.map(\.rawValue))
  }
}

/// The commands of the tool in the order of help. The parser, help, completions, the manual page and their tests use this table.
enum CommandTable {
  static let entries: [CommandEntry] =
    RequestEntries.all + others

  private static let others: [CommandEntry] = [
    .check, .shape, .model, .pull, .proxy, .serve, .har, .helpCommand, .completions, .manual,
  ]

  static func entry(named name: String) -> CommandEntry? {
    entries.first { $0.name == name }
  }
}

/// The options of the tool that can be given without a command.
enum ToolOptions {
  static let version = CommandOption.flag("version", nil, "print the version")
  static let all = [CommandOption.flag("help", "h", "print this help, or the help of the preceding command"), version]
}

/// Suggests the known name that is most similar to a mistyped one.
enum Suggestion {
  /// Returns `; did you mean "NAME"?` with `prefix`, such as `--`, and the most similar of `names`; an empty text if none is similar.
  static func text(for word: String, among names: [String], prefix: String = "") -> String {
    let best = names.compactMap { name in word.similarity(to: name).map { (name, $0) } }.min { $0.1 < $1.1 }
    let beginning = word.count > 1 ? names.filter { $0.hasPrefix(word) } : []
    guard let name = best?.0 ?? (beginning.count == 1 ? beginning[0] : nil) else { return "" }
    return "; did you mean \"\(prefix)\(name)\"?"
  }
}
