internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilSchema
package import Foundation
internal import Synchronization

/// The inputs and outputs of a command. Functions that write do not throw: after an output has failed, later writes are ignored, and
/// ``AnvilCommand`` prints the reason at the end. A reader that closes its end early, such as `head -1`, is not an error.
package struct Console: Sendable {
  private let output: Output
  private let error: Output
  private let input: @Sendable () throws -> Data
  /// The environment variables, for settings such as `NO_COLOR` and for credentials.
  let environment: [String: String]

  /// Creates a console. `input` reads standard input to its end.
  package init(
    output: Stream, error: Stream, environment: [String: String] = [:],
    input: @escaping @Sendable () throws -> Data = { try FileHandle.standardInput.readToEnd() ?? Data() }
  ) {
    self.output = Output(output)
    self.error = Output(error)
    self.input = input
    self.environment = environment
  }

  package static let standard = Console(
    output: .file(.standardOutput), error: .file(.standardError), environment: ProcessInfo.processInfo.environment)

  package var outputIsTerminal: Bool { output.stream.isTerminal }
  /// The number of columns of standard output: that of the terminal, otherwise the value of `COLUMNS`, otherwise 100.
  var outputColumns: Int {
    output.stream.columns() ?? environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 100
  }
  /// The number of columns of standard error: that of the terminal, or 80 if it is not known.
  var errorColumns: Int { error.stream.columns() ?? 80 }
  /// True if standard output has neither failed nor been closed by its reader.
  var canWrite: Bool { output.failure == nil }
  package var errorIsTerminal: Bool { error.stream.isTerminal }

  func readInput() throws -> Data { try input() }

  package func write(_ data: Data) { output.write(data) }

  /// Writes `text` to standard output in UTF-8, without adding a line end.
  package func write(_ text: String) { output.write(Data(text.utf8)) }

  package func writeError(_ data: Data) { error.write(data) }

  /// Writes `text` to standard error in UTF-8, without adding a line end.
  package func writeError(_ text: String) { error.write(Data(text.utf8)) }

  /// Writes `anvil: message` to standard error. The message is converted to one line.
  package func fail(_ message: String) {
    writeError("anvil: \(message.printable)\n")
  }

  /// The error that ended writing to standard output; `nil` if there was none, or if the reader has closed its end.
  var outputFailure: (any Error)? {
    guard let failure = output.failure, !failure.isClosedPipe else { return nil }
    return failure
  }
}

extension Console {
  /// An output stream of a console.
  package struct Stream: Sendable {
    let isTerminal: Bool
    let columns: @Sendable () -> Int?
    let write: @Sendable (Data) throws -> Void

    package static func terminal(_ write: @escaping @Sendable (Data) throws -> Void) -> Stream {
      Stream(isTerminal: true, columns: { nil }, write: write)
    }

    package static func pipe(_ write: @escaping @Sendable (Data) throws -> Void) -> Stream {
      Stream(isTerminal: false, columns: { nil }, write: write)
    }

    fileprivate static func file(_ handle: FileHandle) -> Stream {
      Stream(
        isTerminal: isatty(handle.fileDescriptor) == 1, columns: { TerminalSize.columns(of: handle.fileDescriptor) }
      ) { try handle.write(contentsOf: $0) }
    }
  }

  private final class Output: Sendable {
    let stream: Stream
    private let failed = Mutex<(any Error)?>(nil)

    init(_ stream: Stream) {
      self.stream = stream
    }

    var failure: (any Error)? { failed.withLock { $0 } }

    func write(_ data: Data) {
      guard failure == nil, !data.isEmpty else { return }
      do {
        try stream.write(data)
      } catch {
        failed.withLock { $0 = error }
      }
    }
  }
}

extension Error {
  /// True if writing failed because the reader has closed its end and the process ignores SIGPIPE.
  fileprivate var isClosedPipe: Bool {
    let error = self as NSError
    let causes = [error, error.userInfo[NSUnderlyingErrorKey] as? NSError]
    return causes.contains { $0?.domain == NSPOSIXErrorDomain && $0?.code == Int(EPIPE) }
  }
}

extension String {
  /// The text in quotation marks, in printable form, without secrets of a URL, and limited to 40 characters.
  var quotedExcerpt: String { "\"\(withoutURLSecrets.printable(limit: 40))\"" }

  /// The text with secrets hidden. In a URL these are the user, the password, the fragment and the values of the query. In other text with
  /// `:` before an `@`, everything before the last `@` is hidden.
  var withoutURLSecrets: String {
    let scheme = prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[\/\\]+/)?.range.upperBound
    var text = self
    let start = scheme ?? startIndex
    // The last `@` counts, because a password may contain any character.
    if let at = lastIndex(of: "@"), at >= start, scheme != nil || self[..<at].contains(":") {
      text.replaceSubrange(start..<at, with: HTTP.Redaction.mark)
    }
    return scheme == nil ? text : HTTP.Redaction().shown(reference: text)
  }
}

/// The command line tool `anvil`. It runs a command and converts its result to an exit status.
package enum AnvilCommand {
  /// The version that `anvil --version` prints.
  package static let version = AnvilVersion.current

  /// Runs the tool with a command line without the program's name. Returns the raw value of an ``ExitStatus``.
  package static func run(arguments: [String], console: Console = .standard) async -> Int32 {
    let status = await outcome(of: arguments, console: console)
    if let failure = console.outputFailure {
      console.fail("cannot write to standard output: \(OutputFile.words(for: failure, of: nil))")
      return ExitStatus.inputOutput.rawValue
    }
    return status.rawValue
  }

  private static func outcome(of arguments: [String], console: Console) async -> ExitStatus {
    guard let name = arguments.first else {
      return usage(CommandError("a command is missing"), console: console)
    }
    if let entry = CommandTable.entry(named: name) {
      return await run(entry, Array(arguments.dropFirst()), console: console)
    }
    switch name {
    case "--help", "-h":
      console.write(HelpText.tool(width: console.outputColumns))
      return .success
    case "--version":
      console.write("anvil \(version)\n")
      return .success
    case _ where name.hasPrefix("-"):
      return usage(CommandError("unknown option \(name.quotedExcerpt)"), console: console)
    default:
      return usage(CommandError(unknownCommand: name), console: console)
    }
  }

  private static func run(_ entry: CommandEntry, _ arguments: [String], console: Console) async -> ExitStatus {
    do throws(CommandError) {
      let parsed = try ArgumentParser(arguments, of: entry.options)
      if parsed.contains(.help) {
        console.write(HelpText.command(entry, width: console.outputColumns))
        return .success
      }
      try HTTP.Redaction.hideSecretPaths(parsed)
      return try await entry.run(parsed, console)
    } catch {
      return usage(error, of: entry, console: console)
    }
  }

  private static func usage(_ error: CommandError, of entry: CommandEntry? = nil, console: Console) -> ExitStatus {
    guard let message = error.message else { return error.status }
    console.fail(message)
    if error.status == .usage {
      let name = entry.map { $0.name == "help" ? "" : "\($0.name) " } ?? ""
      console.writeError("Try 'anvil \(name)--help'.\n")
    }
    return error.status
  }
}

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

  /// Parses `arguments`, which do not include the name of the command, with the options `known`.
  init(_ arguments: [String], of known: [CommandOption]) throws(CommandError) {
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

  func contains(_ option: CommandOption) -> Bool {
    options.contains { $0.option == option }
  }

  func value(of option: CommandOption) -> String? {
    options.last { $0.option == option }?.value
  }

  func values(of option: CommandOption) -> [String] {
    options.filter { $0.option == option }.map(\.value)
  }

  private mutating func parseLong(_ argument: String) throws(CommandError) {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let option = known.first(where: { $0.name == name }) else {
      let suggestion = Suggestion.text(for: name, among: known.map(\.name), prefix: "--")
      throw CommandError("unknown option \("--\(name)".quotedExcerpt)\(suggestion)")
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if case .flag = option.form, attached != nil { throw CommandError("--\(name) takes no value") }
    try add(option, spelled: "--\(name)", attached: attached)
  }

  private mutating func parseShort(_ argument: String) throws(CommandError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = known.first(where: { $0.letter == letter }) else {
        throw CommandError("unknown option \("-\(letter)".quotedExcerpt)")
      }
      if case .flag = option.form {
        try add(option, spelled: "-\(letter)", attached: nil)
      } else {
        return try add(option, spelled: "-\(letter)", attached: letters.isEmpty ? nil : String(letters))
      }
    }
  }

  private mutating func add(_ option: CommandOption, spelled name: String, attached: String?) throws(CommandError) {
    switch option.form {
    case .flag:
      return options.append((option, ""))
    case .value where contains(option):
      throw CommandError("\(name) is given twice")
    case .value, .values:
      guard let value = attached ?? remaining.popFirst() else { throw CommandError("\(name) needs a value") }
      options.append((option, value))
    }
  }
}

/// The values of options by their kinds. Each is `nil` if the option was not given.
extension ArgumentParser {
  /// Returns the value of `option`, which must be the name of a case.
  func choice<Choice: CaseIterable & RawRepresentable<String>>(
    of option: CommandOption, as _: Choice.Type = Choice.self
  ) throws(CommandError) -> Choice? {
    guard let text = value(of: option) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    let expected = names.count == 2 ? "neither \(names[0]) nor \(names[1])" : "not \(names.joined(by: "or"))"
    throw CommandError("--\(option.name) \(text.quotedExcerpt) is \(expected)")
  }

  /// Returns the value of `option`, which must be a number in `range` without a plus sign.
  func integer(of option: CommandOption, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
    guard let text = value(of: option) else { return nil }
    if let number = Int(text), range.contains(number), !text.hasPrefix("+") { return number }
    throw CommandError(
      "--\(option.name) \(text.quotedExcerpt) is not a number from \(range.lowerBound) to \(range.upperBound)")
  }

  /// Returns the value of `option`, a port; 0, for which the system chooses one, if the option was not given.
  func port(of option: CommandOption) throws(CommandError) -> UInt16 {
    UInt16(try integer(of: option, in: 0...65_535) ?? 0)
  }

  /// Returns the value of `option`, which must be in `range`. In the message, `rule` follows the words “a number of seconds”.
  func seconds(
    of option: CommandOption, in range: ClosedRange<Double>, _ rule: String
  ) throws(CommandError) -> Duration? {
    guard let text = value(of: option) else { return nil }
    if let seconds = Double(text), range.contains(seconds) { return .seconds(seconds) }
    throw CommandError("--\(option.name) \(text.quotedExcerpt) is not a number of seconds\(rule)")
  }

  /// Returns the value of `option`, which must not be empty.
  func file(of option: CommandOption) throws(CommandError) -> String? {
    let name = value(of: option)
    if name == "" { throw CommandError("--\(option.name) needs the name of a file") }
    return name
  }

  /// Returns the only operand. `what` is its name in the message if it is missing, such as `a file`.
  func operand(_ what: String) throws(CommandError) -> String {
    guard let operand = operands.first else { throw CommandError("\(what) is missing") }
    guard operands.count == 1 else {
      throw CommandError("unexpected argument \(operands[1].quotedExcerpt) after \(operand.quotedExcerpt)")
    }
    return operand
  }

  /// Checks that at most one of `options` was given.
  func exclude(_ options: [CommandOption]) throws(CommandError) {
    let given = options.filter { contains($0) }
    if given.count > 1 { throw CommandError("--\(given[0].name) and --\(given[1].name) cannot be used together") }
  }
}

/// The exit status of the process, by the layer that failed. The numbers are stable, because scripts depend on them.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// A document departs from its standard. Source: `diff` and `cmp`, POSIX.1-2024 XCU.
  case departure = 1
  /// The response is missing or incomplete: the connection failed, timed out, was interrupted or did not use HTTP.
  case transport = 3
  /// The status of the response is not 2xx.
  case status = 4
  /// The received data cannot be used: it is not JSON, has no value at the path, or is not a schema.
  case decoding = 5
  /// A response could not be stored: the database cannot be opened or written, or its table does not fit.
  case store = 6
  /// The command line is invalid, and no request was sent. Source: `EX_USAGE` of sysexits(3).
  case usage = 64
  /// A file could not be read, or standard output could not be written. Source: `EX_IOERR` of sysexits(3).
  case inputOutput = 74
}

/// The error that ends a command: an invalid command line, or an input or output that cannot be used. ``AnvilCommand`` prints it.
struct CommandError: Error {
  /// The problem in one line, without a full stop; `nil` if it was printed already.
  let message: String?
  let status: ExitStatus

  init(_ message: String, status: ExitStatus = .usage) {
    self.message = message
    self.status = status
  }

  /// Creates the error for a problem that was printed already.
  init(printed status: ExitStatus) {
    message = nil
    self.status = status
  }

  /// Returns the value of `body`. Its error becomes the reason of an error about `what`.
  static func explaining<Value>(
    _ what: String, status: ExitStatus = .usage, _ body: () throws -> Value
  ) throws(CommandError) -> Value {
    do { return try body() } catch { throw CommandError("\(what): \(error)", status: status) }
  }

  /// Creates the error for the file `name` of an option such as `--cacert`, which cannot be read because of an error of the system.
  init(unreadable name: String, of option: String, _ error: any Error) {
    let reason = DocumentSource.file(name).words(for: error)
    self.init("\(option) \(name.quotedExcerpt) cannot be read: \(reason)", status: .inputOutput)
  }
}
