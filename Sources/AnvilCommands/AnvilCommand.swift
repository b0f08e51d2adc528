internal import AnvilHTTP
internal import Foundation

/// The command line tool `anvil`: chooses the command, and turns its outcome into an exit status.
public enum AnvilCommand {
  /// The version that `anvil --version` prints.
  public static let version = AnvilVersion.current

  /// Runs the tool.
  ///
  /// - Parameters:
  ///   - arguments: the command line without the program's name.
  ///   - console: where it writes.
  /// - Returns: the exit status: an ``ExitStatus``'s raw value.
  public static func run(arguments: [String], console: Console = .standard) async -> Int32 {
    let status = await outcome(of: arguments, console: console)
    if let failure = console.outputFailure {
      console.fail("cannot write to standard output: \(failure.localizedDescription)")
      return ExitStatus.inputOutput.rawValue
    }
    return status.rawValue
  }

  private static func outcome(of arguments: [String], console: Console) async -> ExitStatus {
    guard let command = arguments.first else {
      return usage(UsageError("a command is missing"), help: "anvil --help", console: console)
    }
    let rest = Array(arguments.dropFirst())
    switch command {
    case "get": return await get(rest, console: console)
    case "check": return await check(rest, console: console)
    case "model": return await model(rest, console: console)
    case "har": return await har(rest, console: console)
    case "demo": return await demo(rest, console: console)
    case "proxy": return await proxy(rest, console: console)
    case "pull": return await pull(rest, console: console)
    case "--help", "-h":
      console.write(Usage.anvil)
      return .success
    case "--version":
      console.write("anvil \(version)\n")
      return .success
    default:
      let kind = command.hasPrefix("-") ? "option" : "command"
      return usage(UsageError("unknown \(kind) \(command.quotedExcerpt)"), help: "anvil --help", console: console)
    }
  }

  private static func get(_ arguments: [String], console: Console) async -> ExitStatus {
    do throws(UsageError) {
      let parsed = try ArgumentParser<GetOptions.Name>(arguments)
      if parsed.contains(.help) {
        console.write(Usage.get)
        return .success
      }
      let credentials = try CredentialOptions(parsed, console: console)
      return await GetCommand(options: try GetOptions(parsed, credentials: credentials), console: console).run()
    } catch {
      return usage(error, help: "anvil get --help", console: console)
    }
  }

  private static func model(_ arguments: [String], console: Console) async -> ExitStatus {
    do throws(UsageError) {
      let parsed = try ArgumentParser<ModelOptions.Name>(arguments)
      if parsed.contains(.help) {
        console.write(Usage.model)
        return .success
      }
      return await ModelCommand(options: try ModelOptions(parsed, console: console), console: console).run()
    } catch {
      return usage(error, help: "anvil model --help", console: console)
    }
  }

  private static func check(_ arguments: [String], console: Console) async -> ExitStatus {
    do throws(UsageError) {
      let parsed = try ArgumentParser<CheckOptions.Name>(arguments)
      if parsed.contains(.help) {
        console.write(Usage.check)
        return .success
      }
      return await CheckCommand(options: try CheckOptions(parsed, console: console), console: console).run()
    } catch {
      return usage(error, help: "anvil check --help", console: console)
    }
  }

  private static func har(_ arguments: [String], console: Console) async -> ExitStatus {
    do throws(UsageError) {
      let parsed = try ArgumentParser<HAROptions.Name>(arguments)
      if parsed.contains(.help) {
        console.write(Usage.har)
        return .success
      }
      return await HARCommand(options: try HAROptions(parsed, console: console), console: console).run()
    } catch {
      return usage(error, help: "anvil har --help", console: console)
    }
  }

  private static func demo(_ arguments: [String], console: Console) async -> ExitStatus {
    do throws(UsageError) {
      let parsed = try ArgumentParser<DemoOption>(arguments)
      if parsed.contains(.help) {
        console.write(Usage.demo)
        return .success
      }
      if let operand = parsed.operands.first { throw UsageError("unexpected argument \(operand.quotedExcerpt)") }
      let path = parsed.value(of: .store)
      if path == "" { throw UsageError("--store needs the name of a file") }
      return await DemoCommand(json: parsed.contains(.json), storePath: path, console: console).run()
    } catch {
      return usage(error, help: "anvil demo --help", console: console)
    }
  }

  private static func proxy(_ arguments: [String], console: Console) async -> ExitStatus {
    do throws(UsageError) {
      let parsed = try ArgumentParser<ProxyOptions.Name>(arguments)
      if parsed.contains(.help) {
        console.write(Usage.proxy)
        return .success
      }
      return await ProxyCommand(options: try ProxyOptions(parsed), console: console).run()
    } catch {
      return usage(error, help: "anvil proxy --help", console: console)
    }
  }

  private static func pull(_ arguments: [String], console: Console) async -> ExitStatus {
    do throws(UsageError) {
      let parsed = try ArgumentParser<PullOptions.Name>(arguments)
      if parsed.contains(.help) {
        console.write(Usage.pull)
        return .success
      }
      if parsed.contains(.schema) {
        console.write(PullFileSchema.text + "\n")
        return .success
      }
      let credentials = try CredentialOptions(parsed, console: console)
      return await PullCommand(options: try PullOptions(parsed, credentials: credentials), console: console).run()
    } catch {
      return usage(error, help: "anvil pull --help", console: console)
    }
  }

  private static func usage(_ error: UsageError, help: String, console: Console) -> ExitStatus {
    console.fail(error.message)
    console.writeError("Try '\(help)'.\n")
    return .usage
  }
}

/// The options of `anvil demo`.
private enum DemoOption: String, CommandOption {
  case json, store, help

  var letter: Character? { self == .help ? "h" : nil }
  var form: OptionForm { self == .store ? .value : .flag }
}
