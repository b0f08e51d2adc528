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

  @Test func helpOfHARHasTheExpectedText() async {
    let text = """
      Usage: anvil har FILE [options]

      Shows an HTTP archive (HAR) in a browser: a waterfall, header fields, bodies as trees with each
      problem at its value, the time of each phase, cache and retries. Archives are written by anvil get
      --har, anvil proxy --record, HARRecorder and the developer tools of browsers. FILE is - for standard
      input.

      The page is one file and loads no other resources. It contains the whole archive, with its secrets.
      Without --html and --follow it is written to the folder for temporary files, where only you can read
      it, and its name is printed.

      With --follow, the first line on standard output is the address: listening on
      http://127.0.0.1:PORT/PATH/

      Options:
        --html OUT      write the page to OUT, or to standard output for -, without starting a browser
        --follow        serve the page on the loopback interface and show new exchanges as they are
                        recorded, until SIGINT or SIGTERM; FILE need not exist yet
        --port N        listen on port N of 127.0.0.1; a free port by default; needs --follow
        --no-open       do not start a browser
        --against FILE  show where JSON bodies of 2xx responses depart from a sample or a JSON Schema, as
                        anvil check does; several samples are combined
        --url TEXT      check only bodies of URLs that contain TEXT; needs --against
        --help, -h      print this help

      Exit status:
        0   success
        3   the command could not listen: the port is in use or not permitted
        5   decoding: FILE is not an HTTP archive, or --against is not a sample or schema
        64  usage: the command line is invalid (EX_USAGE of sysexits.h)
        74  input or output: a file cannot be read or written (EX_IOERR)

      """
    #expect(await anvil("har", "--help") == Outcome(status: 0, output: text, error: ""))
    #expect(await anvil("har", "-h") == Outcome(status: 0, output: text, error: ""))
    #expect(await anvil("help", "har") == Outcome(status: 0, output: text, error: ""))
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
      outcome.error == "anvil: unknown command \"chek\"; did you mean \"check\"?\nTry 'anvil --help'.\n")
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
    (["anvil", "help", "sha"], "shape"), (["anvil", "shape", "di"], "diff"), (["anvil", "pull", "statu"], "status"),
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
