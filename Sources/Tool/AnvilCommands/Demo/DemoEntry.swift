extension CommandOption {
  static let summaryAsJSON = flag(
    "json", nil,
    "print only numbers, as JSON: requests, decoded, recovered, failedAsExpected, kept, inserted, updated, unchanged, "
      + "unexpected")
  static let demoStore = value(
    "store", nil, "FILE", completion: .files,
    "the database; by default demo.db in the folder anvil of the user's caches")
}

extension CommandEntry {
  static let demo = CommandEntry(
    name: "demo", operands: "", summary: "run examples of the package against a built-in server",
    discussion: [
      "Starts a GitHub-like API on the loopback interface and calls it through Anvil: typed models, an unwrapped root "
        + "key, the caller's own errors, a recovery, a timeout, a decoding error. The last models are stored in a "
        + "SQLite database, and the next run prints them first."
    ],
    groups: [OptionGroup("Options", [.summaryAsJSON, .demoStore])],
    exitStatuses: [
      ExitStatusHelp(.success, "every request ended as expected, including the intended failures"),
      ExitStatusHelp(.transport, "a request did not end as expected, or the server could not start"),
      ExitStatusHelp(.store, "store: the database cannot be opened, or belongs to another program"), .usage,
    ]
  ) { arguments, console throws(UsageError) in
    try arguments.refuseOperands()
    let path = arguments.value(of: .demoStore)
    if path == "" { throw UsageError("--store needs the name of a file") }
    return await DemoCommand(json: arguments.contains(.summaryAsJSON), storePath: path, console: console).run()
  }
}
