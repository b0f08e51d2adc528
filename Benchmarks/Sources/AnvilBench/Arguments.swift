import Foundation

/// The command-line arguments.
struct Arguments {
  static let usage = """
    Usage: anvil-bench json   [--corpora DIR] [--case NAME] [--rounds N] [--format table|json]
           anvil-bench counts [--corpora DIR] [--case NAME] [--format table|json]
           anvil-bench memory [--corpora DIR] [--megabytes N] [--format table|json]
           anvil-bench diagnosis --without PROGRAM [--corpora DIR] [--case NAME] [--rounds N] [--megabytes N]
           anvil-bench failures [--corpora DIR] [--rounds N]
           anvil-bench lookups [--rounds N]
           anvil-bench partial [--corpora DIR] [--rounds N]

    json    decodes and encodes typed models with Foundation, with Anvil and with the peers that are installed, in
            interleaved rounds, and prints the medians.
    counts  prints allocations and, where valgrind is installed, instructions for each document: figures that are the
            same on a busy machine.
    memory  prints the peak memory of decoding a large document, and the size of a JSON tree of each document.
    diagnosis  compares this program with PROGRAM, built without the diagnosis by Benchmarks/measure-diagnosis.
    failures   measures finding and rendering the problems of invalid texts, including large and hostile ones.
    lookups    measures key lookups in large objects, with every key strategy and in several orders.
    partial    measures documents that arrive in pieces, with a value after each piece.

    The corpora are expected in ../shared/corpora, or in the folder that ANVIL_CORPORA names. Peers are installed by
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

  /// The value of the option `name`.
  ///
  /// - Throws: ``Failure`` if the option is missing.
  func required(_ name: String) throws -> String {
    guard let text = options[name] else { throw Failure.usage("\(name) is missing") }
    return text
  }

  /// The number that the option `name` has, or `standard` without the option.
  ///
  /// - Throws: ``Failure`` if the value is not a number above 0.
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
