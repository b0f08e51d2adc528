/// Separates a command's arguments into options and operands.
///
/// The forms of options are `--name value`, `--name=value`, `-n value` and `-nvalue`. Short flags may be combined, such
/// as `-iv`. Options and operands may be in any order. All arguments after `--` are operands, and so is a single `-`. A
/// value may begin with a hyphen. Names cannot be abbreviated.
///
/// Source: the Utility Syntax Guidelines of POSIX.1-2024 XBD 12.2, with long names as in getopt_long(3).
struct ArgumentParser: Sendable {
  private let known: [CommandOption]
  private var remaining: ArraySlice<String>
  private(set) var operands: [String] = []
  /// The options in order. The value of a flag is empty.
  private(set) var options: [(option: CommandOption, value: String)] = []

  /// Parses `arguments`, which do not include the name of the command.
  ///
  /// - Parameter known: The options of the command.
  /// - Throws: ``UsageError`` for an unknown option, a missing or unexpected value, and an option that is repeated although it may be given
  ///   only once.
  init(_ arguments: [String], of known: [CommandOption]) throws(UsageError) {
    self.known = known
    remaining = arguments[...]
    while let argument = remaining.popFirst() {
      if argument == "--" {
        operands += remaining
        break
      } else if argument.hasPrefix("--") {
        try parseLong(argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        try parseShort(argument)
      } else {
        operands.append(argument)
      }
    }
  }

  /// Returns `true` if `option` was given.
  func contains(_ option: CommandOption) -> Bool {
    options.contains { $0.option == option }
  }

  /// Returns the last value of `option`, or `nil` if it was not given.
  func value(of option: CommandOption) -> String? {
    options.last { $0.option == option }?.value
  }

  /// Returns the values of `option` in order.
  func values(of option: CommandOption) -> [String] {
    options.filter { $0.option == option }.map(\.value)
  }

  private mutating func parseLong(_ argument: String) throws(UsageError) {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let option = known.first(where: { $0.name == name }) else {
      let suggestion = Suggestion.text(for: name, among: known.map(\.name), prefix: "--")
      throw UsageError("unknown option \("--\(name)".quotedExcerpt)\(suggestion)")
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if case .flag = option.form, attached != nil { throw UsageError("--\(name) takes no value") }
    try add(option, spelled: "--\(name)", attached: attached)
  }

  private mutating func parseShort(_ argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = known.first(where: { $0.letter == letter }) else {
        throw UsageError("unknown option \("-\(letter)".quotedExcerpt)")
      }
      if case .flag = option.form {
        try add(option, spelled: "-\(letter)", attached: nil)
      } else {
        return try add(option, spelled: "-\(letter)", attached: letters.isEmpty ? nil : String(letters))
      }
    }
  }

  private mutating func add(_ option: CommandOption, spelled name: String, attached: String?) throws(UsageError) {
    switch option.form {
    case .flag:
      return options.append((option, ""))
    case .value where contains(option):
      throw UsageError("\(name) is given twice")
    case .value, .values:
      guard let value = attached ?? remaining.popFirst() else { throw UsageError("\(name) needs a value") }
      options.append((option, value))
    }
  }
}
