internal import AnvilHTTP
internal import Foundation

/// The command line tool `anvil`. It runs a command and converts its result to an exit status.
public enum AnvilCommand {
  /// The version that `anvil --version` prints.
  public static let version = AnvilVersion.current

  /// Runs the tool.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - console: The inputs and outputs.
  /// - Returns: The raw value of an ``ExitStatus``.
  public static func run(arguments: [String], console: Console = .standard) async -> Int32 {
    let status = await outcome(of: arguments, console: console)
    if let failure = console.outputFailure {
      console.fail("cannot write to standard output: \(failure.localizedDescription)")
      return ExitStatus.inputOutput.rawValue
    }
    return status.rawValue
  }

  private static func outcome(of arguments: [String], console: Console) async -> ExitStatus {
    guard let name = arguments.first else {
      return usage(UsageError("a command is missing"), console: console)
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
      return usage(UsageError("unknown option \(name.quotedExcerpt)"), console: console)
    default:
      return usage(UsageError(unknownCommand: name), console: console)
    }
  }

  private static func run(_ entry: CommandEntry, _ arguments: [String], console: Console) async -> ExitStatus {
    do throws(UsageError) {
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

  private static func usage(_ error: UsageError, of entry: CommandEntry? = nil, console: Console) -> ExitStatus {
    console.fail(error.message)
    if error.status == .usage {
      console.writeError("Try 'anvil \(entry.map { "\($0.name) " } ?? "")--help'.\n")
    }
    return error.status
  }
}
