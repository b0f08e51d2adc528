/// An option of a command, for the parser, the help, the manual page and the completions.
///
/// Two options are equal if they have the same name.
struct CommandOption: Sendable {
  /// The long name without `--`.
  let name: String
  /// The letter of the short form; `nil` for none.
  let letter: Character?
  let form: OptionForm
  /// The placeholder of the value in help, such as `FILE`; `nil` for a flag.
  let placeholder: String?
  /// The values that a shell offers.
  let completion: ValueCompletion
  /// The effect, as a phrase without a full stop.
  let help: String

  /// Creates an option without a value.
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

/// The form of an option: whether it has a value, and how often it may be given.
enum OptionForm: Sendable {
  /// No value, any number of times.
  case flag
  /// A value, once.
  case value
  /// A value, any number of times.
  case values
}

/// The values of an option that a shell offers.
enum ValueCompletion: Hashable, Sendable {
  case none
  case files
  /// Names of files after `@`: `@FILE` or `NAME=@FILE`.
  case attachedFiles
  /// The names of the commands.
  case commands
  case choices([String])
  /// Words, or the name of a file.
  case choicesOrFiles([String])
}
