import Foundation

/// What stands on the command line.
struct Arguments {
  static let usage = """
    Usage: anvil-bench json   [--corpora DIR] [--case NAME] [--rounds N] [--format table|json]
           anvil-bench counts [--corpora DIR] [--case NAME] [--format table|json]
           anvil-bench memory [--corpora DIR] [--megabytes N] [--format table|json]
           anvil-bench diagnosis --without PROGRAM [--corpora DIR] [--case NAME] [--rounds N] [--megabytes N]
           anvil-bench failures [--corpora DIR] [--rounds N]
           anvil-bench lookups [--rounds N]

    json    decodes and encodes typed models with Foundation, with Anvil and with the peers that are installed, in
            interleaved rounds, and prints the medians.
    counts  prints allocations and, where valgrind is installed, instructions for each document: figures that are the
            same on a busy machine.
    memory  prints the most memory that decoding a large document takes, and what a JSON tree keeps of each document.
    diagnosis  holds this program against PROGRAM, the same without the diagnosis: Benchmarks/measure-diagnosis builds it.
    failures   prints what it takes to find and write out what is wrong with texts, large and hostile ones among them.
    lookups    prints what it takes to look keys up in large objects, with every key strategy and in any order.

    The corpora are expected at ../shared/corpora from the package, or where ANVIL_CORPORA points. Peers are set up by
    Benchmarks/setup-peers.

    """

  enum Failure: Error {
    case usage(String)
  }

  let command: String
  private var options: [String: String] = [:]

  /// - Throws: ``Failure``.
  init(_ arguments: some Sequence<String>) throws {
    var arguments = Array(arguments)
    guard let command = arguments.first else { throw Failure.usage("the suite is missing") }
    self.command = command
    arguments.removeFirst()
    while let name = arguments.first {
      guard Self.names.contains(name), arguments.count > 1 else { throw Failure.usage("unknown option \(name)") }
      options[name] = arguments[1]
      arguments.removeFirst(2)
    }
  }

  private static let names: Set = [
    "--corpora", "--case", "--rounds", "--format", "--megabytes", "--suite", "--implementation", "--iterations",
    "--input", "--without",
  ]

  subscript(name: String) -> String? { options[name] }

  /// What stands behind `name`.
  ///
  /// - Throws: ``Failure`` when nothing does.
  func required(_ name: String) throws -> String {
    guard let text = options[name] else { throw Failure.usage("\(name) is missing") }
    return text
  }

  /// The number behind `name`, or `standard`.
  ///
  /// - Throws: ``Failure`` when it is none above 0.
  func number(_ name: String, or standard: Int) throws -> Int {
    guard let text = options[name] else { return standard }
    guard let number = Int(text), number > 0 else { throw Failure.usage("\(name) is not a number above 0") }
    return number
  }

  /// - Throws: ``Failure``.
  func format() throws -> Report.Format {
    guard let format = Report.Format(rawValue: options["--format"] ?? "table") else {
      throw Failure.usage("--format is table or json")
    }
    return format
  }

  var cases: Cases { Cases(corpora: URL(filePath: corpora), only: options["--case"]) }

  var corpora: String {
    options["--corpora"] ?? ProcessInfo.processInfo.environment["ANVIL_CORPORA"] ?? "../shared/corpora"
  }
}
