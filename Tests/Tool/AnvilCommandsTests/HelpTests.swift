import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

@testable import AnvilCommands

/// The texts that are generated from the table of commands: help, the manual page and completions.
@Suite(.timeLimit(.minutes(15)))
struct HelpTests {
  static let names = CommandTable.entries.map(\.name)

  @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "--help"]])
  func helpSucceeds(arguments: [String]) async {
    let outcome = await anvil(arguments: arguments)
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    #expect(outcome.output.hasPrefix("Usage: anvil "))
  }

  @Test func helpListsTheCommands() async {
    let text = await anvil("--help").output
    for entry in CommandTable.entries {
      #expect(text.contains("\n  \(entry.name) ") || text.contains("\n  \(entry.name)\n"))
    }
  }

  @Test func helpOfDemoHasTheExpectedText() async {
    let text = """
      Usage: anvil demo [options]

      Starts a GitHub-like API on the loopback interface and calls it through Anvil: typed models, an
      unwrapped root key, the caller's own errors, a recovery, a timeout, a decoding error. The last
      models are stored in a SQLite database, and the next run prints them first.

      Options:
        --json        print only numbers, as JSON: requests, decoded, recovered, failedAsExpected, kept,
                      inserted, updated, unchanged, unexpected
        --store FILE  the database; by default demo.db in the folder anvil of the user's caches
        --help, -h    print this help

      Exit status:
        0   every request ended as expected, including the intended failures
        3   a request did not end as expected, or the server could not start
        6   store: the database cannot be opened, or belongs to another program
        64  usage: the command line is invalid (EX_USAGE of sysexits.h)

      """
    #expect(await anvil("demo", "--help") == Outcome(status: 0, output: text, error: ""))
    #expect(await anvil("demo", "-h") == Outcome(status: 0, output: text, error: ""))
    #expect(await anvil("help", "demo") == Outcome(status: 0, output: text, error: ""))
  }

  @Test(arguments: names)
  func helpOfEachCommandListsItsOptions(name: String) async throws {
    let entry = try #require(CommandTable.entry(named: name))
    let outcome = await anvil(arguments: [name, "--help"])
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    for option in entry.options { #expect(outcome.output.contains("\n  \(option.term)")) }
    for status in entry.exitStatuses { #expect(outcome.output.contains("\n  \(status.status.rawValue) ")) }
  }

  @Test(arguments: names, [80, 100])
  func helpFitsTheWindow(name: String, width: Int) async {
    let outcome = await anvil(arguments: ["help", name], environment: ["COLUMNS": "\(width)"])
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= width) }
  }

  /// An option without a value rejects values, and an option with a value requires one.
  @Test(arguments: names)
  func flagsRejectValuesAndOtherOptionsRequireThem(name: String) async throws {
    let entry = try #require(CommandTable.entry(named: name))
    let letters = entry.options.compactMap(\.letter)
    #expect(Set(entry.options).count == entry.options.count, "names are unique")
    #expect(Set(letters).count == letters.count, "letters are unique")
    for option in entry.options where option != .help {
      let spelled = option.form == .flag ? ["--\(option.name)=x"] : ["--\(option.name)"]
      let message = option.form == .flag ? "takes no value" : "needs a value"
      let outcome = await anvil(arguments: [name] + spelled)
      #expect(outcome.status == 64)
      #expect(outcome.error.hasPrefix("anvil: --\(option.name) \(message)\nTry 'anvil \(name) --help'."))
    }
  }

  @Test func helpOfAnUnknownCommandSuggestsOne() async {
    let outcome = await anvil("help", "chek")
    #expect(outcome.status == 64)
    #expect(
      outcome.error == "anvil: unknown command \"chek\"; did you mean \"check\"?\nTry 'anvil help --help'.\n")
  }

  @Test(arguments: Completions.allCases)
  func completionsContainCommandsAndOptions(shell: Completions) async {
    let outcome = await anvil("completions", shell.rawValue)
    #expect(outcome.status == 0)
    for entry in CommandTable.entries {
      #expect(outcome.output.contains(entry.name))
      for option in entry.options {
        #expect(outcome.output.contains(shell == .fish ? "-l \(option.name) " : "--\(option.name)"))
      }
    }
  }

  @Test func completionsRequireAKnownShell() async {
    #expect(await anvil("completions").error.hasPrefix("anvil: the shell is missing: bash, zsh or fish\n"))
    #expect(await anvil("completions", "tcsh").error.hasPrefix("anvil: \"tcsh\" is not bash, zsh or fish\n"))
  }

  /// The completions that bash offers for a line.
  @Test(arguments: [
    (["anvil", "pro"], "proxy"), (["anvil", "check", "--agai"], "--against"),
    (["anvil", "get", "--transport", "u"], "urlsession"), (["anvil", "completions", "f"], "fish"),
    (["anvil", "help", "dem"], "demo"), (["anvil", "shape", "di"], "diff"), (["anvil", "pull", "statu"], "status"),
  ])
  func bashCompletesCommandLines(words: [String], completion: String) async throws {
    let script = await anvil("completions", "bash").output
    let quoted = words.map(\.inSingleQuotes).joined(separator: " ")
    let line = "COMP_LINE=\(words.joined(separator: " ").inSingleQuotes); COMP_POINT=${#COMP_LINE}"
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "bash", "-c",
      "\(script)\n\(line); COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _anvil; printf '%s' \"${COMPREPLY[*]}\"",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: output, as: UTF8.self) == completion)
  }

  /// The newest section of the changelog is that of the version, and has its date once it is released.
  @Test func versionAndDateAreThoseOfTheChangelog() throws {
    let changelog = try Checkout.text("CHANGELOG.md")
    let heading = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") })
    #expect(heading.contains(AnvilVersion.current))
    #expect(AnvilVersion.date.wholeMatch(of: #/20\d\d-[01]\d-[0-3]\d/#) != nil)
    #expect(heading.contains("Unreleased") || heading.contains(AnvilVersion.date))
  }

  @Test func manualContainsEachOption() async {
    let outcome = await anvil("man")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasPrefix(#".TH ANVIL 1 "\#(AnvilVersion.date)" "anvil \#(AnvilVersion.current)" "User Commands""#)
    )
    for entry in CommandTable.entries where entry.reference == nil {
      #expect(outcome.output.contains(".SS \"anvil \(entry.name)\""))
      for option in entry.options {
        #expect(outcome.output.contains(".B \\-\\-\(option.name.replacing("-", with: "\\-"))"))
      }
    }
  }
}
