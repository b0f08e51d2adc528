extension CommandOption {
  static let html = value(
    "html", nil, "OUT", completion: .files,
    "write the page to OUT, or to standard output for -, without starting a browser")
  static let followsFile = flag(
    "follow", nil,
    "serve the page on the loopback interface and show new exchanges as they are recorded, until SIGINT or SIGTERM; FILE "
      + "need not exist yet")
  static let inspectorPort = value(
    "port", nil, "N", "listen on port N of 127.0.0.1; a free port by default; needs --follow")
  static let noOpen = flag("no-open", nil, "do not start a browser")
  static let bodiesAgainst = values(
    "against", nil, "FILE", completion: .files,
    "show where JSON bodies of 2xx responses depart from a sample or a JSON Schema, as anvil check does; several samples "
      + "are combined")
  static let bodiesOfURL = value("url", nil, "TEXT", "check only bodies of URLs that contain TEXT; needs --against")
}

extension CommandEntry {
  static let har = CommandEntry(
    name: "har", operands: "FILE", operandCompletion: .files, summary: "show an HTTP archive in a browser",
    discussion: [
      "Shows an HTTP archive (HAR) in a browser: a waterfall, header fields, bodies as trees with each problem at its "
        + "value, the time of each phase, cache and retries. Archives are written by anvil get --har, anvil proxy "
        + "--record, HARRecorder and the developer tools of browsers. FILE is - for standard input.",
      "The page is one file and loads no other resources. It contains the whole archive, with its secrets. Without "
        + "--html and --follow it is written to the folder for temporary files, where only you can read it, and its "
        + "name is printed.",
      "With --follow, the first line on standard output is the address: listening on http://127.0.0.1:PORT/PATH/",
    ],
    groups: [
      OptionGroup("Options", [.html, .followsFile, .inspectorPort, .noOpen, .bodiesAgainst, .bodiesOfURL])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "success"),
      ExitStatusHelp(.transport, "the command could not listen: the port is in use or not permitted"),
      ExitStatusHelp(.decoding, "decoding: FILE is not an HTTP archive, or --against is not a sample or schema"),
      .usage,
      ExitStatusHelp(.inputOutput, "input or output: a file cannot be read or written (EX_IOERR)"),
    ]
  ) { arguments, console throws(UsageError) in
    await HARCommand(options: try HAROptions(arguments, console: console), console: console).run()
  }
}
