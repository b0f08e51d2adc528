import Foundation

do {
  let arguments = try Arguments(CommandLine.arguments.dropFirst())
  switch arguments.command {
  case "json":
    var suite = JSONSuite(rounds: try arguments.number("--rounds", or: 15), corpora: arguments.corpora)
    let format = try arguments.format()
    try arguments.cases.visit(&suite)
    try Report.print(suite.figures, as: format)
  case "counts":
    var suite = CountSuite(corpora: arguments.corpora)
    defer { suite.cleanUp() }
    let format = try arguments.format()
    try arguments.cases.visit(&suite)
    try Report.print(suite.figures, as: format)
  case "memory":
    var suite = MemorySuite(megabytes: try arguments.number("--megabytes", or: 100))
    let format = try arguments.format()
    try arguments.cases.visit(&suite)
    if arguments["--case"] == nil { try suite.measurePeaks() }
    try Report.print(suite.figures, as: format)
  case "peak":
    try MemorySuite.printPeak(of: arguments["--implementation"] ?? "", file: arguments["--input"] ?? "")
  case "diagnosis":
    var suite = DiagnosisSuite(
      rounds: try arguments.number("--rounds", or: 7), corpora: arguments.corpora,
      without: try arguments.required("--without"))
    defer { suite.cleanUp() }
    try arguments.cases.visit(&suite)
    print(Columns.text(suite.rows) + "\n")
    print(Columns.text(try suite.peaks(megabytes: try arguments.number("--megabytes", or: 20))))
  case "failures":
    #if WITHOUT_DIAGNOSIS
    throw Arguments.Failure.usage("this program is built without the diagnosis")
    #else
    var suite = FailureSuite(rounds: try arguments.number("--rounds", or: 5), corpora: arguments.corpora)
    try suite.run()
    #endif
  case "lookups":
    var suite = LookupSuite(rounds: try arguments.number("--rounds", or: 5))
    try suite.run()
  case "partial":
    var suite = PartialSuite(rounds: try arguments.number("--rounds", or: 5), corpora: arguments.corpora)
    try suite.run()
  case "run", "rounds":
    var run = SingleRun(
      suite: arguments["--suite"] ?? "json.decode", implementation: arguments["--implementation"] ?? "",
      repetitions: arguments.command == "rounds" ? .asAsked : .times(try arguments.number("--iterations", or: 1)))
    try arguments.cases.visit(&run)
  default: throw Arguments.Failure.usage("there is no suite \(arguments.command)")
  }
} catch Arguments.Failure.usage(let message) {
  Console.note("\(message)\n\(Arguments.usage)")
  exit(64)
} catch {
  Console.note("\(error)")
  exit(1)
}
