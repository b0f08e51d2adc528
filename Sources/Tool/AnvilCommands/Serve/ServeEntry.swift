extension CommandOption {
  static let strictReplay = flag(
    "strict", nil, "use each exchange once, in order, for requests that are equal in method, path, query and body")
  static let latency = value(
    "latency", nil, "SECONDS", completion: .choices(["recorded"]),
    "wait SECONDS, such as 0.2, before each reply; recorded: the time that the recorded exchange took")
  static let faults = value(
    "faults", nil, "LIST",
    "reply with faults: NAME, or NAME/N for every Nth request, separated by commas, such as "
      + "503/3,reset-in-body/10; the first one that applies is used")
  static let recordedOrigin = value(
    "origin", nil, "URL", "answer only from exchanges whose URL begins with URL; from all by default")
}

extension CommandEntry {
  static let serve = CommandEntry(
    name: "serve", operands: "FILE", operandCompletion: .files,
    summary: "answer requests from a recording, with faults on demand",
    discussion: [
      "Listens on a port of the loopback interface and answers HTTP requests from a recording: an HTTP archive (HAR) of "
        + "anvil proxy --record, anvil get --har or a browser, or a cassette of CassetteSession. The hosts of the "
        + "recorded URLs are not compared, and redirects to them lead back to this server. FILE is - for standard input.",
      "By default a request is answered with the exchange that has the same method, path and query items, in any order. "
        + "If there are several, those with the same body are preferred. Equal requests receive them in order, and then "
        + "the last one repeatedly. Secrets that the recording does not contain are not compared. A request that was not "
        + "recorded is answered with 404 and printed to standard error. The command ends on SIGINT and SIGTERM.",
      "The first line on standard output is the address: listening on http://127.0.0.1:PORT",
      TLSOptions.discussion + " The server's certificate is for localhost, 127.0.0.1, ::1 and the recorded hosts.",
    ],
    groups: [
      OptionGroup(
        "Options",
        [.strictReplay, .latency, .faults, .recordedOrigin, .port, .tls, .authorityFile, .logsExchanges, .secretPath])
    ],
    sections: [
      HelpSection(
        title: "Faults",
        blocks: [.paragraph("A status from 400 to 599, or one of \(ServeFault.names.joined(separator: ", ")).")])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "the command was ended by SIGINT or SIGTERM"),
      ExitStatusHelp(.departure, "with --strict: a request was not recorded, or an exchange was not requested"),
      ExitStatusHelp(.transport, "the command could not listen: the port is in use or not permitted"),
      ExitStatusHelp(.decoding, "decoding: FILE is neither an HTTP archive nor a cassette"), .usage, .inputOutput,
    ]
  ) { arguments, console throws(UsageError) in
    await ServeCommand(options: try ServeOptions(arguments), console: console).run()
  }
}
