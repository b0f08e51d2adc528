extension CommandOption {
  static let summaryAsJSON = flag(
    "json", nil,
    "print only a summary: requests, decoded, recovered, failedAsExpected, kept, inserted, updated, unchanged, "
      + "unexpected")
  static let demoStore = value(
    "store", nil, "FILE", completion: .files,
    "the database; demo.db in the folder anvil of the user's caches by default")
}

extension CommandEntry {
  static let demo = CommandEntry(
    name: "demo", operands: "", summary: "show the package at work, against a server of its own",
    discussion: [
      "Starts a GitHub-like API on the loopback interface and drives it through Anvil: typed models, an unwrapped root "
        + "key, the caller's own errors, a recovery, a timeout, a decoding error. What it decodes last is kept in a "
        + "SQLite database, and the next run begins with it."
    ],
    groups: [OptionGroup("Options", [.summaryAsJSON, .demoStore])],
    exitStatuses: [
      ExitStatusHelp(.success, "every request ended as it should, intended failures included"),
      ExitStatusHelp(.transport, "one did not, or the server could not start"),
      ExitStatusHelp(.store, "store: the database cannot be opened, or is another program's"), .usage,
    ]
  ) { arguments, console throws(UsageError) in
    try arguments.refuseOperands()
    let path = arguments.value(of: .demoStore)
    if path == "" { throw UsageError("--store needs the name of a file") }
    return await DemoCommand(json: arguments.contains(.summaryAsJSON), storePath: path, console: console).run()
  }
}
