import Foundation

let usage = """
  Usage: anvil-bench json [--corpora DIR] [--rounds N] [--format table|json]

  Decodes and encodes typed models of public corpora with Foundation and with Anvil, in interleaved rounds, and prints
  the medians.
  The corpora are expected at ../shared/corpora from the package, or where ANVIL_CORPORA points.

  """

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("anvil-bench: \(message)\n\(usage)".utf8))
  exit(64)
}

var arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.first == "json" else { fail("the suite is missing") }
arguments.removeFirst()
var options: [String: String] = [:]
while let name = arguments.first {
  guard ["--corpora", "--rounds", "--format"].contains(name), arguments.count > 1 else {
    fail("unknown option \(name)")
  }
  options[name] = arguments[1]
  arguments.removeFirst(2)
}
guard let rounds = Int(options["--rounds"] ?? "7"), rounds > 0 else { fail("--rounds is not a number above 0") }
let corpora =
  options["--corpora"] ?? ProcessInfo.processInfo.environment["ANVIL_CORPORA"] ?? "../shared/corpora"

do {
  let measurements = try JSONSuite(corpora: URL(filePath: corpora), rounds: rounds).run()
  switch options["--format"] ?? "table" {
  case "table": print(Report.table(measurements), terminator: "")
  case "json": print(try Report.jsonLines(measurements), terminator: "")
  default: fail("--format is table or json")
  }
} catch {
  FileHandle.standardError.write(Data("anvil-bench: \(error)\n".utf8))
  exit(1)
}
